import { FunctionCallingAgent, FunctionTool } from '@x/agents'
import type { Layer } from '@x/agents/loop'
import { ConfigurationError } from '@x/core-model'
import { InMemoryKeyValueStore, type KeyValueStore } from '@x/storage'
import { afterEach, expect, it, vi } from 'vitest'
import { calls, model, type Wanted } from '../test/model.ts'
import { files, longTermMemory, offload, StoredFiles, steer, UserMemory } from './index.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A store of which every second call fails, from the first one. */
function failing(error: unknown) {
  let count = 0
  const store = new Proxy<KeyValueStore>(new InMemoryKeyValueStore(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (count++ % 2 === 0) throw error
        return value.apply(target, args)
      }
    },
  })
  return { store, count: () => count }
}

const long = FunctionTool.fromDefaults({ name: 'long', schema: {}, fn: () => 'long '.repeat(100) })

const layers: [string, (store: KeyValueStore) => Layer, Wanted][] = [
  ['files', files, ['write_file', { path: 'a', content: 'b' }]],
  ['longTermMemory', (store) => longTermMemory(store, { user: () => 'ann' }), ['remember', { fact: 'Tea.' }]],
  ['offload', (store) => offload(store, { above: 10 }), ['long', {}]],
  ['steer', steer, ['long', {}]],
]

it.each(layers)('%s repeats what fails in its store', async (_name, make, call) => {
  const { store, count } = failing(new Error('connection reset'))
  const llm = model(calls(call), 'Done.')
  const { response, sources } = await FunctionCallingAgent.fromTools({
    llm,
    tools: [long],
    layers: [make(store)],
  }).chat('Go.')
  expect([response, sources.map(({ isError }) => isError)]).toEqual(['Done.', [false]])
  expect(count()).toBeGreaterThanOrEqual(2)
})

it('an error that lasts is thrown after four repetitions, within two seconds', async () => {
  vi.useFakeTimers()
  const store = new InMemoryKeyValueStore()
  const error = new Error('connection reset')
  const getAll = vi.spyOn(store, 'getAll').mockRejectedValue(error)
  const thrown = steer(store)
    .unread('t')
    .catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(1499)
  expect(getAll).toHaveBeenCalledTimes(4)
  await vi.advanceTimersByTimeAsync(1)
  expect([await thrown, getAll.mock.calls.length]).toEqual([error, 5])
})

it('an error that will not end is thrown at once', async () => {
  const { store, count } = failing(new ConfigurationError('no table'))
  await expect(steer(store).unread('t')).rejects.toMatchObject({ code: 'configuration' })
  expect(count()).toBe(1)
})

it.each<[string, (store: KeyValueStore) => unknown]>([
  ...layers.map(([name, make]): [string, typeof make] => [name, make]),
  ['UserMemory', (store) => new UserMemory(store, 'ann')],
])('%s refuses a value that is no store', (name, make) => {
  for (const wrong of [undefined, null, {}, 'text'])
    expect(() => make(wrong as never)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        message: expect.stringContaining(`${name}.store: expected a store`),
      }),
    )
})

const rows = new InMemoryKeyValueStore()
const memory = new UserMemory(rows, 'ann')

it.each<[string, () => unknown]>([
  ['steer.nows: unknown option; did you mean now?', () => steer(rows, { nows: Date.now } as never)],
  ['UserMemory.embd: unknown option; did you mean embed?', () => new UserMemory(rows, 'ann', { embd: 1 } as never)],
  ['UserMemory.add.text: expected a string', () => memory.add(5 as never)],
  [
    'UserMemory.add.untrustd: unknown option; did you mean untrusted?',
    () => memory.add('tea', { untrustd: true } as never),
  ],
  ['UserMemory.recall.query: expected a string', () => memory.recall(null as never)],
  ['UserMemory.recall.limit: expected an integer', () => memory.recall('tea', Number.NaN)],
  ['StoredFiles.path: expected a string', () => new StoredFiles(rows, 'ann').read(undefined as never)],
])('throws "%s"', async (message, call) => {
  await expect(async () => call()).rejects.toMatchObject({
    code: 'model_validation',
    message: expect.stringContaining(message),
  })
})
