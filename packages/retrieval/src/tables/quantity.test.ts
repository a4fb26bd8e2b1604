import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { comparable, formatAmount, isMissing, readQuantity } from './quantity.ts'

describe('readQuantity', () => {
  it.each<[string, number, string]>([
    ['12', 12, ''],
    ['-3.5', -3.5, ''],
    ['−4', -4, ''],
    ['1,204,500', 1204500, ''],
    ['40 000', 40000, ''],
    ['40\u00a0000', 40000, ''],
    ["1'250", 1250, ''],
    ['1.204.500', 1204500, ''],
    ['1.204.500,5', 1204500.5, ''],
    ['6,40 €', 6.4, '€'],
    ['2,000', 2000, ''],
    ['0.5 ns', 5e-10, 'time'],
    ['30 µs', 30e-6, 'time'],
    ['950 ms', 0.95, 'time'],
    ['2 min', 120, 'time'],
    ['12 h 45 min', 45900, 'time'],
    ['90 days', 7776000, 'time'],
    ['1 year', 31557600, 'time'],
    ['18 Tage', 1555200, 'time'],
    ['900K', 900e3, ''],
    ['1.2M', 1.2e6, ''],
    ['3 million', 3e6, ''],
    ['12 KB', 12e3, 'data'],
    ['3 MB', 3e6, 'data'],
    ['800 B', 800, 'data'],
    ['1 GiB', 1024 ** 3, 'data'],
    ['180 MB/s', 180e6, 'data/s'],
    ['2 GB per second', 2e9, 'data/second'],
    ['48 cm', 0.48, 'length'],
    ['5 m', 5, 'length'],
    ['31 km²', 31e6, 'area'],
    ['700 g', 0.7, 'mass'],
    ['2.4 GHz', 2.4e9, 'frequency'],
    ['$20', 20, '$'],
    ['$1.5M', 1.5e6, '$'],
    ['€ 20', 20, '€'],
    ['20 EUR', 20, '€'],
    ['$20/month', 20, '$/month'],
    ['70 %', 70, '%'],
    ['12 pieces', 12, 'piece'],
    ['about 1,970 cases', 1970, 'case'],
    ['~5', 5, ''],
    ['**7** `GB`', 7e9, 'data'],
    ['2021-01-30', 18657, 'date'],
    ['06:25', 385, 'time of day'],
  ])('reads %j', (cell, amount, dimension) => {
    const found = readQuantity(cell)
    expect(found?.dimension).toBe(dimension)
    expect(found?.amount).toBeCloseTo(amount, 12)
  })

  it.each([
    '',
    'embed-english-v3.0',
    'v3',
    '1.5.2',
    '3-5',
    '<5',
    'B-12',
    'yes',
    '2417 is named, after the town',
    '12/27',
  ])('returns null for %j', (cell) => {
    expect(readQuantity(cell)).toBeNull()
  })
})

it.each(['00', '0 ', '0,000', '1 h '])('readQuantity takes linear time for %j', { tags: 'growth' }, async (piece) => {
  expect(await growthOf((size) => readQuantity(`${piece.repeat(size)}x`), 5000)).toBeLessThan(1.75)
})

describe('comparable', () => {
  it('skips missing cells, and treats unlimited as larger than all numbers', () => {
    const { quantities } = comparable(['1', '–', 'unlimited', '50'])
    expect(quantities?.map((one) => one?.amount ?? null)).toEqual([1, null, Number.POSITIVE_INFINITY, 50])
    expect(comparable(['unlimited', '5 GB']).quantities).toHaveLength(2)
    expect(['', '-', 'n/a', 'None', ' ? '].map(isMissing)).toEqual([true, true, true, true, true])
  })

  it('accepts a zero without a unit', () => {
    expect(comparable(['0', '3 MB']).problem).toContain('“a plain number” and “MB” differ')
    expect(comparable(['3 MB', '0']).quantities).toHaveLength(2)
  })

  it.each<[string[], string]>([
    [['1', 'large'], '“large” is not a number'],
    [['5 kg', '3 m'], 'the units of “kg” and “m” differ'],
    [['$5', '3 €'], 'the units of “$” and “€” differ'],
    [['', '-'], 'it contains no numbers'],
  ])('states why %j cannot be compared', (cells, problem) => {
    expect(comparable(cells)).toEqual({ problem })
  })
})

it.each<[string, number, string]>([
  ['12 h 45 min', 45900, '765 min'],
  ['$20', 106.5, '$106.5'],
  ['6.40 €', 24.1, '24.1 €'],
  ['40 000', 28725, '28,725'],
  ['3 MB', 4.5e6, '4.5 MB'],
])('formats an amount in the notation of %j', (like, amount, printed) => {
  expect(formatAmount(amount, readQuantity(like)!, 2)).toBe(printed)
})
