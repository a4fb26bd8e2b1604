import { ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { rateLimit, retries, toolLoop } from '../loop.ts'

/** A clock whose sleepers wake in order. */
class Clock {
  time = 0
  private readonly sleepers: { at: number; wake: () => void }[] = []
  readonly now = () => this.time
  readonly sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      this.sleepers.push({ at: this.time + ms, wake: resolve })
      signal?.addEventListener('abort', () => reject(signal.reason))
    })

  readonly options = { now: this.now, sleep: this.sleep }

  /** Lets time pass until `work` is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const end = () => {
      isDone = true
    }
    work.then(end, end)
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      this.sleepers.sort((a, b) => a.at - b.at)
      const next = this.sleepers.shift()
      if (!next) continue
      this.time = Math.max(this.time, next.at)
      next.wake()
    }
    return work
  }
}

/** A model that records when it is asked. */
function timedModel(clock: Clock, { tokens = 0, fails = () => undefined as Error | undefined } = {}) {
  const times: number[] = []
  const llm = {
    metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
    async chat() {
      times.push(clock.time)
      const error = fails()
      if (error) throw error
      const usage = { input_tokens: tokens, output_tokens: 0 }
      const message = new ChatMessage({ role: 'assistant', content: 'ok' })
      return new ChatResponse({ message, ...(tokens && { additionalKwargs: { usage } }) })
    },
  } as never
  return { llm, times }
}

const runs = (count: number, run: (i: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)))

/** The most starts within any 60 seconds. */
function densest(times: readonly number[]): number {
  return Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length))
}

describe('rateLimit', () => {
  it('starts at most requestsPerMinute requests of all agents within any minute', async () => {
    const clock = new Clock()
    const { llm, times } = timedModel(clock)
    const limit = rateLimit({ requestsPerMinute: 3, ...clock.options })
    const agent = () => FunctionCallingAgent.fromTools({ llm, layers: [limit] })
    const loop = toolLoop({ llm, layers: [limit] })
    await clock.run(runs(10, (i) => (i % 2 === 0 ? loop.run('Hi') : agent().chat('Hi'))))
    expect(times).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000, 120_000, 180_000])
    expect(densest(times)).toBe(3)
  })

  it('counts the tokens that the model reports', async () => {
    const clock = new Clock()
    const { llm, times } = timedModel(clock, { tokens: 400 })
    const loop = toolLoop({ llm, layers: [rateLimit({ tokensPerMinute: 1000, ...clock.options })] })
    const inTurn = async () => {
      for (let i = 0; i < 6; i++) await loop.run('Hi')
    }
    await clock.run(inTurn())
    expect(times).toEqual([0, 0, 0, 60_000, 60_000, 60_000])
  })

  it('lets a request through that is larger than the limit, alone', async () => {
    const clock = new Clock()
    const { llm, times } = timedModel(clock, { tokens: 5000 })
    const loop = toolLoop({ llm, layers: [rateLimit({ tokensPerMinute: 10, ...clock.options })] })
    await clock.run(runs(2, () => loop.run('x '.repeat(100))))
    expect(times).toEqual([0, 60_000])
  })

  it.each([
    [7000, [0, 7000, 7000]],
    // A longer delay is an error of the call that was refused.
    [3_600_000, [0, 100]],
    [Number.POSITIVE_INFINITY, [0, 100]],
  ])('makes all wait after a refusal with a delay of %d ms, if it is at most a minute', async (retryAfterMs, asked) => {
    const clock = new Clock()
    let refusals = 1
    const fails = () => (refusals-- > 0 ? new ModelCallError('busy', { kind: 'rate_limit', retryAfterMs }) : undefined)
    const { llm, times } = timedModel(clock, { fails })
    const limit = rateLimit({ ...clock.options })
    const first = toolLoop({ llm, layers: [limit, retries({ random: () => 0, sleep: clock.sleep })] })
    const other = toolLoop({ llm, layers: [limit] })
    const late = async () => {
      await clock.sleep(100)
      return other.run('Hi')
    }
    await clock.run(Promise.allSettled([first.run('Hi'), late()]))
    expect(times).toEqual(asked)
  })

  it('runs at most concurrentRequests requests at the same time, also after failures', async () => {
    let running = 0
    let most = 0
    let asked = 0
    const llm = {
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
      async chat() {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 1))
        running--
        if (asked++ % 3 === 0) throw new ModelCallError('busy', { kind: 'overloaded' })
        return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: 'ok' }) })
      },
    } as never
    const loop = toolLoop({
      llm,
      layers: [rateLimit({ concurrentRequests: 4 }), retries({ baseDelayMs: 0, maxAttempts: 9 })],
    })
    const answers = await runs(40, async () => (await loop.run('Hi')).text)
    expect(answers).toEqual(Array(40).fill('ok'))
    expect(most).toBe(4)
  })

  it('stops waiting when a run is cancelled, and lets the next one start', async () => {
    const clock = new Clock()
    const { llm, times } = timedModel(clock)
    const loop = toolLoop({ llm, layers: [rateLimit({ requestsPerMinute: 1, ...clock.options })] })
    await loop.run('Hi')
    const controller = new AbortController()
    const cancelled = loop.run('Hi', { signal: controller.signal })
    const next = loop.run('Hi')
    controller.abort(new Error('enough'))
    await expect(cancelled).rejects.toThrow('enough')
    await clock.run(next)
    expect(times).toEqual([0, 60_000])
  })

  it('lets the next one start when a run is cancelled that waits for the end of another one', async () => {
    const ends: (() => void)[] = []
    const llm = {
      metadata: new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true }),
      async chat() {
        await new Promise<void>((resolve) => ends.push(resolve))
        return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: 'ok' }) })
      },
    } as never
    const loop = toolLoop({ llm, layers: [rateLimit({ concurrentRequests: 1 })] })
    const controller = new AbortController()
    const first = loop.run('1')
    const cancelled = loop.run('2', { signal: controller.signal })
    const last = loop.run('3')
    await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('enough'))
    await expect(cancelled).rejects.toThrow('enough')
    expect(ends).toHaveLength(1)
    ends[0]!()
    await first
    await new Promise((resolve) => setTimeout(resolve, 5))
    ends[1]!()
    expect((await last).text).toBe('ok')
  })

  it.each([[{ requestsPerMinute: 0 }], [{ tokensPerMinute: 1.5 }], [{ rpm: 5 }]])('refuses %j', (options) => {
    expect(() => rateLimit(options as never)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})
