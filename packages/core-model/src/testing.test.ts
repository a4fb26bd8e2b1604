import { describe, expect, it } from 'vitest'
import { CallbackManager } from './callbacks/callback-manager.ts'
import { TextNode } from './nodes/text-node.ts'
import { MapDocumentStore, RecordingCallbackHandler } from './testing.ts'

describe('MapDocumentStore', () => {
  const [a, b] = [new TextNode({ id: 'a' }), new TextNode({ id: 'b' })]
  const store = new MapDocumentStore([a, b])

  it('returns nodes by id, in the order of the ids', async () => {
    expect(await store.getNode('a')).toBe(a)
    expect(await store.getNodes(['b', 'a', 'b'])).toEqual([b, a, b])
  })

  it('throws for a missing id unless raiseError is false', async () => {
    await expect(store.getNode('x')).rejects.toMatchObject({
      code: 'unexpected_call',
      message: 'MapDocumentStore: there is no node "x".',
    })
    await expect(store.getNodes(['a', 'x'])).rejects.toMatchObject({ code: 'unexpected_call' })
    expect(await store.getNode('x', { raiseError: false })).toBeNull()
    expect(await store.getNodes(['x', 'a'], { raiseError: false })).toEqual([a])
  })
})

describe('RecordingCallbackHandler', () => {
  it('records events and traces in order, and summarizes them', async () => {
    const handler = new RecordingCallbackHandler({ ignoreEnds: ['llm'] })
    await new CallbackManager([handler]).asTrace(
      't',
      (): Promise<number> => new CallbackManager([handler]).event('llm', { b: 1, a: 2 }, () => 1),
    )
    expect(handler.events.map(({ phase }) => phase)).toEqual(['start_trace', 'start', 'end_trace'])
    expect(handler.summary()).toEqual([['start', 'llm', ['a', 'b']]])
  })
})
