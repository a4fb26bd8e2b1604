import { describe, expect, it, vi } from 'vitest'
import { CallbackManager } from '../callbacks/callback-manager.ts'
import { DefinedComponent, type QueryComponentDefinition } from './query-component.ts'

const adder = (own: Partial<QueryComponentDefinition> = {}) =>
  new DefinedComponent({
    name: 'Adder',
    inputKeys: () => ({ required: ['a', 'b'], optional: ['c'] }),
    outputKeys: ['sum'],
    run: ({ a, b, c = 0 }) => ({ sum: Number(a) + Number(b) + Number(c) }),
    ...own,
  })

describe('QueryComponent', () => {
  it('runs on its inputs', async () => {
    expect(await adder().runComponent({ a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await adder().runComponent({ a: 1, b: 2, c: 3 })).toEqual({ sum: 6 })
  })

  it('prefers partial inputs, even after several partial calls', async () => {
    const step = adder({ partial: { a: 10 } })
    step.partial({ b: 20 })
    expect(step.freeReqInputKeys).toEqual([])
    expect(step.partialInputs).toEqual({ a: 10, b: 20 })
    expect(await step.runComponent({ a: 1 })).toEqual({ sum: 30 })
    expect(adder({ partial: { a: 1 } }).freeReqInputKeys).toEqual(['b'])
  })

  it('refuses inputs set in advance, and options, that are no objects', async () => {
    for (const wrong of ['text', 5, [], Promise.resolve({})] as never[]) {
      expect(() => adder({ partial: wrong })).toThrow('partial.values: expected an object, received')
      expect(() => adder().partial(wrong)).toThrow('partial.values: expected an object, received')
    }
    await expect(adder().runComponent({ a: 1, b: 2 }, null as never)).rejects.toThrow(
      'runComponent.options: expected an object, received null',
    )
  })

  it('names missing and unknown inputs before it runs', async () => {
    const run = vi.fn()
    const step = adder({ run })
    await expect(step.runComponent({ c: 1 })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['a', 'b'],
      message: 'Adder: missing input a, b.',
    })
    await expect(step.runComponent({ a: 1, b: 2, d: 3, toString: 4 })).rejects.toMatchObject({
      code: 'component_input',
      keys: ['d', 'toString'],
      message: 'Adder: unknown input d, toString; it takes a, b, c.',
    })
    await expect(adder({ inputKeys: () => ({ required: [], optional: [] }) }).runComponent({ x: 1 })).rejects.toThrow(
      'it takes none',
    )
    expect(run).not.toHaveBeenCalled()
  })

  it('accepts null, 0 and an empty string as inputs', async () => {
    expect(await adder().runComponent({ a: 0, b: '' })).toEqual({ sum: 0 })
    expect(await adder().runComponent({ a: null, b: 1 })).toEqual({ sum: 1 })
  })

  it('prepares inputs before the run, and passes the options to it', async () => {
    const run = vi.fn(async () => ({ sum: 1 }))
    const signal = new AbortController().signal
    await adder({ prepare: ({ a }) => ({ a: `${a}!` }), run }).runComponent({ a: 1, b: 2 }, { signal })
    expect(run).toHaveBeenCalledWith({ a: '1!' }, { signal })
  })

  it('returns exactly the declared outputs', async () => {
    for (const outputs of [{}, { other: 1 }, { sum: 1, other: 2 }, null as never])
      await expect(adder({ run: () => outputs }).runComponent({ a: 1, b: 2 })).rejects.toMatchObject({
        code: 'component_output',
      })
  })

  it('passes a callback manager to the component inside', () => {
    const setCallbackManager = vi.fn()
    const manager = new CallbackManager()
    adder({ setCallbackManager }).setCallbackManager(manager)
    adder().setCallbackManager(manager)
    expect(setCallbackManager).toHaveBeenCalledWith(manager)
  })
})
