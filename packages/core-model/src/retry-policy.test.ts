import { ToolkitError } from '@x/core'
import { describe, expect, it } from 'vitest'
import { isRetryable, type RepeatOptions, RetryPolicy } from './retry-policy.ts'

/** An error of a model that asks for a wait. */
class Busy extends ToolkitError {
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs?: number) {
    super('Busy', 'busy', 'busy')
    this.retryAfterMs = retryAfterMs
  }

  override get retryable(): boolean {
    return true
  }
}

const busy = (retryAfterMs?: number) => new Busy(retryAfterMs)

/** A policy that records its waits instead of waiting. */
function recordingPolicy(options: RepeatOptions = {}) {
  const waits: number[] = []
  const sleep = async (ms: number) => void waits.push(ms)
  return { waits, policy: new RetryPolicy('here', { random: () => 1, sleep, ...options }) }
}

/** Work that throws these errors, then returns. */
const failing =
  (...errors: unknown[]) =>
  async () => {
    if (errors.length > 0) throw errors.shift()
    return 'done'
  }

describe('RetryPolicy', () => {
  it('repeats work that may succeed later, with doubled waits', async () => {
    const { waits, policy } = recordingPolicy({ maxAttempts: 4 })
    expect(await policy.repeat(failing(busy(), busy(), busy()), undefined)).toBe('done')
    expect(waits).toEqual([500, 1000, 2000])
  })

  it('throws the error of the last attempt, and errors that are not retryable immediately', async () => {
    const { waits, policy } = recordingPolicy({ maxAttempts: 2 })
    const last = busy()
    await expect(policy.repeat(failing(busy(), last), undefined)).rejects.toBe(last)
    expect(waits).toEqual([500])
    const wrong = new TypeError('wrong')
    await expect(policy.repeat(failing(wrong), undefined)).rejects.toBe(wrong)
    expect([isRetryable(busy()), isRetryable(wrong)]).toEqual([true, false])
  })

  it('waits as long as the provider asks, also when its error is a cause', async () => {
    const { waits, policy } = recordingPolicy({ shouldRetry: () => true, random: () => 0.5 })
    await policy.repeat(failing(busy(900), new Error('module failed', { cause: busy(5000) })), undefined)
    expect(waits).toEqual([945, 5250])
    const wrapped = new ToolkitError('failed', 'failed', 'failed', { cause: busy(800) })
    const ignored = Object.assign(new Error('other'), { retryAfterMs: 10 })
    const others = recordingPolicy({ shouldRetry: () => true, maxAttempts: 9, random: () => 0 })
    await others.policy.repeat(failing(wrapped, ignored, 'text', undefined, { cause: busy(5) }), undefined)
    expect(others.waits).toEqual([800, 250, 500, 1000, 2000])
    const long = busy(60_001)
    await expect(policy.repeat(failing(long), undefined)).rejects.toBe(long)
  })

  it('doubles the wait only after failures without a stated one, also where a stated wait is shorter', async () => {
    const { waits, policy } = recordingPolicy({ maxAttempts: 7, random: () => 0 })
    await policy.repeat(failing(busy(100), busy(1), busy(), busy(100), busy(), busy(0)), undefined)
    expect(waits).toEqual([100, 1, 250, 100, 500, 1000])
  })

  it('never waits longer than maxDelayMs, nor shorter than stated', async () => {
    const { waits, policy } = recordingPolicy({ maxAttempts: 12, maxDelayMs: 1000 })
    await policy.repeat(failing(busy(1000), busy(950), ...Array.from({ length: 9 }, () => busy())), undefined)
    expect(waits).toEqual([1000, 1000, 500, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000])
  })

  it('makes three attempts, and waits at most a minute, by default', async () => {
    const { waits, policy } = recordingPolicy()
    const last = busy()
    await expect(policy.repeat(failing(busy(60_000), busy(), last), undefined)).rejects.toBe(last)
    expect(waits).toEqual([60_000, 500])
    const once = recordingPolicy({ maxAttempts: 1 })
    await expect(once.policy.repeat(failing(last), undefined)).rejects.toBe(last)
  })

  it('reports each attempt before its wait', async () => {
    const seen: unknown[] = []
    const policy = new RetryPolicy('here', {
      random: () => 0,
      baseDelayMs: 10,
      onRetry: ({ attempt, delayMs }) => void seen.push(['onRetry', attempt, delayMs]),
      sleep: async (ms) => void seen.push(['sleep', ms]),
    })
    const wait = policy.waits(undefined, ({ attempt, error }) => void seen.push(['notify', attempt, error]))
    const errors = [busy(), busy()]
    for (const error of errors) await wait(error)
    expect(seen).toEqual([
      ['onRetry', 1, 5],
      ['notify', 1, errors[0]],
      ['sleep', 5],
      ['onRetry', 2, 10],
      ['notify', 2, errors[1]],
      ['sleep', 10],
    ])
  })

  it('counts the failures of each piece of work on its own', async () => {
    const { waits, policy } = recordingPolicy()
    await policy.repeat(failing(busy(), busy()), undefined)
    await policy.repeat(failing(busy(), busy()), undefined)
    expect(waits).toEqual([500, 1000, 500, 1000])
  })

  it('does not repeat after the signal has aborted, and an abort ends a wait', async () => {
    const { waits, policy } = recordingPolicy()
    const error = busy()
    await expect(policy.repeat(failing(error), AbortSignal.abort())).rejects.toBe(error)
    expect(waits).toEqual([])
    const controller = new AbortController()
    const run = new RetryPolicy('here', { onRetry: () => queueMicrotask(() => controller.abort('enough')) })
    await expect(run.repeat(failing(busy(30_000)), controller.signal)).rejects.toBe('enough')
  })

  it('throws for options out of range, naming the option', () => {
    expect(() => recordingPolicy({ maxAttempts: 0 })).toThrow(
      'here.maxAttempts: expected an integer of at least 1 or infinity, received 0.',
    )
    expect(() => recordingPolicy({ baseDelayMs: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })
})
