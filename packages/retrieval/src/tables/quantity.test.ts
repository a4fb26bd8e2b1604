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
    ['2 constructors', 2, 'constructor'],
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

  it.each<[string, string]>([
    ['1 hour', '60 minutes'],
    ['1 min', '60 s'],
    ['1 s', '1000 ms'],
    ['1 ms', '1000 µs'],
    ['1 us', '1000 ns'],
    ['1 week', '7 d'],
    ['1 year', '12 months'],
    ['1 yr', '365.25 days'],
    ['1 Woche', '168 Stunden'],
    ['1 Jahr', '8766 Std.'],
    ['1 byte', '8 bit'],
    ['1 kB', '1000 bytes'],
    ['1 l', '1 litres'],
    ['1 Jahr', '12 Monate'],
    ['1 kbit', '125 B'],
    ['1 Gbit', '1000 Mbit'],
    ['1 Mbit', '1000 kbit'],
    ['1 PB', '1000 TB'],
    ['1 TB', '1000 GB'],
    ['1 TiB', '1024 GiB'],
    ['1 GiB', '1024 MiB'],
    ['1 MiB', '1024 KiB'],
    ['1 KiB', '1024 B'],
    ['1 km', '1000 m'],
    ['1 m', '1000 mm'],
    ['1 cm', '10 mm'],
    ['1 mm', '1000 µm'],
    ['1 µm', '1000 nm'],
    ['1 ft', '12 in'],
    ['1 mi', '5280 ft'],
    ['1 ft', '30.48 cm'],
    ['1 km²', '100 ha'],
    ['1 ha', '10000 m²'],
    ['1 m²', '10000 cm²'],
    ['1 t', '1000 kg'],
    ['1 g', '1000 mg'],
    ['1 lb', '16 oz'],
    ['1 lb', '453.59237 g'],
    ['1 litre', '1000 ml'],
    ['1 l', '100 cl'],
    ['1 GHz', '1000 MHz'],
    ['1 MHz', '1000 kHz'],
    ['1 kHz', '1000 Hz'],
    ['1 kW', '1000 W'],
    ['1 W', '1000 mW'],
  ])('reads %j as %j', (one, other) => {
    const [a, b] = [readQuantity(one)!, readQuantity(other)!]
    expect(a.dimension).toBe(b.dimension)
    expect(a.amount / b.amount).toBeCloseTo(1, 6)
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
