/** How the turn of a chat can end, and what the model is sent of it with the next message: for any chat store, with an agent or an engine. */
import {
  type FunctionCallingAgent as Agent,
  FunctionCallingAgent,
  FunctionTool,
  journal,
  MemoryTaskStore,
} from '@x/agents'
import { ChatMessage, type ChatStore, LLMMetadata, messageText, toolCallsOf } from '@x/core-model'
import { type DurableTasks, type TaskRun, TasksAgent } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { expect } from 'vitest'
import { chatRoute, memoryChatStreams } from '../src/index.ts'
import type { Route } from './chat-world.ts'
import { at, jsonLines, post } from './json-lines.ts'

/** The stores and the engine of the checks; without `tasks`, the agent runs in the process of the route. */
export interface EndsOf {
  chatStore: ChatStore
  tasks?: DurableTasks
}

export type AgentOf = (run: Partial<TaskRun>) => Agent

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
const schema = { type: 'object', properties: { chat: { type: 'string' } }, required: ['chat'] } as const

class Chats {
  /** The keys of the effects of each chat. */
  readonly effects = new Map<string, string[]>()
  readonly llm: ScriptedLLM
  private readonly failed = new Set<string>()
  private readonly hanging = new Map<string, () => void>()
  private calls = 0

  constructor() {
    this.llm = new ScriptedLLM({ metadata, answers: (messages) => this.answer(messages) as never })
  }

  agent({ taskStore, durable, newId, now }: Partial<TaskRun>): Agent {
    const tool = (name: string, needsApproval: boolean, fn: (chat: string, key: string) => unknown) =>
      FunctionTool.fromDefaults({
        name,
        schema,
        needsApproval,
        fn: (({ chat }: { chat: string }, { idempotencyKey = '' }) => fn(chat, idempotencyKey)) as never,
      })
    const note = (chat: string, key: string) => {
      this.effects.set(chat, [...(this.effects.get(chat) ?? []), key])
      return `did it for ${chat}`
    }
    const hang = (chat: string) => {
      this.hanging.get(chat)?.()
      return new Promise(() => {})
    }
    const tools = [tool('mail', false, note), tool('buy', true, note), tool('hang', false, hang)]
    // An engine stores the task itself.
    const own = taskStore ?? (durable ? undefined : journal(new MemoryTaskStore()))
    return FunctionCallingAgent.fromTools({
      llm: this.llm,
      tools,
      maxIterations: 3,
      taskStore: own,
      durable,
      newId,
      now,
    })
  }

  /** Resolves when the tool `hang` runs for a chat. */
  hangs(chat: string): Promise<void> {
    return new Promise((resolve) => void this.hanging.set(chat, resolve))
  }

  private answer(messages: readonly ChatMessage[]) {
    const from = messages.findLastIndex(({ role }) => role === 'user')
    const said = messageText(messages[from]!)
    const hasResults = messages.length > from + 1
    const name = ['mail', 'buy', 'hang'].find((one) => said.includes(one))
    if (hasResults && said.includes('fails') && !this.failed.has(said)) {
      this.failed.add(said)
      return new Error('planned')
    }
    if (name === undefined || (hasResults && !said.includes('loop')))
      return said.includes('slow') ? [`To ${said}. `, new Promise(() => {})] : `To ${said}.`
    const args = JSON.stringify({ chat: said.split(' ').at(-1) })
    const tool_calls = [{ id: `c${this.calls++}`, type: 'function', function: { name, arguments: args } }]
    return new ChatMessage({ role: 'assistant', content: `I ${name}. `, additionalKwargs: { tool_calls } })
  }
}

/** What an end is: what happens, and what the model is sent of it. */
interface End {
  name: string
  happens(chat: Chat): Promise<void>
  /** The messages between the question and the next one, as texts and calls. */
  expected: RegExp
  /** Whether the process of the agent must end. */
  ends?: boolean
}

class Chat {
  readonly id: string
  readonly chats: Chats
  route: Route
  private messages = 0

  constructor(id: string, chats: Chats, route: Route) {
    this.id = id
    this.chats = chats
    this.route = route
  }

  async say(content: string, more: object = {}): Promise<string> {
    const body = { id: this.id, content: `${content} ${this.id}`, messageId: `m${++this.messages}`, ...more }
    return (await this.route(post(body))).text()
  }

  /** Says something whose answer does not end, until it has come so far. */
  async begin(content: string, isThere: Promise<void> | RegExp): Promise<void> {
    const body = { id: this.id, content: `${content} ${this.id}`, messageId: `m${++this.messages}` }
    const reader = (await this.route(post(body))).body!.pipeThrough(new TextDecoderStream() as never).getReader()
    if (isThere instanceof RegExp) for (let read = ''; !isThere.test(read); ) read += (await reader.read()).value ?? ''
    else await isThere
    void reader.cancel()
  }

  async stop(): Promise<void> {
    expect((await at(this.route, 'DELETE', this.id)).status).toBe(204)
  }
}

const ends: readonly End[] = [
  {
    name: 'it failed behind an effect',
    happens: async (chat) => void (await chat.say('mail fails')),
    expected: /^I mail\.\s*\[mail\] \(did it for .*\)$/,
  },
  {
    name: 'it was stopped in a call',
    happens: async (chat) => {
      await chat.begin('hang', chat.chats.hangs(chat.id))
      await chat.stop()
    },
    expected: /^I hang\.\s*\[hang\] \(Interrupted: .*unknown.*\)$/,
  },
  {
    name: 'it was stopped in a text',
    happens: async (chat) => {
      await chat.begin('slow', /To slow/)
      await chat.stop()
    },
    expected: /^To slow .*\.\s*$/,
  },
  {
    name: 'its process has ended in a call',
    ends: true,
    happens: (chat) => chat.begin('hang', chat.chats.hangs(chat.id)),
    expected: /^I hang\.\s*\[hang\] \(Interrupted: .*unknown.*\)$/,
  },
  {
    name: 'a call waits',
    happens: async (chat) => void (await chat.say('buy')),
    expected: /^I buy\.\s*\[buy\] \(.*waits for a decision.*\)$/,
  },
  {
    name: 'a call was rejected',
    happens: async (chat) => {
      const lines = (await chat.say('buy')).trim().split('\n')
      const { taskId, calls } = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'approval_required')
      const decisions = [{ callId: calls[0].id, type: 'reject', reason: 'too dear' }]
      await (await chat.route(post({ id: chat.id, taskId, decisions }))).text()
    },
    expected: /^I buy\.\s*\[buy\] \(.*too dear.*\) To buy .*\.$/,
  },
  {
    name: 'it reached a limit',
    happens: async (chat) => void (await chat.say('mail loop')),
    expected: /^(I mail\.\s*\[mail\] \(did it for .*?\)\s*)+/,
  },
]

/**
 * Returns the checks.
 * @param make - is called for each of them, with the same agent.
 * @param options.retries - whether the engine can run a task again. @defaultValue true
 */
export function chatEnds(make: (agent: AgentOf) => EndsOf | Promise<EndsOf>, { retries = true } = {}) {
  const chats = new Chats()
  const agentOf: AgentOf = (run) => chats.agent(run)
  const chatOf = async (id: string) => {
    const { chatStore, tasks } = await make(agentOf)
    const routeOf = () =>
      chatRoute(
        {
          agent: (tasks ? new TasksAgent(tasks) : agentOf({})) as never,
          user: (request) => request.headers.get('x-user'),
          chatStore,
          streams: memoryChatStreams(),
        },
        jsonLines,
      )
    return { chat: new Chat(id, chats, routeOf()), routeOf, isDurable: tasks !== undefined }
  }
  const sees = ends.map(({ name, happens, expected, ends: isCrash = false }, i) => ({
    name: `the model is sent what was said and done: ${name}`,
    run: async () => {
      const { chat, routeOf, isDurable } = await chatOf(`end${i}`)
      // The processes of an engine are ended by its own tests.
      if (isCrash && isDurable) return
      await happens(chat)
      if (isCrash) chat.route = routeOf()
      expect(await chat.say('next')).toContain('To next')
      const { messages = [] } = chats.llm.calls.findLast((call) => JSON.stringify(call).includes(`next ${chat.id}`))!
      const between = messages.slice(1, -1).map((message) => textOf(ChatMessage.fromDict(message)))
      expect(between.join(' ')).toMatch(expected)
    },
  }))
  return [
    ...sees,
    {
      name: 'a message that is sent again after a failure has no effect under another key',
      run: async () => {
        const { chat } = await chatOf('again')
        expect(await chat.say('mail fails', { messageId: 'm' })).toContain('"type":"error"')
        expect(await chat.say('mail fails', { messageId: 'm' })).toContain('To mail fails')
        // Without `retry` it is a new task, which knows what was done.
        if (retries) expect(chats.effects.get('again')).toHaveLength(1)
        else expect(JSON.stringify(chats.llm.calls.at(-1))).toMatch(/did it for again.*did it for again/)
      },
    },
  ]
}

function textOf(message: ChatMessage): string {
  const text = messageText(message).trim()
  if (message.role === 'tool') return `(${text})`
  return [text, ...toolCallsOf(message).map(({ name }) => `[${name}]`)].filter((word) => word !== '').join(' ')
}
