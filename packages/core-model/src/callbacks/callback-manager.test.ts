/// <reference types="node" />
import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it, vi } from 'vitest'
import { RecordingCallbackHandler } from '../testing/recording-callback-handler.ts'
import type { CallbackHandler } from './callback-handler.ts'
import { eventTypes, leafEventTypes } from './callback-handler.ts'
import { CallbackManager, type CallbackManagerOptions, insideEvent, withEvent, withTrace } from './callback-manager.ts'

/** A manager with ids e1, e2 … and the events that its handler received. */
function recorded(options: CallbackManagerOptions = {}) {
  const handler = new RecordingCallbackHandler()
  let count = 0
  return { handler, manager: new CallbackManager([handler], { newId: () => `e${++count}`, ...options }) }
}

/** `type parent` of each start. */
const starts = ({ events }: RecordingCallbackHandler) =>
  events.flatMap((event) => (event.phase === 'start' ? [`${event.type} ${event.id} < ${event.parent}`] : []))
/** id and payload of each end. */
const ends = ({ events }: RecordingCallbackHandler) =>
  events.flatMap((event) => (event.phase === 'end' ? [[event.id, event.payload]] : []))

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await null
}

describe('the constructor', () => {
  it('refuses options that it does not have, and those of another type', () => {
    expect(() => new CallbackManager(5 as never)).toThrow('CallbackManager: expected an array of handlers')
    const refused = { code: 'model_validation' }
    expect(() => new CallbackManager([], { onError: () => {} } as object)).toThrow(expect.objectContaining(refused))
    expect(() => new CallbackManager([], { newId: 'a' as never })).toThrow(expect.objectContaining(refused))
  })
})

describe('event', () => {
  it('reports start and end with the same id, and returns the result', async () => {
    const { manager, handler } = recorded()
    expect(
      await manager.event('query', { query_str: 'q' }, (event) => {
        event.end({ response: 1 })
        event.end({ response: 2 })
        return event.id + event.type
      }),
    ).toBe('e1query')
    expect(handler.events).toEqual([
      { phase: 'start', type: 'query', payload: { query_str: 'q' }, id: 'e1', parent: 'root' },
      { phase: 'end', type: 'query', payload: { response: 1 }, id: 'e1' },
    ])
  })

  it('ends with null without a payload', async () => {
    const { manager, handler } = recorded()
    await manager.event('query', null, () => 0)
    expect(handler.events.map((event) => 'payload' in event && event.payload)).toEqual([null, null])
  })

  it('makes the innermost open event the parent', async () => {
    const { manager, handler } = recorded()
    await manager.event('query', null, async () => {
      await manager.event('retrieve', null, () => manager.event('embedding', null, () => 0))
      await manager.event('synthesize', null, () => 0)
    })
    await manager.event('tree', null, () => 0)
    expect(starts(handler)).toEqual([
      'query e1 < root',
      'retrieve e2 < e1',
      'embedding e3 < e2',
      'synthesize e4 < e1',
      'tree e5 < root',
    ])
  })

  it.each(leafEventTypes)('never uses %s as a parent', async (leaf) => {
    const { manager, handler } = recorded()
    await manager.event('query', null, () => manager.event(leaf, null, () => manager.event('tree', null, () => 0)))
    await manager.event(leaf, null, () => manager.event('tree', null, () => 0))
    expect(starts(handler)).toEqual([
      'query e1 < root',
      `${leaf} e2 < e1`,
      'tree e3 < e1',
      `${leaf} e4 < root`,
      'tree e5 < root',
    ])
  })

  it('keeps the events of two interleaved operations separate', async () => {
    const { manager, handler } = recorded()
    const operation = (type: 'query' | 'agent_step', wait: number) =>
      manager.event(type, null, async () => {
        for (let step = 0; step < 3; step++) {
          await turns(wait)
          await manager.event('llm', null, () => turns(wait))
        }
      })
    await Promise.all([operation('query', 1), operation('agent_step', 2)])
    const [query, step] = ['query', 'agent_step'].map(
      (type) => /e\d/.exec(starts(handler).find((start) => start.startsWith(type))!)![0],
    )
    const parents = starts(handler)
      .filter((start) => start.startsWith('llm'))
      .map((start) => start.split('< ')[1])
    expect(parents.filter((parent) => parent === query)).toHaveLength(3)
    expect(parents.filter((parent) => parent === step)).toHaveLength(3)
    expect(parents.join()).not.toBe([...parents].sort().join())
  })

  it('uses the parentId in the options', async () => {
    const { manager, handler } = recorded()
    await manager.event('query', null, () => manager.event('llm', null, () => 0, { parentId: 'mine' }))
    expect(starts(handler)[1]).toBe('llm e2 < mine')
  })

  it('creates the payload only if there are handlers', async () => {
    const payload = vi.fn(() => ({ a: 1 }))
    expect(await new CallbackManager().event('query', payload, () => 1)).toBe(1)
    expect(payload).not.toHaveBeenCalled()
    const { manager, handler } = recorded()
    await manager.event('query', payload, () => 1)
    expect(handler.events[0]).toMatchObject({ payload: { a: 1 } })
  })

  it('creates no id and no async context without handlers', async () => {
    const newId = vi.fn(() => 'x')
    const getBuiltinModule = vi.fn()
    const manager = new CallbackManager([], { newId, platform: { process: { getBuiltinModule } } })
    expect(await manager.event('query', null, ({ id }) => manager.asTrace('t', () => id))).toBe('root')
    expect(manager.startEvent('llm').id).toBe('root')
    expect(newId).not.toHaveBeenCalled()
    expect(getBuiltinModule).not.toHaveBeenCalled()
  })
})

describe('startEvent', () => {
  it('makes the event the parent of all events that start inside its run, even later, and of no others', async () => {
    const { manager, handler } = recorded()
    const event = manager.startEvent('query')
    const inside = event.run(async () => {
      await turns(2)
      await manager.event('llm', null, () => 0)
      return 'r'
    })
    manager.startEvent('tree')
    expect(await inside).toBe('r')
    expect(starts(handler)).toEqual(['query e1 < root', 'tree e2 < root', 'llm e3 < e1'])
  })

  it('reports the error passed to fail, unless an inner event did; outer events do not repeat it', async () => {
    const { manager, handler } = recorded()
    const error = new Error('down')
    const byHand = (fn: () => unknown) =>
      manager.event('query', null, async () => {
        const event = manager.startEvent('function_call')
        try {
          await event.run(fn)
        } catch (error) {
          event.fail(error)
          event.fail(error)
          throw error
        }
      })
    await expect(byHand(() => Promise.reject(error))).rejects.toBe(error)
    await expect(byHand(() => manager.event('llm', null, () => Promise.reject(error)))).rejects.toBe(error)
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', null],
      ['e5', { exception: error }],
      ['e4', null],
      ['e3', null],
    ])
  })

  it('reports an error in each of several sibling events', () => {
    const { manager, handler } = recorded()
    const error = new Error('down')
    for (let i = 0; i < 2; i++) manager.startEvent('query').fail(error)
    expect(ends(handler)).toEqual([
      ['e1', { exception: error }],
      ['e2', { exception: error }],
    ])
  })

  it('only runs the work without handlers', () => {
    const event = new CallbackManager().startEvent('query')
    expect(event.run(() => 1)).toBe(1)
    event.fail(new Error('x'))
  })
})

describe('an error', () => {
  const error = new Error('down')
  const fail = () => Promise.reject(error)

  it('is reported by the innermost event only, and is rethrown', async () => {
    const { manager, handler } = recorded()
    await expect(
      manager.event('query', null, () => manager.event('retrieve', null, () => manager.event('llm', null, fail))),
    ).rejects.toBe(error)
    expect(ends(handler)).toEqual([
      ['e3', { exception: error }],
      ['e2', null],
      ['e1', null],
    ])
  })

  it('inside a leaf event is reported once', async () => {
    const { manager, handler } = recorded()
    await expect(manager.event('llm', null, () => manager.event('llm', null, fail))).rejects.toBe(error)
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', null],
    ])
  })

  it('is not reported again by outer events after it was passed to fail', async () => {
    const { manager, handler } = recorded()
    const byHand = () => {
      manager.startEvent('llm').end({ exception: error })
      throw error
    }
    await expect(manager.event('query', null, byHand)).rejects.toBe(error)
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', null],
    ])
  })

  it('is reported by each operation that shares it, such as the reason of an abort', async () => {
    const { manager, handler } = recorded()
    const operation = () =>
      manager.event('query', null, () =>
        manager.event('llm', null, async () => {
          await turns(2)
          throw error
        }),
      )
    await Promise.allSettled([operation(), operation()])
    await operation().catch(() => {})
    expect(ends(handler).filter(([, payload]) => payload !== null)).toHaveLength(3)
    expect(ends(handler)).toHaveLength(6)
  })

  it('is reported again if a second attempt throws it', async () => {
    const { manager, handler } = recorded()
    await manager.event('query', null, async () => {
      await manager.event('llm', null, fail).catch(() => {})
      await manager.event('llm', null, fail).catch(() => {})
    })
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e3', { exception: error }],
      ['e1', null],
    ])
  })

  it('is reported by the event that threw it if it replaces another error', async () => {
    const { manager, handler } = recorded()
    const other = new Error('other')
    const replace = () => manager.event('llm', null, fail).catch(() => Promise.reject(other))
    await expect(manager.event('query', null, replace)).rejects.toBe(other)
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', { exception: other }],
    ])
  })

  it('may be any thrown value', async () => {
    const { manager, handler } = recorded()
    await expect(manager.event('llm', null, () => Promise.reject('text'))).rejects.toBe('text')
    await expect(manager.event('llm', null, () => Promise.reject(null))).rejects.toBe(null)
    expect(ends(handler)).toEqual([
      ['e1', { exception: 'text' }],
      ['e2', { exception: null }],
    ])
  })
})

describe('asTrace', () => {
  it('reports only the outermost trace, with the children of each event', async () => {
    const { manager, handler } = recorded()
    const result = await manager.asTrace('outer', () =>
      manager.asTrace('inner', () => manager.event('query', null, () => manager.event('llm', null, () => 'r'))),
    )
    expect(result).toBe('r')
    const [first, ...rest] = handler.events
    expect(first).toEqual({ phase: 'start_trace', trace: 'outer' })
    expect(rest.at(-1)).toEqual({ phase: 'end_trace', trace: 'outer', traceMap: { root: ['e1'], e1: ['e2'] } })
    expect(rest.filter(({ phase }) => phase.endsWith('trace'))).toHaveLength(1)
  })

  it('can be combined with an event, with the same result', async () => {
    const [apart, together] = [recorded(), recorded()]
    const error = new Error('x')
    const run = async (
      { manager }: typeof apart,
      inTrace: (fn: () => unknown, type: 'query' | 'llm', trace: string) => Promise<unknown>,
    ) => {
      const leaf = () => inTrace(() => 'r', 'llm', 'inner')
      expect(await inTrace(leaf, 'query', 'outer')).toBe('r')
      expect(await manager.event('tree', null, leaf)).toBe('r')
      await expect(inTrace(() => Promise.reject(error), 'query', 'failing')).rejects.toBe(error)
    }
    const unreported = () => {
      throw error
    }
    for (const { manager } of [apart, together]) {
      const failing =
        manager === apart.manager
          ? manager.asTrace('unreported', () => manager.event('query', unreported, () => 1))
          : manager.event('query', unreported, () => 1, { trace: 'unreported' })
      await expect(failing).rejects.toBe(error)
    }
    await run(apart, (fn, type, trace) => apart.manager.asTrace(trace, () => apart.manager.event(type, null, fn)))
    await run(together, (fn, type, trace) => together.manager.event(type, null, fn, { trace }))
    expect(together.handler.events).toEqual(apart.handler.events)
    expect(together.handler.events.filter(({ phase }) => phase === 'start_trace')).toHaveLength(4)
    expect(await new CallbackManager().event('query', null, () => 1, { trace: 'quiet' })).toBe(1)
  })

  it('keeps the maps of two traces separate', async () => {
    const { manager, handler } = recorded()
    const trace = (id: string) =>
      manager.asTrace(id, async () => {
        await turns(1)
        await manager.event('llm', null, () => turns(2))
      })
    await Promise.all([trace('a'), trace('b')])
    const maps = handler.events.flatMap((event) => (event.phase === 'end_trace' ? [event.traceMap] : []))
    expect(maps.map((map) => map['root']?.length)).toEqual([1, 1])
  })

  it('emits one exception event in the innermost trace for an error that no event has reported', async () => {
    const { manager, handler } = recorded()
    const error = new Error('x')
    await expect(manager.asTrace('a', () => manager.asTrace('b', () => Promise.reject(error)))).rejects.toBe(error)
    expect(handler.events.filter((event) => event.phase === 'start')).toEqual([
      { phase: 'start', type: 'exception', payload: { exception: error }, id: 'e1', parent: 'root' },
    ])
    expect(handler.events.at(-1)).toMatchObject({ phase: 'end_trace', trace: 'a' })
  })

  it('does not report an error that an inner event has reported, neither in the trace nor in an outer event', async () => {
    const { manager, handler } = recorded()
    const error = new Error('x')
    await expect(
      manager.event('query', null, () =>
        manager.asTrace('a', () => manager.event('llm', null, () => Promise.reject(error))),
      ),
    ).rejects.toBe(error)
    expect(starts(handler).some((start) => start.startsWith('exception'))).toBe(false)
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', null],
    ])
  })
})

describe('handlers', () => {
  it('may ignore types separately for start and end', async () => {
    const handler = new RecordingCallbackHandler({ ignoreStarts: ['llm'], ignoreEnds: ['query'] })
    const manager = new CallbackManager([handler])
    await manager.event('query', null, () => manager.event('llm', null, () => 0))
    expect(handler.summary().map(([phase, type]) => [phase, type])).toEqual([
      ['start', 'query'],
      ['end', 'llm'],
    ])
  })

  it('are reported once if they throw, and do not affect the work', async () => {
    const onHandlerError = vi.fn()
    const bad: CallbackHandler = {
      onEventStart() {
        throw new Error('start')
      },
      onEventEnd() {
        throw new Error('end')
      },
      startTrace() {
        throw new Error('trace')
      },
    }
    const { handler } = recorded()
    const manager = new CallbackManager([bad, handler], { onHandlerError })
    expect(await manager.asTrace('t', () => manager.event('query', null, () => 1))).toBe(1)
    expect(onHandlerError.mock.calls).toEqual([[expect.objectContaining({ message: 'trace' }), bad]])
    expect(handler.events).toHaveLength(4)
  })

  it('are reported once if their promises reject, and do not affect the work', async () => {
    const onHandlerError = vi.fn()
    const bad = {
      onEventStart: async () => Promise.reject(new Error('start')),
      onEventEnd: async () => Promise.reject(new Error('end')),
    }
    const manager = new CallbackManager([bad as never], { onHandlerError })
    expect(await manager.event('query', null, () => 1)).toBe(1)
    await expect.poll(() => onHandlerError.mock.calls).toEqual([[expect.objectContaining({ message: 'start' }), bad]])
  })

  it('are reported like uncaught errors by default if they throw', () => {
    const bad = {
      onEventStart() {
        throw 'text'
      },
    }
    const reportError = vi.fn()
    new CallbackManager([bad], { platform: { reportError } }).startEvent('llm')
    expect(reportError).toHaveBeenCalledWith('text')
    const emitWarning = vi.fn()
    new CallbackManager([bad], { platform: { process: { emitWarning } } }).startEvent('llm')
    expect(emitWarning).toHaveBeenCalledWith('text')
    const refuse = () => {
      throw new Error('process.emitWarning is not supported in the Edge Runtime')
    }
    new CallbackManager([bad], { platform: { process: { emitWarning: refuse } } }).startEvent('llm')
    expect(new CallbackManager([bad], { platform: {} }).startEvent('llm').type).toBe('llm')
  })

  it('are notified in order, and may be added, removed and replaced', () => {
    const log: string[] = []
    const named = (name: string): CallbackHandler => ({ onEventStart: () => void log.push(name) })
    const [a, b, c] = [named('a'), named('b'), named('c')]
    const manager = new CallbackManager([a!])
    manager.addHandler(b!)
    manager.startEvent('llm')
    manager.removeHandler(a!)
    manager.removeHandler(c!)
    manager.startEvent('llm')
    manager.setHandlers([c!, a!])
    manager.startEvent('llm')
    expect(log.join('')).toBe('abbca')
    expect(manager.handlers).toEqual([c, a])
  })
})

describe('several managers', () => {
  it('share one async context of the platform, which would keep one per manager for ever', async () => {
    let made = 0
    class Counted<T> extends AsyncLocalStorage<T> {
      constructor() {
        super()
        made++
      }
    }
    const platform = { process: { getBuiltinModule: () => ({ AsyncLocalStorage: Counted }) } }
    for (let i = 0; i < 5; i++) {
      const { manager, handler } = recorded({ platform })
      await manager.event('query', null, () => manager.event('llm', null, () => 0))
      expect(starts(handler)).toEqual(['query e1 < root', 'llm e2 < e1'])
    }
    expect(made).toBe(1)
  })

  it('have their own parents inside of one another', async () => {
    const [a, b] = [recorded(), recorded()]
    await a.manager.event('query', null, () =>
      b.manager.event('tree', null, async () => {
        await turns(2)
        await a.manager.event('retrieve', null, () => b.manager.event('embedding', null, () => 0))
      }),
    )
    expect(starts(a.handler)).toEqual(['query e1 < root', 'retrieve e2 < e1'])
    expect(starts(b.handler)).toEqual(['tree e1 < root', 'embedding e2 < e1'])
  })
})

describe('without async context', () => {
  it.each([
    ['because the platform does not support it', { getBuiltinModule: undefined }],
    [
      'because the platform refuses built-in modules',
      {
        get getBuiltinModule(): never {
          throw new Error(
            'A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime.',
          )
        },
      },
    ],
  ])('parents are passed as parentId, and everything else works as usual, %s', async (_, process) => {
    const { manager, handler } = recorded({ platform: { process } })
    const error = new Error('x')
    await expect(
      manager.asTrace('t', () =>
        manager.event('query', null, ({ id }) =>
          manager.event('llm', null, () => Promise.reject(error), { parentId: id }),
        ),
      ),
    ).rejects.toBe(error)
    expect(starts(handler)).toEqual(['query e1 < root', 'llm e2 < e1'])
    expect(ends(handler)).toEqual([
      ['e2', { exception: error }],
      ['e1', null],
    ])
    await manager.event('query', null, () => manager.event('tree', null, () => 0))
    expect(starts(handler).at(-1)).toBe('tree e4 < root')
  })

  it('nested traces and events belong to the trace of their parent event', async () => {
    const { manager, handler } = recorded({ platform: {} })
    const inner = (parentId: string) =>
      manager.asTrace(
        'inner',
        (options) => {
          const event = manager.startEvent('agent_step', null, options)
          manager.startEvent('llm', null, { parentId: event.id }).end()
          event.end()
        },
        { parentId },
      )
    const outer = (name: string) =>
      manager.asTrace(name, async (options) => {
        const event = manager.startEvent('query', null, options)
        await inner(event.id)
        await manager.event('retrieve', null, () => 0, { trace: 'query', parentId: event.id })
        event.end()
        // The event is over, so this is a separate trace.
        await inner(event.id)
      })
    await outer('a')
    const traces = handler.events.flatMap((event) => ('trace' in event ? [event] : []))
    expect(traces.map(({ phase, trace }) => `${phase} ${trace}`)).toEqual([
      'start_trace a',
      'start_trace inner',
      'end_trace inner',
      'end_trace a',
    ])
    expect(traces[3]).toMatchObject({ traceMap: { root: ['e1'], e1: ['e2', 'e4'], e2: ['e3'] } })
  })

  it('concurrent traces do not mix', async () => {
    const { manager, handler } = recorded({ platform: {} })
    const run = (name: string) =>
      manager.asTrace(name, async (options) => {
        const event = manager.startEvent('query', null, options)
        await null
        manager.startEvent('llm', null, { parentId: event.id }).end()
        event.end()
      })
    await Promise.all([run('a'), run('b')])
    const maps = handler.events.flatMap((event) => (event.phase === 'end_trace' ? [event.traceMap] : []))
    expect(maps).toEqual([
      { root: ['e1'], e1: ['e3'] },
      { root: ['e2'], e2: ['e4'] },
    ])
  })
})

describe('withEvent and withTrace', () => {
  it('only run the work without a manager', async () => {
    expect(await withEvent(null, 'llm', null, ({ id }) => id)).toBe('root')
    expect(await withTrace(undefined, 't', () => 2)).toBe(2)
  })

  it('use the manager if there is one', async () => {
    const { manager, handler } = recorded()
    expect(await withTrace(manager, 't', () => withEvent(manager, 'llm', { a: 1 }, () => 3, { parentId: 'p' }))).toBe(3)
    expect(handler.events.map(({ phase }) => phase)).toEqual(['start_trace', 'start', 'end', 'end_trace'])
    expect(starts(handler)).toEqual(['llm e1 < p'])
  })
})

it('rejects with what onHandlerError throws at the start of a trace', async () => {
  const startTrace = () => {
    throw new Error('full')
  }
  const onHandlerError = (error: unknown) => {
    throw error
  }
  const manager = () => new CallbackManager([{ startTrace }], { onHandlerError })
  const run = async (fn: () => Promise<unknown>) => fn().catch(({ message }) => `rejects: ${message}`)
  expect(await run(() => manager().event('query', null, () => 1, { trace: 't' }))).toBe('rejects: full')
  expect(await run(() => manager().asTrace('t', () => 1))).toBe('rejects: full')
})

it('eventTypes contains the kinds of the specification and task_step', () => {
  expect(eventTypes.join()).toBe(
    'chunking,node_parsing,embedding,llm,query,retrieve,synthesize,tree,sub_question,templating,function_call,reranking,exception,agent_step,task_step',
  )
})

it('insideEvent makes the event the parent, unless the manager has no handlers', () => {
  const { manager } = recorded()
  expect(insideEvent(manager.startEvent('query'), { parentId: 'outer', signal: 1 })).toEqual({
    parentId: 'e1',
    signal: 1,
  })
  const silent = new CallbackManager().startEvent('query')
  expect(insideEvent(silent, { parentId: 'outer' })).toEqual({ parentId: 'outer' })
})

describe('the outcome of an event', () => {
  it('is "failed" for every event that an error passes through, also if the payload is null', async () => {
    const outcomes: [string, unknown, boolean][] = []
    const manager = new CallbackManager([
      { onEventEnd: (type, payload, _id, { failed }) => void outcomes.push([type, payload, failed]) },
    ])
    const error = new Error('down')
    const failing = manager.event('query', null, () => manager.event('llm', null, () => Promise.reject(error)))
    await expect(failing).rejects.toBe(error)
    await manager.event('query', null, () => 1)
    manager.startEvent('tree').end({ exception: error })
    expect(outcomes).toEqual([
      ['llm', { exception: error }, true],
      ['query', null, true],
      ['query', null, false],
      ['tree', { exception: error }, true],
    ])
  })
})

describe('runInside of a handler', () => {
  const inside: string[] = []
  const context = (name: string): CallbackHandler => ({
    runInside(_id, work) {
      inside.push(name)
      try {
        return work()
      } finally {
        inside.pop()
      }
    },
  })

  it('wraps the work of an event in the contexts of all handlers, the first handler outermost', async () => {
    const manager = new CallbackManager([context('a'), {}, context('b')])
    const seen = await manager.event('query', null, () => manager.event('llm', null, () => [...inside]))
    expect(seen).toEqual(['a', 'b', 'a', 'b'])
    expect(inside).toEqual([])
  })

  it('returns the result of the work, not that of the handler', async () => {
    const manager = new CallbackManager([{ runInside: (_id, work) => [work(), work()] }])
    let calls = 0
    expect(await manager.event('query', null, () => ++calls)).toBe(1)
  })

  it('is reported if it throws or does not call the work, and the work runs anyway', async () => {
    for (const [runInside, reports] of [
      [() => undefined, 0],
      [
        () => {
          throw new Error('handler')
        },
        1,
      ],
      [
        (_id: string, work: () => unknown) => {
          work()
          throw new Error('handler')
        },
        1,
      ],
    ] as const) {
      const onHandlerError = vi.fn()
      const manager = new CallbackManager([{ runInside }], { onHandlerError })
      expect(await manager.event('query', null, () => 'r')).toBe('r')
      expect(onHandlerError).toHaveBeenCalledTimes(reports)
    }
  })

  it('passes errors of the work through, and does not report them as errors of the handler', async () => {
    const onHandlerError = vi.fn()
    const manager = new CallbackManager([context('a')], { onHandlerError })
    const error = new Error('work')
    const failing = manager.event('query', null, () => {
      throw error
    })
    await expect(failing).rejects.toBe(error)
    expect(onHandlerError).not.toHaveBeenCalled()
  })
})
