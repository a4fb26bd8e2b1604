import { type AgentEvent, FunctionCallingAgent, FunctionTool, journal, type ToolDecision } from '@x/agents'
import { ChatMessage, SimpleChatStore, ToolkitError, type Turn, type TurnMarks, type TurnState } from '@x/core-model'
import { ChatMemoryBuffer, heldTurn, StoredChatMemory, turnsIn } from '@x/core-model/memory'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { callTurn, metadata } from '../test/chat-world.ts'
import { answerTurn } from './answer-turn.ts'
import { ChatAnswers } from './chat-answers.ts'
import type { AnsweredTurn, ChatTurn } from './chat-protocol.ts'
import {
  type BeginOptions,
  beginTurn,
  isRunning,
  namesCalls,
  stopWaiting,
  usedBy,
  userMessage,
  whenSealed,
} from './chat-turn.ts'
import { turnEvents } from './turn-events.ts'

const key = 'ann/chat'

/** What became of a turn that a client sent. */
interface Sent {
  because?: string
  answered?: AnsweredTurn
  asked?: Turn
  events: AgentEvent[]
  error?: unknown
}

/** A chat of an agent whose payments wait for approval. */
function chatOf(answers: readonly ScriptedAnswer[], options: object = {}) {
  const chatStore = new SimpleChatStore()
  const chat = { store: turnsIn(chatStore), key }
  const paid: unknown[] = []
  const pay = FunctionTool.fromDefaults({
    name: 'buy',
    schema: { type: 'object', properties: { fruit: { type: 'string' } } },
    needsApproval: true,
    fn: ({ fruit }) => `bought ${paid.push(fruit)}`,
  })
  const llm = new ScriptedLLM({ answers, metadata })
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore: journal() })
  const run = { agent: Promise.resolve(agent), options: () => undefined, by: 'ann', refusesWhileWaiting: false }
  const { signal } = new AbortController()
  const begin = (turn: ChatTurn) =>
    new ChatAnswers(chat, chatStore, { ...run, signal, ...options } as never).begin(turn)
  /** Sends a turn, and returns the answered one and its events; or why it was refused. */
  const send = async (turn: ChatTurn, { unknown = false } = {}): Promise<Sent> => {
    const begun = await begin(turn)
    if (begun.kind === 'refused') return { because: begun.because, events: [] }
    const events: AgentEvent[] = []
    const read = (unknown && begun.unknown?.(begun.events)) || begun.events
    try {
      for await (const event of read) events.push(event)
    } catch (error) {
      return { ...begun, events, error }
    }
    return { ...begun, events }
  }
  return { agent, begin, chat, llm, paid, send, turns: () => chat.store.read(key) }
}

const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type).filter((type) => type !== 'usage')
const say = (content: string, messageId: string, more: object = {}) => ({ content, messageId, ...more })

describe('a message', () => {
  it('is answered once, unless the client asks again', async () => {
    const { llm, send } = chatOf(['One.', 'Two.'])
    const first = await send(say('Hi', 'm1'))
    expect(first.answered).toEqual({ messageId: expect.any(String), missed: [] })
    expect(first.asked).toMatchObject({ message: 'm1', messages: [{ role: 'user', content: 'Hi' }] })
    const again = await send(say('Hi', 'm1', { asks: 'send' }))
    expect(again.events.find(({ type }) => type === 'text_delta')).toMatchObject({ delta: 'One.' })
    expect(llm.calls).toHaveLength(1)
    const other = await send(say('Hi', 'm1'))
    expect(other.events.find(({ type }) => type === 'text_delta')).toMatchObject({ delta: 'Two.' })
  })

  it('comes with the turns before it, if the client does not show all of their messages and answers', async () => {
    const { send } = chatOf(['1', '2', '3', '4', '5'])
    const shown: string[] = []
    for (const id of ['m1', 'm2']) shown.push(id, (await send(say(id, id))).answered!.messageId)
    const messages = (turns: readonly { message?: string | undefined }[] = []) => turns.map(({ message }) => message)
    const { answered } = await send(say('m3', 'm3', { shown: ['m1', 'm3'] }))
    expect([messages(answered?.missed), answered?.later]).toEqual([['m1', 'm2'], undefined])
    const other = await send(say('m3', 'm3', { asks: 'send', shown: ['m1', 'another answer', 'm2', shown[3]!, 'm3'] }))
    expect(messages(other.answered?.missed)).toEqual(['m1', 'm2'])
    shown.push('m3', answered!.messageId)
    const complete = await send(say('m4', 'm4', { shown: [...shown, 'm4'] }))
    expect(complete.answered).toEqual({ messageId: expect.any(String), missed: [] })
  })

  it('comes with a turn whose message alone is missing, or whose answer is shown in another state', async () => {
    const { send, turns } = chatOf(['1', '2', '3', '4'])
    const { messageId } = (await send(say('m1', 'm1'))).answered!
    const missed = async (id: string, more: object) =>
      (await send(say(id, id, more))).answered?.missed.map(({ message }) => message)
    expect(await missed('m2', { shown: [messageId, 'm2'] })).toEqual(['m1'])
    const [{ task: taskId, usage }] = (await turns()) as [Turn]
    const shown = { id: messageId, taskId, usage, calls: {} }
    expect(await missed('m3', { answers: [shown] })).toEqual([])
    expect(await missed('m4', { answers: [{ ...shown, usage: undefined }] })).toEqual(['m1', 'm2', 'm3'])
  })

  it.each([false, true])(
    'comes without an earlier turn that failed before the model said something (the store has marks alone: %s)',
    async (marksAlone) => {
      const { chat, send } = chatOf([new Error('down'), 'Hello.'])
      const { store } = chat
      if (marksAlone)
        chat.store = Object.assign(Object.create(store) as typeof store, {
          begin: async (...args: Parameters<typeof store.begin>) =>
            (await store.begin(...args)).map(({ messages: _, ...marks }: Partial<Turn>) => marks as TurnMarks),
        })
      await send(say('m1', 'm1'))
      expect((await send(say('m2', 'm2', { shown: ['m1', 'm2'] }))).answered?.missed).toEqual([])
    },
  )

  it('comes without an earlier turn of which the client shows the calls, if not the id', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a'), 'Done.', '2'])
    await send(say('m1', 'm1'))
    await send({ taskId: (await turns())[0]!.task, decisions: [{ callId: 'a', type: 'approve' }] })
    expect((await send(say('m2', 'm2', { shown: ['m1', 'a', 'm2'] }))).answered?.missed).toEqual([])
  })

  it('is answered within the token limit of the agent', async () => {
    const { agent, llm, send } = chatOf(['1', '2'])
    agent.conversation = () => ({ memory: new ChatMemoryBuffer({ tokenLimit: 5 }) }) as never
    for (const id of ['m1', 'm2']) await send(say('Hello, how are you?', id))
    expect(llm.calls.map(({ messages }) => messages!.length)).toEqual([1, 1])
  })

  it('that is answered again comes with the turns after it', async () => {
    const { send } = chatOf(['1', '2', '3', '4'])
    for (const id of ['m1', 'm2', 'm3']) await send(say(id, id))
    const { answered } = await send(say('m2', 'm2', { asks: 'again', shown: ['m2', 'm3'] }))
    expect(answered?.missed.map(({ message }) => message)).toEqual(['m1'])
    expect((await answered!.later!()).map(({ message }) => message)).toEqual(['m3'])
  })
})

describe('decisions', () => {
  const both = () => {
    const message = callTurn('I buy.', 'a')
    const [call] = message.additionalKwargs['tool_calls'] as object[]
    return message.copy({ update: { additionalKwargs: { tool_calls: [call, { ...call, id: 'b' }] } } })
  }
  const approve = (callId: string) => ({ callId, type: 'approve' as const })

  it('about one of two calls report the other one, which still waits', async () => {
    const { paid, send, turns } = chatOf([both(), 'Done.'])
    await send(say('Buy!', 'm1'))
    const taskId = (await turns())[0]!.task
    const first = await send({ taskId, decisions: [approve('a')] }, { unknown: true })
    expect(first.events).toMatchObject([{ type: 'approval_required', taskId, calls: [{ id: 'b' }] }])
    expect((await turns())[0]).toMatchObject({
      state: 'waiting',
      waiting: [
        { id: 'a', decision: 'approve' },
        { id: 'b', decision: null },
      ],
    })
    expect(paid).toEqual([])
    const second = await send({ taskId, decisions: [approve('b')] }, { unknown: true })
    expect(types(second.events)).toEqual([
      'step_start',
      'tool_result',
      'tool_result',
      'step_end',
      'step_start',
      'text_delta',
      'step_end',
      'task_end',
    ])
    expect(paid).toEqual(['pear', 'pear'])
    expect((await turns())[0]!.state).toBe('done')
  })

  it('about one of two calls leave a turn as it is that was stopped meanwhile', async () => {
    const mayDecide = async (): Promise<boolean> => {
      await chat.store.begin(key, undefined, (marks) => marks.map((mark) => ({ ...mark, state: 'stopped' })))
      return true
    }
    const { chat, send, turns } = chatOf([both()], { mayDecide })
    await send(say('Buy!', 'm1'))
    await send({ taskId: (await turns())[0]!.task, decisions: [approve('a')] })
    expect((await turns())[0]).toMatchObject({ state: 'stopped', waiting: [{ decision: null }, { decision: null }] })
  })

  it('about a turn that is not in the chat are refused, as are those about calls that do not wait', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a')])
    await send(say('Buy!', 'm1'))
    expect((await send({ taskId: 'other', decisions: [approve('a')] })).because).toBe('unknown_task')
    const { task: taskId } = (await turns())[0]!
    const other = await send({ taskId, decisions: [approve('b')] })
    expect(types(other.events)).toEqual(['step_start', 'text_delta', 'tool_call', 'approval_required', 'step_end'])
  })

  it('that the user may not make are refused, and leave the calls waiting', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a')], { mayDecide: () => false })
    await send(say('Buy!', 'm1'))
    const refused = await send({ taskId: (await turns())[0]!.task, decisions: [approve('a')] })
    expect([refused.because, (await turns())[0]!.state]).toEqual(['decision_refused', 'waiting'])
  })

  it.each(['done', 'stopped', 'waiting', 'failed', 'open'] as const)(
    'that are none are refused, whatever has become of the answer: %s',
    async (state) => {
      const { chat, send, turns } = chatOf(['Done.'])
      const turn = { id: 't', task: 't', state, messages: [userMessage('Hi')], provided: ['form'] }
      await chat.store.begin(key, undefined, () => [turn])
      const result = (callId: string) => ({ callId, type: 'result' as const, result: 'seen' })
      // The results of the tools of the agent are on the page too.
      for (const decisions of [[], [result('own')]])
        expect((await send({ taskId: 't', decisions })).because).toBe('nothing_waits')
      expect(await turns()).toMatchObject([turn])
      // What followed a decision or a result is shown again.
      for (const decision of [approve('own'), result('form')])
        expect((await send({ taskId: 't', decisions: [decision] })).because).toBeUndefined()
    },
  )

  it('about a turn that has ended show how it ended', async () => {
    const { send, turns, paid } = chatOf([callTurn('I buy.', 'a'), 'Done.'])
    await send(say('Buy!', 'm1'))
    const turn = { taskId: (await turns())[0]!.task, decisions: [approve('a')] }
    await send(turn)
    const again = await send(turn, { unknown: true })
    expect(types(again.events).at(-1)).toBe('task_end')
    expect(types(again.events)).not.toContain('tool_call')
    expect(paid).toEqual(['pear'])
  })

  it('come with the turns before them, if the client does not show those', async () => {
    const { send, turns } = chatOf(['Hello.', callTurn('I buy.', 'a'), 'Done.'])
    for (const id of ['m1', 'm2']) await send(say(id, id))
    const [{ id: answer }, { task: taskId }] = (await turns()) as [Turn, Turn]
    const missed = async (...shown: string[]) =>
      (await send({ taskId, decisions: [approve('a')], shown })).answered?.missed.map(({ id }) => id)
    expect(await missed('m2')).toEqual([answer])
    expect(await missed('m1', answer, 'm2')).toEqual([])
  })

  it('come with their own turn at the end, unless the client has them already', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a'), 'Done.'])
    await send(say('Buy!', 'm1'))
    const [{ id, task: taskId }] = (await turns()) as [Turn]
    const answer = { id, taskId, usage: undefined, calls: { a: 'approved' as const } }
    const behind = async (answers: (typeof answer)[]) =>
      (await (await send({ taskId, decisions: [approve('a')], answers })).answered!.later!()).map((turn) => turn.id)
    expect([await behind([]), await behind([answer])]).toEqual([[id], []])
  })

  it('are events without a question, if all calls are decided', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a'), 'Done.'])
    await send(say('Buy!', 'm1'))
    const { events } = await send({ taskId: (await turns())[0]!.task, decisions: [approve('a')] })
    expect(types(events)).not.toContain('approval_required')
  })

  it.each([
    ['approve', true, 'pear'],
    ['reject', false, 'pear'],
    ['edit', true, 'fig'],
  ] as const)('%s: are in the turn before it continues, as its process may end', async (type, approved, fruit) => {
    const { begin, llm, send, turns } = chatOf([callTurn('I buy.', 'a'), 'Next.', 'Done.'])
    await send(say('Buy!', 'm1'))
    const [{ task: taskId, state }] = (await turns()) as [Turn]
    const decision = { callId: 'a', type, ...(type === 'edit' && { arguments: { fruit } }) } as ToolDecision
    await begin({ taskId, decisions: [decision] })
    const open = (await turns())[0]!
    expect([state, open.state, open.calls]).toEqual(['waiting', 'open', { a: approved ? 'unknown' : 'failed' }])
    expect(open.decided).toMatchObject({ a: { approved } })
    const shown = turnEvents(open).filter(({ type }) => type.startsWith('tool') || type === 'approval_required')
    expect(shown).toMatchObject([
      { type: 'tool_call', arguments: { fruit } },
      { type: 'tool_result', isError: true },
    ])
    await send(say('And now?', 'm2'))
    const told = llm.calls.at(-1)!.messages!.map(({ content }) => String(content))
    expect(told[2]).toMatch(approved ? 'it is unknown whether this call ran' : 'Stopped before this call ran.')
    expect((await turns()).map((turn) => turn.state)).toEqual(['failed', 'done'])
    const again = await send(say('Buy!', 'm1', { asks: 'again' }))
    expect(again.events.filter(({ type }) => type === 'tool_call')).toMatchObject([{ arguments: { fruit } }])
    expect((await turns()).map((turn) => [turn.state, turn.calls])).toEqual([
      ['done', approved ? undefined : { a: 'failed' }],
      ['done', undefined],
    ])
  })

  it('open a turn that failed, and none that was done or stopped', async () => {
    const { begin, chat, send, turns } = chatOf([callTurn('I buy.', 'a'), new Error('down')])
    await send(say('Buy!', 'm1'))
    const turn = { taskId: (await turns())[0]!.task, decisions: [approve('a')] }
    await send(turn)
    const found: string[] = []
    for (const state of ['failed', 'done', 'stopped'] as const) {
      await chat.store.begin(key, undefined, (marks) => marks.map((mark) => ({ ...mark, state })))
      await begin(turn)
      found.push((await turns())[0]!.state)
    }
    expect(found).toEqual(['open', 'done', 'stopped'])
  })

  it.each([true, false])(
    'that were made before a process ended go on live (its turn has the question: %s)',
    async (isAsked) => {
      const { agent, chat, send, turns } = chatOf([callTurn('I buy.', 'a'), ['Do', 'ne.']])
      await send(say('Buy!', 'm1'))
      const [{ task: taskId }] = (await turns()) as [Turn]
      await agent.approve(taskId, 'a')
      const open = ({ waiting, ...mark }: TurnMarks): TurnMarks => ({
        ...mark,
        state: 'open',
        ...(isAsked && { waiting }),
      })
      await chat.store.begin(key, undefined, (marks) => marks.map(open))
      const { events } = await send({ taskId, decisions: [approve('a')] })
      const first = ['step_start', 'text_delta', 'tool_call', 'tool_result', 'step_end']
      const last = ['step_start', 'text_delta', 'text_delta', 'step_end', 'task_end']
      expect(types(events)).toEqual([...first, ...last])
    },
  )

  it('that fail leave the calls waiting', async () => {
    const { send, turns } = chatOf([callTurn('I buy.', 'a')], { mayDecide: () => Promise.reject(new Error('down')) })
    await send(say('Buy!', 'm1'))
    const failed = await send({ taskId: (await turns())[0]!.task, decisions: [approve('a')] })
    expect([failed.events, String(failed.error)]).toEqual([[], 'Error: down'])
    expect((await turns())[0]!.state).toBe('waiting')
  })
})

/** A turn whose model asks for a slow call and a purchase: the user approves the first, which hangs or fails, and rejects the other. */
describe('a rejected call whose turn ends before its result is written has certainly not run', () => {
  const calls = ['slow', 'buy'].map((id) => ({ id, type: 'function', function: { name: id, arguments: '{}' } }))

  it.each(['hangs', 'fails'])('when another one %s', async (how) => {
    const reached = Promise.withResolvers<void>()
    const tools = ['slow', 'buy'].map((name) =>
      FunctionTool.fromDefaults({
        name,
        schema: {},
        needsApproval: true,
        sequential: true,
        fn: async () => {
          reached.resolve()
          if (how === 'fails') throw Object.assign(new Error('down'), { fatal: true })
          await new Promise(() => {})
          return ''
        },
      }),
    )
    const options: { agent?: unknown } = {}
    const agentOf = (...answers: ScriptedAnswer[]) => {
      const llm = new ScriptedLLM({ answers, metadata })
      options.agent = Promise.resolve(FunctionCallingAgent.fromTools({ llm, tools, taskStore: journal() }))
      return llm
    }
    agentOf(new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls: calls } }))
    const { send, turns } = chatOf([], options)
    await send(say('Go!', 'm1'))
    const [{ task: taskId }] = (await turns()) as [Turn]
    const decisions: ToolDecision[] = [
      { callId: 'slow', type: 'approve' },
      { callId: 'buy', type: 'reject' },
    ]
    const ended = send({ taskId, decisions })
    await (how === 'fails' ? ended : reached.promise)
    const [turn] = (await turns()) as [Turn]
    expect(turn.calls).toEqual({ slow: 'unknown', buy: 'failed' })
    expect(turn.decided).toMatchObject({ buy: { approved: false } })
    const results = (open: boolean) =>
      turnEvents(turn, { open }).filter((event) => event.type === 'tool_result' && event.callId === 'buy')
    expect(results(false)).toMatchObject([{ content: 'Stopped before this call ran.' }])
    // A page that reads along receives the result from the run.
    expect(results(true)).toEqual([])
    const llm = agentOf('Hello.')
    await send(say('And?', 'm2'))
    expect(JSON.stringify(llm.calls[0]!.messages)).toContain('Stopped before this call ran.')
  })
})

describe('a turn that failed', () => {
  it('continues behind the step that waited, without showing it twice', async () => {
    const { send, turns, paid } = chatOf([callTurn('I buy.', 'a'), new Error('down'), ['Do', 'ne.']])
    await send(say('Buy!', 'm1'))
    const decided = await send({ taskId: (await turns())[0]!.task, decisions: [{ callId: 'a', type: 'approve' }] })
    expect(String(decided.error)).toContain('down')
    expect((await turns())[0]!.state).toBe('failed')
    const again = await send(say('Buy!', 'm1'))
    const first = ['step_start', 'text_delta', 'tool_call', 'tool_result', 'step_end']
    // What is new comes in the pieces of the model.
    expect(types(again.events)).toEqual([...first, 'step_start', 'text_delta', 'text_delta', 'step_end', 'task_end'])
    expect(again.error).toBeUndefined()
    expect(paid).toEqual(['pear'])
    expect((await turns()).map(({ state }) => state)).toEqual(['done'])
  })

  it('shows what waits if it waits again', async () => {
    const { chat, send } = chatOf([callTurn('I buy.', 'a')])
    await send(say('Buy!', 'm1'))
    await chat.store.begin(key, undefined, (marks) => marks.map((mark) => ({ ...mark, state: 'failed' })))
    const { events } = await send(say('Buy!', 'm1'))
    expect(types(events)).toEqual(['step_start', 'text_delta', 'tool_call', 'approval_required', 'step_end'])
  })

  it('continues after the same decision', async () => {
    const { send, turns, paid } = chatOf([callTurn('I buy.', 'a'), new Error('down'), 'Done.'])
    await send(say('Buy!', 'm1'))
    const decision = { taskId: (await turns())[0]!.task, decisions: [{ callId: 'a', type: 'approve' as const }] }
    await send(decision)
    const again = await send(decision)
    expect(types(again.events).slice(-4)).toEqual(['step_start', 'text_delta', 'step_end', 'task_end'])
    expect([paid, (await turns())[0]!.state]).toEqual([['pear'], 'done'])
  })

  it('is not continued for results that are no decisions', async () => {
    const { send, turns } = chatOf([new Error('down'), 'Done.'])
    await send(say('Hi', 'm1'))
    const { task: taskId } = (await turns())[0]!
    const sent = await send({ taskId, decisions: [{ callId: 'own', type: 'result', result: 'seen' }] })
    expect([sent.because, (await turns())[0]!.state]).toEqual(['nothing_waits', 'failed'])
  })

  it('is continued for a result of a call of its own', async () => {
    const { chat, send } = chatOf(['Done.'])
    const waiting = [{ id: 'own', awaits: 'result', decision: null }]
    const mark = { id: 't', task: 't', state: 'failed' as const, messages: [userMessage('Hi')], waiting }
    await chat.store.begin(key, undefined, () => [mark as Turn])
    const sent = await send({ taskId: 't', decisions: [{ callId: 'own', type: 'result', result: 'seen' }] })
    expect(sent.because).toBeUndefined()
  })

  it('begins anew in a process that does not have its task', async () => {
    const options: { agent?: unknown } = {}
    const { send, turns } = chatOf([new Error('down')], options)
    await send(say('Hi', 'm1'))
    const llm = new ScriptedLLM({ answers: ['Done.'], metadata })
    options.agent = Promise.resolve(FunctionCallingAgent.fromTools({ llm, taskStore: journal() }))
    expect(types((await send(say('Hi', 'm1'))).events).at(-1)).toBe('task_end')
    expect(llm.calls.map(({ messages }) => messages!.map(({ role }) => role))).toEqual([['user']])
    expect((await turns()).map(({ state }) => state)).toEqual(['done'])
  })

  it('in its first step is answered as if it had not begun', async () => {
    const { send, turns } = chatOf([new Error('down'), 'Done.'])
    await send(say('Hi', 'm1'))
    const again = await send(say('Hi', 'm1'))
    expect(types(again.events)).toEqual(['step_start', 'text_delta', 'step_end', 'task_end'])
    expect((await turns()).map(({ state }) => state)).toEqual(['done'])
  })
})

describe('a turn in a process that does not have its task', () => {
  /** Sends to the same chat with a new process, whose model answers this. */
  const other = (options: { agent?: unknown }, ...answers: ScriptedAnswer[]) => {
    const llm = new ScriptedLLM({ answers, metadata })
    options.agent = Promise.resolve(FunctionCallingAgent.fromTools({ llm, taskStore: journal() }))
    return llm
  }

  it('that is done, or waits, is shown as it is', async () => {
    for (const [answer, end] of [
      ['One.', 'task_end'],
      [callTurn('I buy.', 'a'), 'step_end'],
    ] as const) {
      const options = {}
      const { send } = chatOf([answer], options)
      await send(say('Hi', 'm1'))
      const llm = other(options, 'Two.')
      const { events } = await send(say('Hi', 'm1', { asks: 'send' }))
      expect([types(events).at(-1), llm.calls]).toEqual([end, []])
    }
  })

  it('that failed behind calls is shown, and continues with a model that knows the calls', async () => {
    const options = {}
    const { send, turns } = chatOf([callTurn('I buy.', 'a'), new Error('down')], options)
    await send(say('Buy!', 'm1'))
    const [{ task: taskId }] = (await turns()) as [Turn]
    await send({ taskId, decisions: [{ callId: 'a', type: 'approve' }] })
    const [{ usage }] = (await turns()) as [Turn]
    const llm = other(options, new Error('down again'), 'Done.')
    expect(types((await send(say('Buy!', 'm1'))).events)).toContain('tool_result')
    const { events } = await send(say('Buy!', 'm1'))
    const first = ['step_start', 'text_delta', 'tool_call', 'tool_result', 'step_end']
    expect(types(events)).toEqual([...first, 'step_start', 'text_delta', 'step_end', 'task_end'])
    expect(llm.calls.map(({ messages }) => messages!.map(({ role }) => role))).toEqual(
      [0, 1].map(() => ['user', 'assistant', 'tool', 'user']),
    )
    const [turn] = (await turns()) as [Turn]
    expect(turn).toMatchObject({ task: taskId, state: 'done', replaced: usage })
  })

  it('fails before it begins if there is no agent, and may be sent again', async () => {
    const options: { agent?: unknown } = { agent: Promise.reject(new Error('no agent')) }
    const { agent, send, turns } = chatOf(['Done.'], options)
    expect(String((await send(say('Hi', 'm1'))).error)).toBe('Error: no agent')
    expect((await turns()).map(({ state }) => state)).toEqual(['failed'])
    options.agent = Promise.resolve(agent)
    expect(types((await send(say('Hi', 'm1'))).events).at(-1)).toBe('task_end')
  })
})

describe('a durable task', () => {
  /** A chat with such tasks in these states, and what was done with them. The turn of one is open. */
  async function tasksOf(state: string | undefined, answers: readonly ScriptedAnswer[] = ['Done.'], options?: object) {
    const given = chatOf(answers, options)
    const done: string[] = []
    const open = (task: string) => ({
      cancel: async () => void done.push(`cancel ${task}`),
      events: async function* (): AsyncGenerator<AgentEvent> {
        done.push(`follow ${task}`)
        yield { type: 'text_delta', taskId: task, stepId: '', delta: 'Done.' }
      },
    })
    const agent = Object.assign(given.agent, {
      statusOf: async (task: string) => (task === 't' ? state : 'finished'),
      retry: async (task: string) => void done.push(`retry ${task}`),
      open,
    })
    const mark: Turn = { id: 't', task: 't', message: 'm1', state: 'open', messages: [userMessage('Hi')] }
    await given.chat.store.begin(key, undefined, () => [mark])
    const set = (marks: Partial<Turn>) => given.chat.store.begin(key, undefined, () => [{ ...mark, ...marks }])
    const texts = async () => (await given.turns()).map(({ messages }) => messages.map(String))
    return { ...given, agent, done, set, texts }
  }

  it.each<[string | undefined, string[], number]>([
    ['running', ['follow t'], 0],
    ['finished', ['follow t'], 0],
    ['failed', ['retry t', 'follow t'], 0],
    ['cancelled', ['retry t', 'follow t'], 0],
    [undefined, [], 1],
  ])('that is %s goes on when its message comes again', async (state, expected, asked) => {
    const { done, llm, send, turns } = await tasksOf(state)
    await send(say('Hi', 'm1'))
    expect([done, llm.calls.length, (await turns()).length]).toEqual([expected, asked, 1])
  })

  it('that cannot be repeated is followed by another one in its turn; other errors are thrown', async () => {
    const { agent, done, llm, send, set, turns } = await tasksOf('failed')
    const result = new ChatMessage({
      role: 'tool',
      content: 'bought',
      additionalKwargs: { tool_call_id: 'a', name: 'buy' },
    })
    await set({ messages: [userMessage('Hi'), callTurn('I buy.', 'a'), result] })
    const failWith = (error: Error) => {
      agent.retry = () => Promise.reject(error)
    }
    failWith(new Error('down'))
    await expect(send(say('Hi', 'm1'))).rejects.toThrow('down')
    failWith(new ToolkitError('UnsupportedOperationError', 'unsupported_operation', 'no'))
    const first = ['step_start', 'text_delta', 'tool_call', 'tool_result', 'step_end']
    const { events } = await send(say('Hi', 'm1'))
    expect(types(events)).toEqual([...first, 'step_start', 'text_delta', 'step_end', 'task_end'])
    expect(llm.calls[0]!.messages!.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    const [{ id, task, state }, ...others] = (await turns()) as [Turn]
    expect([id, task === 't', state, others, done, llm.calls.length]).toEqual(['t', false, 'done', [], [], 1])
  })

  const asked = ['a', 'b'].map((id) => ({ id, name: 'buy', arguments: {}, needsApproval: true, decision: null }))
  const decisions = ['a', 'b'].map((callId) => ({ callId, type: 'approve' as const }))

  it.each<[TurnState, string | undefined, unknown[]]>([
    [
      'waiting',
      'no pears',
      [
        { id: 'a', decision: null, problem: 'no pears' },
        { id: 'b', decision: 'approve' },
      ],
    ],
    [
      'waiting',
      undefined,
      [
        { id: 'a', decision: null },
        { id: 'b', decision: null },
      ],
    ],
    [
      'open',
      'no pears',
      [
        { id: 'a', decision: null },
        { id: 'b', decision: null },
      ],
    ],
  ])(
    'that asks again notes that in a turn that is %s, with the other decisions, if it says why: %s',
    async (state, problem, expected) => {
      const { agent, send, set, turns } = await tasksOf('waiting')
      await set({ state: 'waiting', waiting: asked } as object)
      Object.assign(agent, {
        resumeTask: async () => {},
        getPendingApprovals: () => asked,
        approve: async () => {},
        runEvents: async function* () {
          await set({ state, waiting: asked } as object)
          yield { type: 'approval_required', taskId: 't', stepId: '', calls: [{ id: 'a', decision: null, problem }] }
        },
      })
      await send({ taskId: 't', decisions })
      expect((await turns())[0]).toMatchObject({ state, waiting: expected })
      expect('problem' in ((await turns())[0]!.waiting as object[])[0]!).toBe(
        state === 'waiting' && problem !== undefined,
      )
    },
  )

  it('keeps its turn as it is when it is decided; one that was stopped is not continued', async () => {
    const { agent, begin, done, set, turns } = await tasksOf('waiting')
    Object.assign(agent, {
      resumeTask: async () => {},
      getPendingApprovals: () => asked,
      approve: async () => void done.push('approve'),
    })
    const found: unknown[] = []
    for (const state of ['waiting', 'stopped'] as const) {
      await set({ state, waiting: asked } as object)
      await begin({ taskId: 't', decisions })
      found.push((await turns())[0]!.state)
    }
    expect([found, done]).toEqual([
      ['waiting', 'stopped'],
      ['approve', 'approve'],
    ])
  })

  it('is left again if its user may not decide', async () => {
    const { agent, done, send, set } = await tasksOf('waiting', [], { mayDecide: () => false })
    const left = { return: async () => void done.push('leave') }
    Object.assign(agent, { resumeTask: async () => {}, getPendingApprovals: () => asked, runEvents: () => left })
    await set({ state: 'waiting', waiting: asked } as object)
    expect([(await send({ taskId: 't', decisions })).because, done]).toEqual(['decision_refused', ['leave']])
  })

  it.each<[Partial<TurnMarks>, string | undefined, string[]]>([
    [{ state: 'open' }, 'finished', ['cancel t']],
    [{ state: 'waiting' }, 'waiting', ['cancel t']],
    [{ state: 'failed' }, 'failed', []],
  ])('of a turn that is %j ends when another message replaces it', async (marks, status, expected) => {
    const { done, send, set, texts } = await tasksOf(status)
    await set(marks)
    await send(say('Ho', 'm1'))
    expect([done, await texts()]).toEqual([expected, [['user: Ho', 'assistant: Done.']]])
  })

  it('that runs keeps other messages out, unlike an open turn of an agent of this process', async () => {
    const { send } = await tasksOf('running')
    expect((await send(say('Ho', 'm2'))).because).toBe('busy')
    const { chat, send: sendOwn } = chatOf(['Done.'])
    await chat.store.begin(key, undefined, () => [{ id: 't', task: 't', state: 'open', messages: [userMessage('Hi')] }])
    expect((await sendOwn(say('Ho', 'm2'))).because).toBeUndefined()
  })

  it('stays open when its reader leaves or its run begins elsewhere; it writes its end itself', async () => {
    const { agent, begin, turns } = await tasksOf(undefined)
    agent.runEvents = async function* () {
      yield { type: 'text_delta', taskId: 't', stepId: '', delta: 'a' }
    } as never
    const begun = await begin(say('Hi', 'm1'))
    for await (const _ of begun.kind === 'begun' ? begun.events : []) break
    expect((await turns())[0]!.state).toBe('open')
  })
})

it('turns have cost what is known of each', () => {
  const tokens = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, totalTokens: 2 }
  const usage = { modelCalls: 1, toolCalls: 0, ...tokens }
  for (const turns of [
    [{ usage: { ...usage, cost: 5 } }, { usage }],
    [{ usage }, { usage: { ...usage, cost: 5 } }],
  ])
    expect(usedBy(turns)).toMatchObject({ modelCalls: 2, cost: 5 })
})

it('refuses a message while a turn waits, if the route says so', async () => {
  const { send } = chatOf([callTurn('I buy.', 'a'), 'Done.'], { refusesWhileWaiting: true })
  await send(say('Buy!', 'm1'))
  expect((await send(say('Hi', 'm2'))).because).toBe('decision_pending')
  const allowed = chatOf([callTurn('I buy.', 'a'), 'Hello.'])
  await allowed.send(say('Buy!', 'm1'))
  expect((await allowed.send(say('Hi', 'm2'))).because).toBeUndefined()
})

describe('answerTurn', () => {
  /** A conversation of an agent; without a memory, in one of the agent, which has no chat store. */
  function conversationOf(answers: readonly ScriptedAnswer[], given?: StoredChatMemory) {
    const buy = FunctionTool.fromDefaults({ name: 'buy', schema: {}, needsApproval: true, fn: () => 'bought' })
    const llm = new ScriptedLLM({ answers, metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [buy], taskStore: journal() })
    const { memory } = given ? { memory: given } : agent.conversation()
    const answer = async (turn: ChatTurn, mayContinue: false | (() => boolean) = false) => {
      const events: AgentEvent[] = []
      for await (const event of answerTurn(agent, turn, { run: { memory }, mayContinue })) events.push(event)
      return events
    }
    return { answer, stored: async () => (await memory.getAll()).map(String) }
  }

  it('answers a message while an earlier one waits, and refuses one that replaces what is not there', async () => {
    const memory = new StoredChatMemory({ chatStore: new SimpleChatStore(), conversationId: 'c' })
    const { answer, stored } = conversationOf([callTurn('I buy.', 'a'), 'Hello.'], memory)
    await answer(say('Buy!', '1'))
    expect(types(await answer(say('Hi', '2'))).at(-1)).toBe('task_end')
    await expect(answer(say('Hi', '3', { replaces: '4' }))).rejects.toMatchObject({ code: 'configuration' })
    expect((await stored()).at(-1)).toBe('assistant: Hello.')
  })

  it('replaces a message that is sent again and what follows, without a chat store', async () => {
    const { answer, stored } = conversationOf(['A', 'B', 'C', 'D', 'E'])
    for (const id of ['1', '2', '3']) await answer(say(`ask ${id}`, id))
    await answer(say('ask 2 again', '2'))
    const two = ['user: ask 1', 'assistant: A', 'user: ask 2 again', 'assistant: D']
    expect(await stored()).toEqual(two)
    // It is not known any more, so it replaces nothing.
    await answer(say('ask 3', '3'))
    expect(await stored()).toEqual([...two, 'user: ask 3', 'assistant: E'])
  })

  it('answers without a memory', async () => {
    const agent = FunctionCallingAgent.fromTools({ llm: new ScriptedLLM({ answers: ['A'], metadata }) })
    const events: AgentEvent[] = []
    for await (const event of answerTurn(agent, say('Hi', '1'), { run: {}, mayContinue: false })) events.push(event)
    expect(types(events).at(-1)).toBe('task_end')
  })

  it('continues a task after a decision, with the events that the client lacks, if the user may', async () => {
    const { answer, stored } = conversationOf([callTurn('I buy.', 'a'), 'Done.'])
    const taskId = (await answer(say('Buy!', '1')))[0]!.taskId!
    const turn: ChatTurn = { taskId, decisions: [{ callId: 'a', type: 'approve' }] }
    for (const mayContinue of [false, () => false] as const)
      await expect(answer(turn, mayContinue)).rejects.toMatchObject({ code: 'configuration' })
    expect(await stored()).toHaveLength(0)
    const end = ['step_start', 'text_delta', 'step_end', 'task_end']
    expect(types(await answer(turn, () => true))).toEqual(['step_start', 'tool_result', 'step_end', ...end])
  })
})

describe('a turn', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A chat with one turn in a state. */
  const turnIn = async (state: TurnState) => {
    const chat = { store: turnsIn(new SimpleChatStore()), key }
    const message = userMessage('Hi')
    await chat.store.begin(key, undefined, () => [{ id: 't', task: 't', message: '1', state, messages: [message] }])
    const states = async () => (await chat.store.read(key)).map((turn) => turn.state)
    return { chat, message, states }
  }

  it.each<[TurnState, send: string, again: string]>([
    ['done', 'replay', 'new'],
    ['waiting', 'replay', 'new'],
    ['open', 'continue', 'continue'],
    ['stopped', 'continue', 'continue'],
    ['failed', 'continue', 'continue'],
  ])('that is %s is, for its message, a %s, and asked for again, a %s', async (state, ...kinds) => {
    const found = (['send', 'again'] as const).map(async (asks) => {
      const { chat, message } = await turnIn(state)
      const options = { message, task: 'u', refusesWhileWaiting: false, ended: undefined }
      return (await beginTurn(chat, { messageId: '1', asks } as never, options)).kind
    })
    expect(await Promise.all(found)).toEqual(kinds)
  })

  it('is stopped if its worker has not written its end after two seconds', async () => {
    vi.useFakeTimers()
    const { chat, states } = await turnIn('open')
    const sealed = whenSealed(chat, 't')
    await vi.advanceTimersByTimeAsync(1999)
    expect(await states()).toEqual(['open'])
    await vi.advanceTimersByTimeAsync(1)
    await sealed
    expect(await states()).toEqual(['stopped'])
  })

  it('is as its worker wrote it, which is seen after 40 milliseconds', async () => {
    vi.useFakeTimers()
    const { chat, states } = await turnIn('open')
    let isSeen = false
    const sealed = whenSealed(chat, 't').then(() => {
      isSeen = true
    })
    await vi.advanceTimersByTimeAsync(1)
    await chat.store.save(key, 't', { marks: { state: 'done' }, from: 1, messages: [] })
    await vi.advanceTimersByTimeAsync(38)
    expect(isSeen).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await sealed
    expect(await states()).toEqual(['done'])
  })

  it('runs while its task is queued or running', () => {
    expect(['queued', 'running', 'waiting', 'finished', undefined].filter(isRunning)).toEqual(['queued', 'running'])
  })
})

describe('beginTurn', () => {
  const usage = (modelCalls: number) => ({ modelCalls, toolCalls: 0 }) as NonNullable<TurnMarks['usage']>
  const mark = (id: string, state: TurnState): TurnMarks => ({
    id: `answer ${id}`,
    task: id,
    message: id,
    state,
    usage: usage(1),
  })
  const known = [mark('1', 'done'), mark('2', 'failed'), mark('3', 'waiting')]

  /** Begins a turn beside the known ones, whose messages all say `Hi`. Returns its kind, what is removed and what is there. */
  async function begin(sent: object, options: Partial<BeginOptions> = {}, turns: readonly TurnMarks[] = known) {
    const store = {
      begin: async (
        _key: string,
        _id: string,
        change: (turns: readonly TurnMarks[], first: ChatMessage) => TurnMarks[],
      ) => change(turns, userMessage('Hi')),
    } as never
    const own = { message: userMessage('Hi'), task: 'new', refusesWhileWaiting: false, ended: undefined, ...options }
    const { kind, turn, removed, after } = await beginTurn({ store, key }, sent as never, own)
    return { kind, turn, ids: [removed, after].map((marks) => marks.map(({ task }) => task)) }
  }

  const keeping = { refusesReplacing: true }

  it.each<[string, object, Partial<BeginOptions>, string, string[], string[]]>([
    ['is another one', { messageId: '4' }, {}, 'new', [], ['1', '2', '3', 'new']],
    ['has no id', {}, {}, 'new', [], ['1', '2', '3', 'new']],
    ['is asked again', { messageId: '1' }, {}, 'new', ['1'], ['new', '2', '3']],
    ['is sent again', { messageId: '1', asks: 'send' }, {}, 'replay', [], ['1', '2', '3']],
    ['is asked again without the rest', { messageId: '1', discardsRest: true }, {}, 'new', ['1', '2', '3'], ['new']],
    ['has other words', { messageId: '2' }, { message: userMessage('Ho') }, 'new', ['2', '3'], ['1', 'new']],
    ['has failed', { messageId: '2' }, {}, 'continue', [], ['1', '2', '3']],
    ['has failed, without the rest', { messageId: '2', discardsRest: true }, {}, 'continue', ['3'], ['1', '2']],
    ['replaces itself', { messageId: '4', replaces: '4' }, {}, 'new', [], ['1', '2', '3', 'new']],
    ['replaces its answer', { messageId: '2', replaces: 'answer 2' }, {}, 'continue', [], ['1', '2', '3']],
    ['replaces nothing known', { messageId: '4', replaces: '9' }, {}, 'unknown_message', [], ['1', '2', '3']],
    [
      'comes while a call waits',
      { messageId: '4' },
      { refusesWhileWaiting: true },
      'decision_pending',
      [],
      ['1', '2', '3'],
    ],
    ['waits itself', { messageId: '3', asks: 'send' }, { refusesWhileWaiting: true }, 'replay', [], ['1', '2', '3']],
    ['is asked again', { messageId: '1' }, keeping, 'replacing_refused', [], ['1', '2', '3']],
    ['waits and is asked again', { messageId: '3', asks: 'again' }, keeping, 'replacing_refused', [], ['1', '2', '3']],
    [
      'has other words',
      { messageId: '2' },
      { ...keeping, message: userMessage('Ho') },
      'replacing_refused',
      [],
      ['1', '2', '3'],
    ],
    [
      'has failed, without the rest',
      { messageId: '2', discardsRest: true },
      keeping,
      'replacing_refused',
      [],
      ['1', '2', '3'],
    ],
    ['has failed, where answers are kept', { messageId: '2' }, keeping, 'continue', [], ['1', '2', '3']],
    ['is new, where answers are kept', { messageId: '4' }, keeping, 'new', [], ['1', '2', '3', 'new']],
  ])('of a message that %s', async (_, sent, options, kind, removed, after) => {
    const begun = await begin(sent, options)
    expect([begun.kind, begun.ids]).toEqual([kind, [removed, after]])
  })

  it('is busy while another turn runs', async () => {
    const turns = [mark('1', 'open'), mark('2', 'done')]
    const kindOf = async (messageId: string, ended: Set<string> | undefined) =>
      (await begin({ messageId }, { ended }, turns)).kind
    expect([await kindOf('4', new Set()), await kindOf('4', new Set(['1'])), await kindOf('4', undefined)]).toEqual([
      'busy',
      'new',
      'new',
    ])
    expect(await kindOf('1', new Set())).toBe('continue')
  })

  it('is held if later answers may not know its message', async () => {
    const [{ turn }, held] = [await begin({ messageId: '4' }), await begin({ messageId: '4' }, { isHeld: true })]
    expect(held.turn).toEqual(heldTurn(turn as Turn))
    expect(held.turn).not.toEqual(turn)
  })

  it('knows what the turns have used that it replaces', async () => {
    expect(usedBy([{ usage: { ...usage(1), cost: 5 } }, { usage: usage(1) }])).toMatchObject({ modelCalls: 2, cost: 5 })
    const { turn } = await begin({ messageId: '1', discardsRest: true })
    expect(turn).toMatchObject({ task: 'new', state: 'open', message: '1', replaced: { modelCalls: 3 } })
    expect((await begin({ messageId: '2' })).turn).toMatchObject({ task: '2', state: 'open', usage: usage(1) })
    const again = [{ ...mark('1', 'failed'), replaced: usage(5) }]
    expect((await begin({ messageId: '1' }, {}, again)).turn).toMatchObject({ replaced: { modelCalls: 5 } })
    expect((await begin({ messageId: '4' })).turn).not.toHaveProperty('replaced')
  })
})

it.each<[string, string[], TurnState[], 'last' | 'all', string[]]>([
  ['the last one that waits', ['waiting', 'waiting'], ['waiting', 'waiting'], 'last', ['1']],
  ['all that wait', ['waiting', 'done', 'waiting'], ['waiting', 'done', 'waiting'], 'all', ['0', '2']],
  ['none behind which another one follows', ['waiting'], ['waiting', 'open'], 'last', []],
  ['none that was decided meanwhile', ['waiting', 'waiting'], ['waiting', 'open'], 'all', ['0']],
  ['none if the last one does not wait', ['waiting', 'done'], ['waiting', 'done'], 'last', []],
])('stopWaiting stops %s', async (_, before, meanwhile, which, expected) => {
  const turnsOf = (states: readonly string[]) =>
    states.map((state, at) => ({ id: `${at}`, task: `${at}`, state, messages: [userMessage('Hi')] }) as Turn)
  let after: readonly TurnMarks[] = []
  const store = {
    read: async () => turnsOf(before),
    begin: async (_key: string, _id: undefined, change: (turns: readonly TurnMarks[]) => TurnMarks[]) => {
      after = change(turnsOf(meanwhile))
    },
  } as never
  expect(await stopWaiting({ store, key }, which)).toEqual(expected)
  expect(after.filter(({ state }) => state === 'stopped').map(({ task }) => task)).toEqual(expected)
})

it('namesCalls finds calls in messages of the assistant, also in words', () => {
  const names = (role: string, content: string, additionalKwargs: object = {}) =>
    namesCalls({ messages: [new ChatMessage({ role, content, additionalKwargs } as never)] } as unknown as Turn)
  const found = [
    names('assistant', '', { tool_calls: [] }),
    names('assistant', '(Called pay.)'),
    names('assistant', 'I am (Called pay.)'),
    names('user', '(Called pay.)'),
    names('user', '', { tool_calls: [] }),
  ]
  expect(found).toEqual([true, true, false, false, false])
})
