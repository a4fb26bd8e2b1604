import { ModelCallError } from '@x/llm'
import { describe, expect, it } from 'vitest'
import { FnComponent, QueryPipeline, RetryComponent } from './index.ts'

/** Returns a component that throws these errors, one per call, and then returns its input. */
function shaky(...errors: unknown[]) {
  const inputs: unknown[] = []
  const component = new FnComponent({
    fn: ({ x }: { x: unknown }) => {
      inputs.push(x)
      if (errors.length > 0) throw errors.shift()
      return x
    },
    params: { required: ['x'] },
    partial: {},
  })
  return { component, inputs }
}
const busy = () => new ModelCallError('busy', { kind: 'overloaded' })
const quick = { baseDelayMs: 0 }

describe('RetryComponent', () => {
  it('runs a component again if its error is retryable', async () => {
    const { component, inputs } = shaky(busy(), busy())
    const retry = new RetryComponent({ component, ...quick })
    expect([retry.inputKeys, retry.freeReqInputKeys, retry.outputKeys]).toEqual([
      { required: ['x'], optional: [] },
      ['x'],
      ['output'],
    ])
    expect(await retry.runComponent({ x: 1 })).toEqual({ output: 1 })
    expect(inputs).toEqual([1, 1, 1])
  })

  it('throws other errors at once, and the last error after the last attempt', async () => {
    const wrong = new TypeError('wrong')
    const once = shaky(wrong)
    await expect(new RetryComponent({ component: once.component, ...quick }).runComponent({ x: 1 })).rejects.toBe(wrong)
    expect(once.inputs).toHaveLength(1)
    const always = shaky(busy(), busy(), busy())
    const retry = new RetryComponent({ component: always.component, maxAttempts: 2, ...quick })
    await expect(retry.runComponent({ x: 1 })).rejects.toMatchObject({ code: 'model_call' })
    expect(always.inputs).toHaveLength(2)
  })

  it('repeats a nested pipeline whose module failed with a retryable error', async () => {
    const { component, inputs } = shaky(busy())
    const inner = new QueryPipeline({ chain: [component] })
    const pipeline = new QueryPipeline({ chain: [new RetryComponent({ component: inner, ...quick })] })
    expect(await pipeline.run(1)).toBe(1)
    expect(inputs).toHaveLength(2)
  })

  it('passes fixed values, the context, and all pieces of a stream to every attempt', async () => {
    const seen: string[] = []
    const component = new FnComponent({
      fn: async ({ text, end, who }: { text: AsyncIterable<string>; end: string; who: string }) => {
        let found = ''
        for await (const piece of text) found += piece
        seen.push(found + end + who)
        if (seen.length < 2) throw busy()
        return found
      },
      params: { required: ['text', 'end', 'who'] },
      contextKeys: ['who'],
    })
    async function* text() {
      yield 'a'
      yield 'b'
    }
    const retry = new RetryComponent({ component, partial: { end: '!' }, ...quick })
    expect(retry.freeReqInputKeys).toEqual(['text', 'who'])
    expect(await retry.runComponent({ text: text() }, { context: { who: '?' } })).toEqual({ output: 'ab' })
    expect(seen).toEqual(['ab!?', 'ab!?'])
  })

  it('rejects with the reason of the signal', async () => {
    const controller = new AbortController()
    const { component } = shaky(busy())
    const retry = new RetryComponent({ component, baseDelayMs: 60_000, onRetry: () => controller.abort('enough') })
    await expect(retry.runComponent({ x: 1 }, { signal: controller.signal })).rejects.toBe('enough')
  })

  it('throws for options out of range, and for values that are not components', () => {
    const { component } = shaky()
    expect(() => new RetryComponent({ component, maxAttempts: 0 })).toThrow(/^RetryComponent\.maxAttempts/)
    for (const options of [undefined, null, 5, 'x', [], {}, { component: {} }])
      expect(() => new RetryComponent(options as never)).toThrow(expect.objectContaining({ code: 'pipeline_config' }))
  })
})
