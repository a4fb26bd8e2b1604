import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { compareInstants, dayFirstIn, readDate } from './read-date.ts'

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
    // Of JavaScript: String(date), toUTCString, toDateString, toLocaleString.
    ['Mon May 06 2024 07:08:11 GMT+0200 (Central European Summer Time)', '2024-05-06T05:08:11'],
    ['Mon May 06 2024 07:08:11 GMT-0330 (GMT-03:30)', '2024-05-06T10:38:11'],
    ['Mon May 06 2024 07:08:11 GMT+0000 (Coordinated Universal Time)', '2024-05-06T07:08:11'],
    ['Mon, 06 May 2024 05:08:11 GMT', '2024-05-06T05:08:11'],
    ['Mon May 06 2024', '2024-05-06T00:00:00'],
    ['5/6/2024, 7:08:11 AM', '2024-05-06T07:08:11'],
    ['5/6/2024, 7:08:11\u202fPM', '2024-05-06T19:08:11'],
    ['6.5.2024, 07:08:11', '2024-05-06T07:08:11'],
    ['2024-05-06, 7:08:11 a.m.', '2024-05-06T07:08:11'],
    ['May 6, 2024 at 7:08 AM', '2024-05-06T07:08:00'],
    ['May 6, 2024, 7:08:11 AM UTC', '2024-05-06T07:08:11'],
    // Of PDF files and photos.
    ["D:20240506070809+02'00'", '2024-05-06T05:08:09'],
    ["D:20240506070809-03'30", '2024-05-06T10:38:09'],
    ["D:20240506070809Z00'00'", '2024-05-06T07:08:09'],
    ['D:20240506070809Z', '2024-05-06T07:08:09'],
    ['D:20240506070809', '2024-05-06T07:08:09'],
    ['D:202405060708', '2024-05-06T07:08:00'],
    ['D:20240506', '2024-05-06T00:00:00'],
    ['D:2024', '2024-01-01T00:00:00'],
    ['2024:05:06 07:08:09', '2024-05-06T07:08:09'],
    ['2024:05:06 07:08:09.25+02:00', '2024-05-06T05:08:09.250000000'],
    // Of programs: C, date, git, mail.
    ['Mon May  6 07:08:11 2024', '2024-05-06T07:08:11'],
    ['Mon May  6 07:08:11 UTC 2024', '2024-05-06T07:08:11'],
    ['Mon May 6 07:08:11 2024 +0200', '2024-05-06T05:08:11'],
    ['Mon, 6 May 2024 07:08:11 +0200 (CEST)', '2024-05-06T05:08:11'],
    ['2024-05-06T07:08:11 UTC+2', '2024-05-06T05:08:11'],
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
    'D:20241306',
    'D:20240506250809',
    "D:20240506070809+2'00'",
    '20240506070809',
    '2024:13:06 07:08:09',
    'Mon May 6 07:08:11 CEST 2024',
    'Mon May 6 07:08:11 UTC 2024 +0200',
    'Mon May 06 2024 07:08:11 GMT+9900 (x)',
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

  it('accepts the bounds of clocks, zones and years', () => {
    expect(iso('2020-01-01T23:59:59')).toBe('2020-01-01T23:59:59')
    expect(iso('2020-01-01T00:00+23:59')).toBe('2019-12-31T00:01:00')
    expect(iso('2020-01-01T00:00-23:59')).toBe('2020-01-01T23:59:00')
    expect(iso('9999-12-31T23:59:59.999999999')).toBe('9999-12-31T23:59:59.999999999')
    expect(iso('1/1/2020, 12:00 AM')).toBe('2020-01-01T00:00:00')
    expect(iso('1/1/2020, 1:00 PM')).toBe('2020-01-01T13:00:00')
    for (const text of ['2020-01-01T00:00+24:00', '2020-01-01T00:00+23:60', '1/1/2020, 0:00 AM', '1/1/2020, 13:00 AM'])
      expect(readDate(text)).toBeUndefined()
    expect([iso(99_999_999_999), iso(100_000_000_000)]).toEqual(['5138-11-16T09:46:39', '1973-03-03T09:46:40'])
    expect([-62_135_596_800_001, 253_402_300_800_000].map((value) => readDate(value))).toEqual([undefined, undefined])
    expect([iso(-62_135_596_800_000), iso(253_402_300_799_000)]).toEqual(['0001-01-01T00:00:00', '9999-12-31T23:59:59'])
    expect(readDate(0.9999999999)).toEqual({ seconds: 1, nanoseconds: 0 })
  })

  it.each<[string[], boolean, object]>([
    [[], false, { slashed: false, dotted: true }],
    [[], true, { slashed: true, dotted: true }],
    [['1/2/2020', '13/2/2020', '1.2.2020'], false, { slashed: true, dotted: true }],
    [['1/13/2020', '1.13.2020'], false, { slashed: false, dotted: false }],
    [['1/13/2020'], true, { slashed: true, dotted: true }],
    [['13/2/2020', '2/13/2020', '13.2.2020', '2.13.2020'], false, { slashed: false, dotted: true }],
    [['12/12/2020', '13/13/2020', '12.13.2020'], false, { slashed: false, dotted: false }],
    [['13-2-2020'], false, { slashed: true, dotted: true }],
  ])('finds the order of day and month in %j', (values, dayFirst, expected) => {
    expect(dayFirstIn(values, dayFirst)).toEqual(expected)
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
    ['2020-01-01', ' '],
    ['Mon May 06 2024 07:08:11 GMT+0200 (', 'a'],
    ['D:', '2024'],
  ])('takes linear time on %j and many %j', { tags: 'growth' }, async (start, unit) => {
    expect(await growthOf((size) => readDate(start + unit.repeat(size)), 20_000)).toBeLessThan(1.75)
  })
})
