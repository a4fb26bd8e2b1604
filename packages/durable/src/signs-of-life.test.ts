import { afterEach, expect, it, vi } from 'vitest'
import { showLife } from './signs-of-life.ts'

afterEach(() => {
  vi.useRealTimers()
})

const HOUR = 3_600_000

it('comes within each lease, which grows to two minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const signs: { at: number; leaseMs: number }[] = [{ at: performance.now(), leaseMs: 5000 }]
  const { stop } = showLife({
    leaseMs: 5000,
    onError: undefined,
    sign: async (entry) => signs.push({ at: performance.now(), leaseMs: (entry as { leaseMs: number }).leaseMs }),
  })
  await vi.advanceTimersByTimeAsync(24 * HOUR)
  stop()
  expect(Math.max(...signs.map(({ leaseMs }) => leaseMs))).toBe(120_000)
  expect(signs.length).toBeLessThan(2500)
  for (const [i, { at }] of signs.slice(1).entries()) expect(at - signs[i]!.at).toBeLessThan(signs[i]!.leaseMs / 2)
  await vi.advanceTimersByTimeAsync(24 * HOUR)
  expect(vi.getTimerCount()).toBe(0)
})

it('is tried again after an error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const errors: unknown[] = []
  const { stop } = showLife({
    leaseMs: 300,
    onError: (error) => errors.push(error),
    sign: async () => {
      throw new Error('The disk is full.')
    },
  })
  await vi.advanceTimersByTimeAsync(1000)
  stop()
  expect(errors.length).toBeGreaterThan(2)
})
