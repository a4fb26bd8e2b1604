import { ChatMessage, type ChatStore, LLMMetadata, SimpleChatStore, type Turn } from '@x/core-model'
import { pause } from '@x/core-model/async'
import { ChatMemoryBuffer, StoredChatMemory, turnsIn } from '@x/core-model/memory'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it, vi } from 'vitest'
import { agentFromLlm } from '../agent/agent-from-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { keepWithin } from '../layers/keep-within.ts'
import type { AgentEvent } from '../task/agent-event.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const calling = (name: string, id: string, args = '{"q":"x"}') =>
  new ChatMessage({
    role: 'assistant',
    content: null,
    additionalKwargs: { tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] },
  })

function setup(answers: ScriptedAnswer[], options: object = {}) {
  const sent: string[] = []
  const llm = new ScriptedLLM({ answers, metadata })
  const schema = { type: 'object', properties: { q: { type: 'string' } } } as const
  let started = () => {}
  const begun = new Promise<void>((resolve) => {
    started = resolve
  })
  const mail = FunctionTool.fromDefaults({
    name: 'mail',
    schema,
    fn: ({ q }) => `sent ${sent[sent.push(String(q)) - 1]}`,
  })
  const slow = FunctionTool.fromDefaults({
    name: 'slow',
    schema,
    fn: () => {
      started()
      return new Promise(() => {})
    },
  })
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema,
    needsApproval: true,
    fn: () => (sent.push('pay') ? 'paid' : ''),
  })
  const agent = FunctionCallingAgent.fromTools({ llm, tools: [mail, slow, pay], ...options })
  return { agent, llm, sent, begun }
}

const shape = (messages: readonly ChatMessage[]) =>
  messages.map((message) => {
    const calls = message.additionalKwargs['tool_calls'] as { function: { name: string } }[] | undefined
    return `${message}${calls ? ` [${calls.map((call) => call.function.name)}]` : ''}`.slice(0, 40)
  })

const failing = () => [calling('mail', 'c1'), new Error('down')]
const mailed = ['user: Mail!', 'assistant:  [mail]', 'tool: sent x']

const memories: [string, () => ChatMemoryBuffer | StoredChatMemory][] = [
  ['a memory', () => ChatMemoryBuffer.fromDefaults()],
  ['a chat store', () => new StoredChatMemory({ chatStore: new SimpleChatStore(), conversationId: 'ann' })],
]

describe.each(memories)('a turn in %s that was passed', (_, create) => {
  it('is there after an error, and the next run sees it', async () => {
    const { agent, llm } = setup([...failing(), 'Yes.'])
    const memory = create()
    await expect(agent.chat('Mail!', { memory })).rejects.toThrow('down')
    expect(shape(await memory.getAll())).toEqual(mailed)
    await agent.chat('Sent?', { memory })
    expect(llm.calls.at(-1)!.messages!.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  })

  it('is there after a stop, with a call whose effect is unknown', async () => {
    const { agent, begun } = setup([calling('slow', 'c1')])
    const memory = create()
    const stop = new AbortController()
    const run = agent.chat('Wait!', { memory, signal: stop.signal })
    await begun
    stop.abort()
    await expect(run).rejects.toMatchObject({ code: 'abort' })
    expect(shape(await memory.getAll())).toEqual([
      'user: Wait!',
      'assistant:  [slow]',
      'tool: Interrupted: it is unknown whether',
    ])
  })

  it.each([
    ['that was called', 'mail', 'is never asked'],
    ['that was approved', 'pay', 'is asked first'],
  ])('is there after a stop while a guard decides, with a call %s and has not run', async (_, name, asks) => {
    let decide = () => {}
    let asked = () => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const tool = () => {
      asked()
      return new Promise<undefined>((resolve) => {
        decide = () => resolve(undefined)
      })
    }
    const { agent, sent } = setup([calling(name, 'c1')], {
      guards: { tool },
      taskStore: journal(new MemoryTaskStore()),
    })
    const memory = create()
    const stop = new AbortController()
    const { signal } = stop
    if (asks === 'is asked first') {
      await expect(agent.chat('Go!', { memory, taskId: 't' })).rejects.toMatchObject({ code: 'approval_required' })
      await agent.approve('t', 'c1')
    }
    const run = asks === 'is asked first' ? agent.runTask('t', { signal }) : agent.chat('Go!', { memory, signal })
    await isAsked
    stop.abort()
    await expect(run).rejects.toMatchObject({ code: 'abort' })
    const messages = ['user: Go!', `assistant:  [${name}]`, 'tool: Stopped before this call ran.']
    expect(shape(await memory.getAll())).toEqual(messages)
    decide()
    await pause(10)
    expect(sent).toEqual([])
  })

  it('is there after a limit', async () => {
    const { agent } = setup([calling('mail', 'c1'), calling('mail', 'c2')], {
      maxIterations: 1,
      onMaxIterations: 'raise',
    })
    const memory = create()
    await agent.chat('Mail!', { memory }).catch(() => {})
    expect(shape(await memory.getAll()).slice(0, 3)).toEqual(mailed)
  })

  it('is replaced by its task when that continues', async () => {
    const { agent, sent } = setup([...failing(), 'Done.'])
    const memory = create()
    await expect(agent.chat('Mail!', { memory, taskId: 't' })).rejects.toThrow('down')
    expect(String(await agent.runTask('t'))).toBe('Done.')
    expect(shape(await memory.getAll())).toEqual([...mailed, 'assistant: Done.'])
    expect(sent).toEqual(['x'])
  })

  it('has the calls and the text of an agent that calls tools by text', async () => {
    const answers = ['Thought: a\nAction: mail\nAction Input: {"q": "x"}', new Error('down')]
    const mail = FunctionTool.fromDefaults({ name: 'mail', schema: {}, fn: () => 'sent x' })
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [mail] })
    const memory = create()
    await expect(agent.chat('Mail!', { memory })).rejects.toThrow('down')
    expect((await memory.getAll()).map(String)).toEqual([
      'user: Mail!',
      'assistant: (Called mail with {"q":"x"}: sent x)\n',
    ])
  })
})

it('a turn that continues does not take the question of a later one', async () => {
  const { agent } = setup([new Error('down'), 'Foo.', 'Hello.', 'Hi again.'])
  const memory = ChatMemoryBuffer.fromDefaults()
  await expect(agent.chat('Hi', { memory, taskId: 't' })).rejects.toThrow('down')
  await agent.chat('Foo?', { memory })
  await agent.chat('Hi', { memory })
  await agent.runTask('t')
  expect(shape(memory.getAll())).toEqual([
    'user: Foo?',
    'assistant: Foo.',
    'user: Hi',
    'assistant: Hello.',
    'user: Hi',
    'assistant: Hi again.',
  ])
})

it('a fork of a task that failed does not have its turn in the conversation', async () => {
  const { agent, llm } = setup(['Hello.', ...failing(), 'Other.'])
  const memory = ChatMemoryBuffer.fromDefaults()
  await agent.chat('Hi', { memory })
  await expect(agent.chat('Mail!', { memory, taskId: 't' })).rejects.toThrow('down')
  const fork = await agent.forkTask('t')
  await agent.runTask(fork.taskId)
  const hello = ['user: Hi', 'assistant: Hello.']
  expect(llm.calls.at(-1)!.messages!.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
  ])
  expect(shape(await fork.memory.getAll())).toEqual([...hello, ...mailed, 'assistant: Other.'])
  expect(shape(memory.getAll())).toEqual([...hello, ...mailed])
})

it('a turn that was written in part is replaced when its task continues', async () => {
  const { agent } = setup([...failing(), 'Done.'])
  const memory = ChatMemoryBuffer.fromDefaults()
  let puts = 2
  const put = memory.put.bind(memory)
  memory.put = (message) => {
    if (puts-- === 0) throw new Error('disk full')
    put(message)
  }
  await expect(agent.chat('Mail!', { memory, taskId: 't' })).rejects.toThrow('down')
  expect(shape(memory.getAll())).toEqual(mailed.slice(0, 2))
  await agent.runTask('t')
  expect(shape(memory.getAll())).toEqual([...mailed, 'assistant: Done.'])
})

it('the memory of the runner receives finished tasks only', async () => {
  const { agent } = setup(failing())
  await expect(agent.chat('Mail!')).rejects.toThrow('down')
  expect(agent.chatHistory).toEqual([])
})

describe('a turn in a chat store', () => {
  const conversation = (chatStore: ChatStore = new SimpleChatStore()) => ({ chatStore, id: 'ann' })

  it('is written while it runs: the question, each call before it runs, and each step', async () => {
    const where = conversation()
    const seen: string[][] = []
    const look = async () => void seen.push(shape(await where.chatStore.getMessages('ann')))
    const llm = new ScriptedLLM({ answers: [calling('look', 'c1'), calling('look', 'c2'), 'Done.'], metadata })
    const tool = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => look().then(() => 'seen') })
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [tool] })
    await agent.conversation(where).chat('Look!')
    const unknown = ['assistant:  [look]', 'tool: Interrupted: it is unknown whether']
    const step = ['assistant:  [look]', 'tool: seen']
    expect(seen).toEqual([
      ['user: Look!', ...unknown],
      ['user: Look!', ...step, ...unknown],
    ])
    expect(shape(await where.chatStore.getMessages('ann'))).toEqual([
      'user: Look!',
      ...step,
      ...step,
      'assistant: Done.',
    ])
    expect(await turnsIn(where.chatStore).read('ann')).toMatchObject([{ state: 'done' }])
  })

  it('has the results of a step while the model is asked for the next one', async () => {
    const where = conversation()
    let answer = (_: string) => {}
    const next = new Promise<string>((resolve) => {
      answer = resolve
    })
    const { agent, llm } = setup([calling('mail', 'c1'), next])
    const run = agent.conversation(where).chat('Mail!')
    await expect.poll(() => llm.calls.length, { interval: 1 }).toBe(2)
    expect(await turnsIn(where.chatStore).read('ann')).toMatchObject([{ state: 'open', kept: 3 }])
    expect(shape(await where.chatStore.getMessages('ann'))).toEqual(mailed)
    answer('Done.')
    await run
  })

  it('has the text of an answer that streams after a second', async () => {
    const where = conversation()
    let go = (_: string) => {}
    const rest = new Promise<string>((resolve) => {
      go = resolve
    })
    const { agent } = setup([['Once ', 'upon ', rest]])
    const memory = new StoredChatMemory({ chatStore: where.chatStore, conversationId: where.id })
    const seen: string[][] = []
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      for await (const event of agent.runEvents('Go!', { memory })) {
        if (event.type !== 'text_delta') continue
        await pause(0)
        seen.push(shape(await where.chatStore.getMessages('ann')))
        if (event.delta === 'upon ') go('a time.')
        vi.setSystemTime(Date.now() + 500)
      }
    } finally {
      vi.useRealTimers()
    }
    expect(seen).toEqual([['user: Go!'], ['user: Go!'], ['user: Go!', 'assistant: Once upon a time.']])
  })

  it('is whole although another process has written less of it', async () => {
    const where = conversation()
    const rewrite = async () => {
      const turns = turnsIn(where.chatStore)
      const [{ task, messages }] = (await turns.read('ann')) as [Turn]
      await turns.save('ann', task, { marks: { state: 'open' }, from: 0, messages: messages.slice(0, 1) })
      return 'rewritten'
    }
    const tool = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: rewrite })
    const llm = new ScriptedLLM({ answers: [calling('look', 'c1'), 'Done.'], metadata })
    await FunctionCallingAgent.fromTools({ llm, tools: [tool] })
      .conversation(where)
      .chat('Look!')
    const found = shape(await where.chatStore.getMessages('ann'))
    expect(found).toEqual(['user: Look!', 'assistant:  [look]', 'tool: rewritten', 'assistant: Done.'])
  })

  it('has none of what an agent behind a tool does', async () => {
    const where = conversation()
    const seen: string[][] = []
    const look = async () => void seen.push(shape(await where.chatStore.getMessages('ann')))
    const tool = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => look().then(() => 'seen') })
    const model = (...answers: ScriptedAnswer[]) => new ScriptedLLM({ answers, metadata })
    const inner = FunctionCallingAgent.fromTools({ llm: model(calling('look', 'c2'), 'Inner.'), tools: [tool] })
    const sub = new AgentTool({ agent: inner, name: 'sub', description: '' })
    const llm = model(calling('sub', 'c1', '{"input":"Go!"}'), 'Done.')
    await FunctionCallingAgent.fromTools({ llm, tools: [sub] })
      .conversation(where)
      .chat('Go!')
    seen.push(shape(await where.chatStore.getMessages('ann')))
    const step = ['user: Go!', 'assistant:  [sub]']
    expect(seen).toEqual([
      [...step, 'tool: Interrupted: it is unknown whether'],
      [...step, 'tool: Inner.', 'assistant: Done.'],
    ])
  })

  it('keeps its place when a later message is answered first', async () => {
    const where = conversation()
    const { agent, llm } = setup([calling('pay', 'c1'), 'Not yet.', 'It is paid.'], {
      taskStore: journal(new MemoryTaskStore()),
    })
    const talk = agent.conversation(where)
    const error = await talk.chat('Pay!').catch((reason) => reason)
    await talk.chat('Did you pay?')
    expect(String(llm.calls[1]!.messages![2]!['content'])).toContain('waits for a decision')
    await agent.approve(error.taskId, 'c1')
    await agent.runTask(error.taskId)
    expect(shape(await talk.memory.getAll())).toEqual([
      'user: Pay!',
      'assistant:  [pay]',
      'tool: paid',
      'assistant: It is paid.',
      'user: Did you pay?',
      'assistant: Not yet.',
    ])
  })

  it('goes on while a later one leaves out messages: each request begins with a message of the user', async () => {
    const where = conversation()
    const long = 'word '.repeat(60)
    const answers = ['One.', calling('pay', 'c1'), calling('pay', 'c2'), calling('mail', 'c3'), 'Paid.', 'Mailed.']
    const { agent, llm } = setup(answers, { contextWindow: keepWithin({ maxTokens: 300, keepTurns: 1 }) })
    const talk = agent.conversation(where)
    await talk.chat(`One? ${long}`)
    const first = await talk.chat(`Pay! ${long}`).catch((reason) => reason)
    const second = await talk.chat(`Pay too! ${long}`).catch((reason) => reason)
    await agent.approve(first.taskId, 'c1')
    await agent.runTask(first.taskId)
    await agent.approve(second.taskId, 'c2')
    await agent.runTask(second.taskId)
    const roles = llm.calls.map(({ messages }) => messages!.map(({ role }) => role))
    expect(roles.map(([role]) => role)).toEqual(roles.map(() => 'user'))
  })

  it('is whole in a fork of a later task, also after it has gone on', async () => {
    const where = conversation()
    const store = new MemoryTaskStore()
    const openConversation = (conversationId: string) =>
      new StoredChatMemory({ chatStore: where.chatStore, conversationId })
    const options = { taskStore: journal(store, { openConversation }) }
    const { agent } = setup([calling('pay', 'c1'), 'Not yet.', calling('mail', 'c2'), 'It is paid.'], options)
    const talk = agent.conversation(where)
    const error = await talk.chat('Pay!').catch((reason) => reason)
    await talk.chat('Did you pay?', { taskId: 'late' })
    await agent.approve(error.taskId, 'c1')
    await agent.runTask(error.taskId)
    const { agent: next } = setup([], options)
    await next.resumeTask('late')
    const fork = await next.forkTask('late')
    expect(shape(await fork.memory.getAll())).toEqual([
      'user: Pay!',
      'assistant:  [pay]',
      'tool: paid',
      'assistant:  [mail]',
      'tool: sent x',
      'assistant: It is paid.',
    ])
  })

  it('is there once when its process ends before its task is finished, and an earlier turn goes on', async () => {
    const where = { chatStore: new SimpleChatStore(), id: 'ann' }
    const store = new MemoryTaskStore()
    const openConversation = (conversationId: string) =>
      new StoredChatMemory({ chatStore: where.chatStore, conversationId })
    const options = { taskStore: journal(store, { openConversation }) }
    const { agent } = setup([calling('pay', 'c1'), 'Not yet.', calling('mail', 'c2'), 'It is paid.'], options)
    const talk = agent.conversation(where)
    const error = await talk.chat('Pay!').catch((reason) => reason)
    const append = store.append.bind(store)
    let rows = ''
    store.append = (taskId, entries, ...rest) => {
      if (!JSON.stringify(entries).includes('"type":"finalized"')) return append(taskId, entries, ...rest)
      rows = JSON.stringify(where.chatStore.toDict())
      throw new Error('power cut')
    }
    await expect(talk.chat('Did you pay?', { taskId: 'late' })).rejects.toThrow('power cut')
    store.append = append
    // Nothing was written afterwards.
    const before = SimpleChatStore.fromDict(JSON.parse(rows))
    for (const key of before.getKeys()) where.chatStore.setMessages(key, before.getMessages(key))
    await agent.approve(error.taskId, 'c1')
    await agent.runTask(error.taskId)
    const { agent: next } = setup([], options)
    await next.resumeTask('late')
    expect(String(await next.runTask('late'))).toBe('Not yet.')
    const users = (await talk.memory.getAll()).filter(({ role }) => role === 'user')
    expect(shape(users)).toEqual(['user: Pay!', 'user: Did you pay?'])
  })

  it('loses the steps that are undone', async () => {
    const where = conversation()
    const { agent } = setup(failing())
    await expect(agent.conversation(where).chat('Mail!', { taskId: 't' })).rejects.toThrow('down')
    await agent.undoStep('t')
    expect(shape(await where.chatStore.getMessages('ann'))).toEqual(['user: Mail!'])
  })

  it('stays stopped when a guard decides after the stop', async () => {
    const where = conversation()
    let decide = () => {}
    const answer = () =>
      new Promise<undefined>((resolve) => {
        decide = () => resolve(undefined)
      })
    const said = calling('mail', 'c1').copy({ update: { content: 'I mail.' } })
    const { agent, sent } = setup([said], { guards: { answer } })
    const stop = new AbortController()
    const events: string[] = []
    const onEvent = ({ type }: AgentEvent) => void events.push(type)
    const run = agent.conversation(where).chat('Mail!', { signal: stop.signal, onEvent })
    setTimeout(() => stop.abort(), 20)
    await expect(run).rejects.toMatchObject({ code: 'abort' })
    const before = [...events]
    decide()
    await pause(20)
    expect(sent).toEqual([])
    expect(events).toEqual(before)
    expect(await turnsIn(where.chatStore).read('ann')).toMatchObject([{ state: 'stopped' }])
  })

  it('is not changed by a fork of its task', async () => {
    const where = conversation()
    const { agent } = setup([...failing(), 'Other.'])
    await expect(agent.conversation(where).chat('Mail!', { taskId: 't' })).rejects.toThrow('down')
    const fork = await agent.forkTask('t', { atStep: 1 })
    expect(String(await agent.runTask(fork.taskId))).toBe('Other.')
    expect(shape(await where.chatStore.getMessages('ann'))).toEqual(mailed)
  })

  it('is marked as failed if its task cannot begin', async () => {
    const where = conversation()
    const { agent } = setup([])
    Object.assign(agent.agentWorker, { initializeStep: () => Promise.reject(new Error('no')) })
    await expect(agent.conversation(where).chat('Hi')).rejects.toThrow('no')
    expect(await turnsIn(where.chatStore).read('ann')).toMatchObject([{ state: 'failed' }])
  })

  it('refuses a store with other messages', () => {
    const { agent } = setup([])
    const memory = ChatMemoryBuffer.fromDefaults()
    expect(() => agent.conversation({ ...conversation(), memory })).toThrow('cannot be combined')
    expect(() => agent.conversation({ chatStore: new SimpleChatStore() })).toThrow('conversationId')
    expect(() => agent.conversation({ chatHstory: [] } as never)).toThrow('did you mean chatHistory?')
    expect(() => agent.conversation({ ...conversation(), id: '' })).toThrow('a string that is not empty')
  })
})

it('a lasting conversation of an agent behind a tool is in the same chat store', async () => {
  const chatStore = new SimpleChatStore()
  const inner = new ScriptedLLM({ answers: ['Answer: Hello Ann.', 'Answer: Ann.'] })
  const ask = new AgentTool({ agent: ReActAgent.fromTools({ llm: inner }), name: 'expert', conversation: 'lasting' })
  const answers = [
    calling('expert', 'c1', '{"input":"I am Ann."}'),
    'Hi.',
    calling('expert', 'c2', '{"input":"Who?"}'),
    'Ann.',
  ]
  const agent = FunctionCallingAgent.fromTools({ llm: new ScriptedLLM({ answers, metadata }), tools: [ask] })
  for (const text of ['I am Ann.', 'Who am I?'])
    await agent.chat(text, { memory: new StoredChatMemory({ chatStore, conversationId: 'ann' }) })
  expect(inner.calls[1]!.messages!.slice(1).map(({ content }) => content)).toEqual(['I am Ann.', 'Hello Ann.', 'Who?'])
  expect(chatStore.getMessages('ann/expert').map(String)).toHaveLength(4)
})

const seen = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content).join(' | ')

describe('once', () => {
  it('neither sees nor leaves messages in the memory of the agent', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    expect((await agent.once('My salary is 5000.')).response).toBe('My salary is 5000.')
    expect((await agent.once('Hello?')).response).toBe('Hello?')
    await agent.chat('A')
    expect((await agent.once('B')).response).toBe('B')
    expect((await agent.chat('C')).response).toBe('A | A | C')
  })

  it('serves several users at the same time, also while a chat runs', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    const answers = await Promise.all([agent.chat('A'), agent.once('B'), agent.once('C')])
    expect(answers.map(String)).toEqual(['A', 'B', 'C'])
  })

  it('begins with the chat history, which stays out of the memory', async () => {
    const llm = new ScriptedLLM({ answers: (messages) => seen(messages as ChatMessage[]), metadata })
    const agent = agentFromLlm({ llm })
    const chatHistory = [new ChatMessage({ content: 'A' }), new ChatMessage({ role: 'assistant', content: 'B' })]
    expect(String(await agent.once('C', { chatHistory }))).toBe('A | B | C')
    expect(String(await agent.chat('D'))).toBe('D')
  })

  it('waits for approvals in its task', async () => {
    const tool_calls = [{ id: 'a', type: 'function', function: { name: 'pay', arguments: '{}' } }]
    const call = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls } })
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      schema: { type: 'object' },
      needsApproval: true,
      fn: () => 'ok',
    })
    const agent = agentFromLlm({ llm: new ScriptedLLM({ answers: [call, 'Paid.'], metadata }), tools: [pay] })
    const error = await agent.once('Pay', { taskId: 't' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'approval_required' })
    await agent.approve('t', agent.getPendingApprovals('t')[0]!.id)
    expect(String(await agent.runTask('t'))).toBe('Paid.')
    expect(await agent.memory.getAll()).toEqual([])
  })
})
