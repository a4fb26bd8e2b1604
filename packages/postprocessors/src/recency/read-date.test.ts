import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { compareInstants, readDate } from './read-date.ts'

const iso = (value: unknown, options = {}) => {
  const instant = readDate(value, options)
  return (
    instant &&
    `${new Date(instant.seconds * 1000).toISOString().slice(0, 19)}.${String(instant.nanoseconds).padStart(9, '0')}`.replace(
      /\.0{9}$/,
      '',
    )
  )
}

describe('readDate', () => {
  it.each<[unknown, string]>([
    ['2020', '2020-01-01T00:00:00'],
    ['2020-05', '2020-05-01T00:00:00'],
    ['2020-1-2', '2020-01-02T00:00:00'],
    ['2020/01/02', '2020-01-02T00:00:00'],
    ['2020.01.02', '2020-01-02T00:00:00'],
    ['20200102', '2020-01-02T00:00:00'],
    ['20200102T101112', '2020-01-02T10:11:12'],
    ['1/2/2020', '2020-01-02T00:00:00'],
    ['13/02/2024', '2024-02-13T00:00:00'],
    ['02/13/2024', '2024-02-13T00:00:00'],
    ['02.01.2020', '2020-01-02T00:00:00'],
    ['13.02.2021', '2021-02-13T00:00:00'],
    ['02.13.2021', '2021-02-13T00:00:00'],
    ['01-02-2020', '2020-01-02T00:00:00'],
    ['Jan 2, 2020', '2020-01-02T00:00:00'],
    ['january 2 2020', '2020-01-02T00:00:00'],
    ['2 Jan 2020', '2020-01-02T00:00:00'],
    ['2-Jan-2020', '2020-01-02T00:00:00'],
    ['Wed, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00'],
    ['Thursday Jan 2, 2020', '2020-01-02T00:00:00'],
    [' 2020-01-01 10:00 ', '2020-01-01T10:00:00'],
    ['2020-01-01 10:00 PM', '2020-01-01T22:00:00'],
    ['2020-01-01 12:30 am', '2020-01-01T00:30:00'],
    ['2020-01-01T10:00:30.123456789', '2020-01-01T10:00:30.123456789'],
    ['2020-01-01T11:00:00+02:00', '2020-01-01T09:00:00'],
    ['2020-01-01T11:00:00 -0230', '2020-01-01T13:30:00'],
    ['2020-01-01T11:00Z', '2020-01-01T11:00:00'],
    ['0001-01-01', '0001-01-01T00:00:00'],
    ['2000-02-29', '2000-02-29T00:00:00'],
    [1577836800, '2020-01-01T00:00:00'],
    [1577836800000, '2020-01-01T00:00:00'],
    [-0.5, '1969-12-31T23:59:59.500000000'],
    [new Date(1577836800123), '2020-01-01T00:00:00.123000000'],
  ])('reads %s', (value, expected) => {
    expect(iso(value)).toBe(expected)
  })

  it('parses the day first with dayFirst, unless only month first is possible', () => {
    expect(iso('1/2/2020', { dayFirst: true })).toBe('2020-02-01T00:00:00')
    expect(iso('1/13/2020', { dayFirst: true })).toBe('2020-01-13T00:00:00')
  })

  it.each([
    '',
    ' ',
    'NaT',
    'now',
    'today',
    'hello',
    '10:00',
    '2021-02-30',
    '2021-13-01',
    '20-01-02',
    '1/2/20',
    '2020-01-01 24:00',
    '2020-01-01 13:00 PM',
    '2020-01-01 10:60',
    '2020-01-01T10:00:60',
    '0000-01-01',
    '2020/01-02',
    '2020-01-01 10',
    'Foo 2, 2020',
    'Sept 2, 2020',
    '2020-01-01T10:00:00.1234567890',
    '1577836800',
    '2020-01-01T10:00+99:00',
    '2020-01-01 10:00 EST',
    '9999-12-31T23:59:59-23:00',
    '31/31/2020',
    true,
    false,
    null,
    undefined,
    {},
    [],
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e18,
    new Date(Number.NaN),
    5n,
  ])('rejects %s', (value) => {
    expect(readDate(value)).toBeUndefined()
  })

  it('parses every instant in ISO form', () => {
    const date = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(date, date, (a, b) => {
        expect(readDate(a.toISOString())).toEqual(readDate(a))
        expect(Math.sign(compareInstants(readDate(a.toISOString())!, readDate(b.toISOString())!))).toBe(
          Math.sign(a.getTime() - b.getTime()),
        )
      }),
    )
  })

  it.each([
    ['', '1'],
    ['Jan ', ' '],
    ['2020-01-01 ', '0'],
    ['', 'a'],
  ])('takes linear time on %j and many %j', { tags: 'growth' }, async (start, unit) => {
    expect(await growthOf((size) => readDate(start + unit.repeat(size)), 20_000)).toBeLessThan(1.75)
  })
})
