import type { AgentEvent } from '@x/agents'
import { ChatMessage, type Turn } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import type { ChatAgent } from './chat-agent.ts'
import type { ChatDecision, ChatTurn } from './chat-protocol.ts'
import type { TurnsOfChat } from './chat-turn.ts'
import { withStop } from './chat-turn.ts'
import { followed, runTurn, unknownEvents } from './run-turn.ts'
import { turnEvents } from './turn-events.ts'

const event = (type: string, more: object = {}) =>
  ({ type, taskId: 't', stepId: 's', ...more }) as unknown as AgentEvent
const started = event('step_start')
const ended = event('step_end')
const text = (delta: string, more: object = {}) => event('text_delta', { delta, ...more })
const called = (callId: string, args: object = { to: 'Ann' }) =>
  event('tool_call', { callId, toolName: 'pay', arguments: args })
const result = (callId: string, more: object = {}) =>
  event('tool_result', { callId, toolName: 'pay', content: 'paid', isError: false, ...more })
const failed = (code: string | null, message = 'gone') =>
  event('error', { error: { name: 'Failed', code, message, retryable: false }, usage: null })

async function* stream(...events: (AgentEvent | Error)[]): AsyncGenerator<AgentEvent, void, undefined> {
  for (const each of events) {
    if (each instanceof Error) throw each
    yield each
  }
}

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of events) found.push(each)
  return found
}

describe('unknownEvents', () => {
  const approved: ChatDecision = { callId: 'a', type: 'approve' }
  const edited: ChatDecision = { callId: 'a', type: 'approve', shows: { to: 'Bob' } }
  const rejected: ChatDecision = { callId: 'a', type: 'reject', shows: { to: 'Bob' } }
  const elsewhere = text('x', { taskId: 'other' })

  it.each<[string, AgentEvent[], ChatDecision[], Parameters<typeof unknownEvents>[2], AgentEvent[]]>([
    [
      'begin with the first result of a decided call',
      [started, called('a'), called('b'), result('b'), ended, result('a'), text('x')],
      [approved],
      {},
      [result('a'), text('x')],
    ],
    ['begin with an error', [started, called('a'), failed('x')], [approved], {}, [failed('x')]],
    ['begin behind those that are known', [started, text('x'), ended], [approved], { known: 2 }, [ended]],
    [
      'have a call again that its page has edited',
      [called('a'), result('a'), text('x')],
      [edited],
      {},
      [called('a'), result('a'), text('x')],
    ],
    [
      'do not have a call again that its page shows',
      [called('a', { to: 'Bob' }), result('a')],
      [edited],
      {},
      [result('a')],
    ],
    [
      'do not have a call again that waits for its edit',
      [called('a'), result('a')],
      [edited],
      { waits: true },
      [result('a')],
    ],
    [
      'have a call again whose edit was rejected',
      [called('a'), result('a')],
      [rejected],
      { waits: true },
      [called('a'), result('a')],
    ],
    ['have it again before all others', [called('a'), text('x')], [rejected], { known: 1 }, [called('a'), text('x')]],
    ['have it before an error', [called('a'), failed('x')], [edited], {}, [called('a'), failed('x')]],
    ['do not have it before others', [called('a'), text('x')], [edited], { known: 1 }, [text('x')]],
    ['have it before its result', [called('a'), result('a')], [edited], { known: 1 }, [called('a'), result('a')]],
    [
      'have it before its result alone',
      [called('a'), called('b'), result('b')],
      [edited, { ...edited, callId: 'b' }],
      { known: 2 },
      [called('b'), result('b')],
    ],
    [
      'have a call before its step',
      [started, called('a', { to: 'Bob' }), started, called('a', { to: 'Cid' }), text('x')],
      [edited],
      { known: 2 },
      [called('a', { to: 'Cid' }), started, text('x')],
    ],
    ['have the steps around nothing', [called('a'), ended, started], [edited], { known: 1 }, [ended, started]],
    [
      'do not have other calls again that are known',
      [called('b'), called('b'), called('c'), text('x')],
      [approved],
      { known: 1 },
      [called('c'), text('x')],
    ],
    [
      'contain those of another task, and what follows',
      [called('a'), started, elsewhere, called('b'), text('y')],
      [approved],
      { known: 1 },
      [started, elsewhere, called('b'), text('y')],
    ],
    [
      'contain all behind another task',
      [elsewhere, called('b'), text('y')],
      [approved],
      { known: 9 },
      [elsewhere, called('b'), text('y')],
    ],
  ])('%s', async (_, events, decisions, options, expected) => {
    expect(await all(unknownEvents(stream(...events), { taskId: 't', decisions }, options))).toEqual(expected)
  })
})

describe('runTurn', () => {
  const waiting = ['a', 'b'].map((id) => ({ id, name: 'pay', arguments: {} }))
  function run(turn: object, more: object = {}) {
    const log: unknown[] = []
    const open = new Map(waiting.map((call) => [call.id, call]))
    const agent = {
      resumeTask: async () => ({}),
      getPendingApprovals: () => [...open.values()],
      approve: async (_: string, id: string) => void open.delete(id),
      runEvents: (message: string | ChatMessage, options: object) => {
        log.push([String(typeof message === 'string' ? message : message.content), options])
        return stream(text('ran'))
      },
      ...more,
    } as unknown as ChatAgent<object>
    return { log, events: all(runTurn(agent, turn as ChatTurn, { top: 1 } as object, undefined)) }
  }
  const decisions = (...ids: string[]) => ids.map((callId) => ({ callId, type: 'approve' }))

  it('asks a question', async () => {
    const { events, log } = run({ content: 'Hi' })
    expect([await events, log]).toEqual([[text('ran')], [['Hi', { top: 1 }]]])
  })

  it('asks again about calls that still wait, unless the task is durable', async () => {
    const { events, log } = run({ taskId: 't', decisions: decisions('a') })
    expect(await events).toMatchObject([{ type: 'approval_required', taskId: 't', calls: [{ id: 'b' }] }])
    expect(log).toEqual([])
    for (const { events, log } of [
      run({ taskId: 't', decisions: decisions('a', 'b') }),
      run({ taskId: 't', decisions: decisions('a') }, { statusOf: async () => 'waiting' }),
    ])
      expect([await events, log]).toEqual([[text('ran')], [['', { top: 1, taskId: 't' }]]])
  })
})

const message = (content: string | null, additionalKwargs: object = {}, role = 'assistant') =>
  new ChatMessage({ role, content, additionalKwargs } as never)
const calling = (...ids: string[]) =>
  message(null, { tool_calls: ids.map((id) => ({ id, name: 'pay', arguments: '{"to":"Ann"}' })) })
const told = (id: string, content: string) => message(content, { name: 'pay', tool_call_id: id }, 'tool')
const turnOf = (messages: ChatMessage[], more: Partial<Turn> = {}): Turn => ({
  id: 'm',
  task: 't',
  state: 'done',
  messages: [message('Hi', {}, 'user'), ...messages],
  ...more,
})

describe('withStop', () => {
  const usage = { modelCalls: 1, toolCalls: 1 } as NonNullable<Turn['usage']>
  function stopping(events: AsyncIterable<AgentEvent>, ...states: Turn['state'][]) {
    const logged: unknown[] = []
    const turns = states.map((state) =>
      turnOf([calling('a', 'b'), told('a', 'paid'), told('b', 'stopped')], { state, usage }),
    )
    let reads = 0
    const read = async () => (turns.length > 1 && reads++ === 0 ? turns.slice(0, 1) : turns.slice(-1))
    const store = { read, begin: async () => [] } as unknown as TurnsOfChat['store']
    return { logged, events: all(withStop(events, { store, key: 'k' }, 'm', (error) => logged.push(error))) }
  }

  it('reports nothing of a run that ends', async () => {
    const { events, logged } = stopping(stream(called('a'), result('a'), text('x')))
    expect([await events, logged]).toEqual([[called('a'), result('a'), text('x')], []])
  })

  it('reports the errors of tools, but not what users have rejected', async () => {
    const { events, logged } = stopping(
      stream(result('a', { isError: true, content: 'no money' }), result('b', { isError: true, isRejected: true })),
    )
    expect(await events).toHaveLength(2)
    expect(logged).toMatchObject([{ code: 'tool_execution', message: 'Tool "pay": no money' }])
  })

  it('ends with the error of the run, and reports it', async () => {
    const { events, logged } = stopping(stream(text('x'), failed('busy'), text('y')), 'stopped')
    expect(await events).toEqual([text('x'), failed('busy')])
    expect(logged).toMatchObject([{ code: 'busy', name: 'Failed', message: 'gone' }])
    const unknown = stopping(stream(failed(null)))
    await unknown.events
    expect(unknown.logged).toEqual([Object.assign(new Error('gone'), { name: 'Failed' })])
    const error = new Error('thrown')
    const throwing = stopping(stream(text('x'), error))
    expect(await throwing.events).toMatchObject([
      text('x'),
      { type: 'error', error: { message: 'thrown', code: null } },
    ])
    expect(throwing.logged).toEqual([error])
  })

  it.each(['abort', 'task_cancelled'])(
    'of a stopped turn ends with the results that the store has: %s',
    async (code) => {
      for (const states of [['stopped'], ['open', 'stopped']] as const) {
        const { events, logged } = stopping(stream(called('a'), called('b'), result('a'), failed(code)), ...states)
        expect(await events).toMatchObject([
          called('a'),
          called('b'),
          result('a'),
          { type: 'tool_result', callId: 'b', content: 'stopped' },
          { type: 'error', error: { code: 'abort', message: 'gone' }, usage },
        ])
        expect(logged).toEqual([])
      }
    },
  )

  it.each(['abort', 'busy'])(
    'of a failed turn ends with the results that the store has, and the error: %s',
    async (code) => {
      for (const states of [[], ['open'], ['failed']] as const) {
        if (code === 'abort' && states[0] === 'open') continue
        const { events, logged } = stopping(stream(called('b'), failed(code)), ...states)
        const results = states[0] === 'failed' ? [{ type: 'tool_result', callId: 'b', content: 'stopped' }] : []
        expect(await events).toMatchObject([called('b'), ...results, failed(code)])
        expect(logged).toMatchObject([{ code }])
      }
    },
  )
})

describe('followed', () => {
  async function follow(first: AsyncIterable<AgentEvent>, most = Number.POSITIVE_INFINITY) {
    const log: unknown[] = []
    async function* next() {
      yield text('next')
      log.push('ended')
    }
    try {
      for await (const each of followed(first, next, () => log.push('stop'))) {
        log.push(each)
        if (log.length >= most) break
      }
    } catch (error) {
      log.push(error)
    }
    return log
  }

  it.each<[string, AsyncIterable<AgentEvent>, number | undefined, unknown[]]>([
    ['follows one that ends', stream(text('x')), undefined, [text('x'), text('next'), 'ended']],
    ['comes before the error of one', stream(failed('busy')), undefined, [text('next'), 'ended', failed('busy')]],
    ['is stopped with one', stream(failed('abort')), undefined, ['stop', text('next'), 'ended', failed('abort')]],
    ['runs although the reader leaves', stream(text('x'), text('y')), 1, [text('x'), 'stop', 'ended']],
    ['runs although one throws', stream(new Error('gone')), undefined, ['stop', 'ended', new Error('gone')]],
  ])('a turn %s', async (_, first, most, expected) => {
    expect(await follow(first, most)).toEqual(expected)
  })
})

describe('turnEvents', () => {
  const shown = (messages: ChatMessage[], more: Partial<Turn> = {}, options: { open?: boolean } = {}) =>
    turnEvents(turnOf(messages, more), options).map((each) => {
      const {
        type,
        callId,
        delta,
        arguments: args,
        invalidArguments,
        content,
      } = each as unknown as Record<string, unknown>
      return [type, ...[callId, delta, args, invalidArguments, content].filter((value) => value !== undefined)]
    })
  const step = (...inner: unknown[][]) => [['step_start'], ...inner, ['step_end']]

  it('are those of its steps, and its end', () => {
    const reasoned = message('  A. ', { reasoning: ['One.', 'Two.'] })
    expect(shown([reasoned, message('B.')])).toEqual([
      ...step(['reasoning_delta', 'One.\nTwo.'], ['text_delta', 'A.']),
      ...step(['text_delta', 'B.']),
      ['task_end'],
    ])
    expect(shown([reasoned], { hidesReasoning: true })).toEqual([...step(['text_delta', 'A.']), ['task_end']])
    const place = { taskId: 't', stepId: 'm/1' }
    const source = { title: 'B' }
    const parts = [
      { type: 'text', text: 'A.' },
      { type: 'source', source },
    ]
    const sourced = new ChatMessage({ role: 'assistant', parts } as never)
    expect(turnEvents(turnOf([sourced]))).toMatchObject([
      { type: 'step_start', ...place },
      { type: 'text_delta', ...place, delta: 'A.' },
      { type: 'source', ...place, source },
      { type: 'step_end', ...place, text: '', isLast: false, status: 'done' },
      { type: 'task_end', taskId: 't' },
    ])
    expect(() => turnEvents({} as never)).toThrow('turnEvents.turn: expected a turn')
  })

  it.each<[unknown, unknown[]]>([
    ['{"to":"Ann"}', [{ to: 'Ann' }]],
    [{ to: 'Ann' }, [{ to: 'Ann' }]],
    ['', [{}]],
    ['[1]', [{}, '[1]']],
    ['null', [{}, 'null']],
    ['{"to"', [{}, '{"to"']],
  ])('have a call with the arguments %j', (args, expected) => {
    const asks = message(null, { tool_calls: [{ id: 'a', name: 'pay', arguments: args }] })
    expect(shown([asks], { state: 'failed' })).toEqual(step(['tool_call', 'a', ...expected]))
    const own = { state: 'failed', unreadable: { a: '{"to' } } as const
    expect(shown([asks], own)).toEqual(step(['tool_call', 'a', {}, '{"to']))
  })

  it('of one that waits have the calls that wait, as they wait, unless it runs', () => {
    const waiting = [{ id: 'b', name: 'pay', arguments: { to: 'Bob' }, decision: null }] as never
    const calls = [calling('a', 'b'), told('a', 'paid')]
    const own = { state: 'waiting', waiting } as const
    const of = (bob: string) => [
      ['step_start'],
      ['tool_call', 'a', { to: 'Ann' }],
      ['tool_call', 'b', { to: bob }],
      ['tool_result', 'a', 'paid'],
    ]
    expect(shown(calls, own)).toEqual([...of('Bob'), ['approval_required'], ['step_end']])
    expect(shown(calls, { ...own, kept: 1 }, { open: true })).toEqual([...of('Ann'), ['step_end']])
    expect(shown(calls, { state: 'waiting', waiting: [] })).toEqual([...of('Ann'), ['step_end']])
  })

  it('of one that runs have what is kept, without results and an end', () => {
    const messages = [calling('a', 'b'), told('a', 'paid'), told('b', 'lost'), message('C.')]
    const calls = { b: 'unknown' } as never
    const asked = [['step_start'], ['tool_call', 'a', { to: 'Ann' }], ['tool_call', 'b', { to: 'Ann' }]]
    expect(shown(messages, { state: 'open', kept: 4, calls }, { open: true })).toEqual([
      ...asked,
      ['tool_result', 'a', 'paid'],
      ['step_end'],
    ])
    expect(shown(messages.slice(0, 3), { calls })).toEqual([
      ...asked,
      ['tool_result', 'a', 'paid'],
      ['tool_result', 'b', expect.any(String)],
      ['step_end'],
      ['task_end'],
    ])
    expect(shown([message('A.'), message('B.')], { state: 'failed', kept: 2 })).toHaveLength(6)
    for (const mark of ['approval', 'result'])
      expect(shown(messages.slice(0, 3), { calls: { b: mark } as never, state: 'failed' })).toEqual([
        ...asked,
        ['tool_result', 'a', 'paid'],
        ['step_end'],
      ])
  })

  it('have results with their values, and who made them', () => {
    const calls = ['a', 'b', 'c', 'd', 'e']
    const turn = turnOf(
      [calling(...calls), told('a', '{"n":1}'), told('b', '5'), told('c', 'long'), told('d', 'own'), told('e', 'no')],
      { values: { c: [1, 2] }, calls: { d: 'provided' }, decided: { e: { approved: false } } } as never,
    )
    const results = turnEvents(turn).filter(({ type }) => type === 'tool_result')
    const common = { type: 'tool_result', taskId: 't', stepId: 'm/1', toolName: 'pay' }
    expect(results).toEqual([
      { ...common, callId: 'a', content: '{"n":1}', isError: false, output: { n: 1 } },
      { ...common, callId: 'b', content: '5', isError: false, output: '5' },
      { ...common, callId: 'c', content: 'long', isError: false, output: [1, 2] },
      { ...common, callId: 'd', content: 'own', isError: true, output: null, isProvided: true },
      { ...common, callId: 'e', content: 'no', isError: false, output: 'no', isRejected: true },
    ])
  })

  it('have the calls of agents inside of a call, which are no sources of the answer', () => {
    const inner = (id: string, parent: string | undefined, more: object = {}) => ({
      id,
      name: 'ask',
      parent,
      arguments: '{}',
      ...more,
    })
    const { id: _, ...made } = inner('x', 'a', { result: 'yes' })
    const own = {
      decided: { x: { approved: true, inner: made }, z: { approved: true } },
      waiting: [
        inner('x', 'a', { decision: 'approved' }),
        inner('y', 'a', { decision: 'approved' }),
        inner('w', 'a', { decision: null }),
        inner('v', 'other', { decision: 'approved' }),
        inner('u', undefined, { decision: 'approved' }),
      ],
    } as never
    const messages = [calling('a'), told('a', 'paid')]
    expect(shown(messages, own)).toEqual([
      ['step_start'],
      ['tool_call', 'a', { to: 'Ann' }],
      ['tool_call', 'x', {}],
      ['tool_result', 'x', 'yes'],
      ['tool_call', 'y', {}],
      ['tool_result', 'a', 'paid'],
      ['step_end'],
      ['task_end'],
    ])
    expect(turnEvents(turnOf(messages, own)).at(-1)).toMatchObject({
      answer: { text: '', sources: [{ toolName: 'pay', content: 'paid', isError: false }], usage: null },
    })
    const usage = { modelCalls: 1, toolCalls: 0 } as NonNullable<Turn['usage']>
    expect(turnEvents(turnOf([message('A.')], { usage })).at(-1)).toMatchObject({
      answer: { text: 'A.', sources: [], usage },
    })
  })

  it('hide the errors of tools, as the route says', () => {
    const turn = turnOf([calling('a'), told('a', 'Error: key sk-1')], { calls: { a: 'error' } as never })
    const contents = (onError?: () => string) =>
      turnEvents(turn, { onError }).flatMap((each) => (each.type === 'tool_result' ? [each.content] : []))
    expect([contents(), contents(() => 'Sorry.')]).toEqual([['The tool failed.'], ['Sorry.']])
  })
})
