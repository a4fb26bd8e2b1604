/**
 * @module
 * Checks of chats: how a turn can end, and what the model, the store and the world know of it. For any chat store and any handler.
 */
import type { FunctionCallingAgent } from '@x/agents'
import { type ChatTurn, chatKey } from '@x/chats'
import { type ChatMessage, type ChatStore, messageText, type Turn, toolCallsOf } from '@x/core-model'
import { turnsIn } from '@x/core-model/memory'
import type { TaskRun } from '@x/durable'
import { type ContractCheck, ContractError, expectEqual } from '../storage/contract-check.ts'
import { ScriptedChat } from './scripted-chat.ts'

/** Returns the agent of the checks: for the handler, or, with what its run needs, for the worker of an engine. */
export type CheckedAgent = (run?: Partial<TaskRun>) => FunctionCallingAgent

/** A chat application that is checked. */
export interface CheckedChat {
  chatStore: ChatStore
  /** Sends a message or decisions, in the form of the handler, and returns its response, whose text has the words of the answer. */
  send(turn: ChatTurn & { readonly id: string }): Promise<Response>
  /** Stops the answer of a chat. Resolves when the chat is free. */
  stop(id: string): Promise<unknown>
  /**
   * Ends the process of the handler, and that of the worker, if there is one, without a chance to write; returns the application in a new
   * process, with the same stores. @defaultValue the checks of a process that ends are left out
   */
  restart?: (() => CheckedChat | Promise<CheckedChat>) | undefined
  /** Returns the key of a chat in the store. @defaultValue `chatKey('ann', id)` */
  keyOf?: ((id: string) => string) | undefined
}

/** Options of {@link chatChecks}. */
interface ChatChecksOptions {
  /** Whether a failed task continues when its message is sent again, or is a new task that receives what was done. @defaultValue true */
  retries?: boolean | undefined
}

/**
 * Returns the checks of a chat: after every end of a turn (an error behind an effect, a stop, the end of the process, a call that waits or
 * was rejected, a limit), the next message's model is sent what was said and done, the store has it in order and valid for a model, and a
 * message that is sent again has no effect under another key.
 * @param create - returns the application with a chat store and a handler, for each check. The handler must use the agent, and keep a run
 * when its client disconnects, such as `chatRoute` of `@x/chats` with `streams`.
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 * import { chatRoute, memoryChatStreams } from '@x/chats'
 * import { chatChecks } from '@x/testing/chats'
 *
 * const words = { read: (body: unknown) => body as never, async *lines(events: AsyncIterable<object>) {
 *   for await (const event of events) yield `${JSON.stringify(event)}\n`
 * } }
 * const checks = chatChecks((agent) => {
 *   const chatStore = new SimpleChatStore()
 *   const streams = memoryChatStreams()
 *   const handle = chatRoute({ agent: agent(), user: () => 'ann', chatStore, streams }, words)
 *   const url = 'https://a.example/chat'
 *   const headers = { 'content-type': 'application/json' }
 *   return {
 *     chatStore,
 *     send: (turn) => handle(new Request(url, { method: 'POST', headers, body: JSON.stringify(turn) })),
 *     stop: (id) => handle(new Request(`${url}/${id}/stream`, { method: 'DELETE' })),
 *   }
 * })
 * for (const { run } of checks) await run()
 */
export function chatChecks(
  create: (agent: CheckedAgent) => CheckedChat | Promise<CheckedChat>,
  { retries = true }: ChatChecksOptions = {},
): readonly ContractCheck[] {
  const scripted = new ScriptedChat()
  const chatOf = async (id: string) => new Chat(id, scripted, await create((run) => scripted.agent(run)))
  const checks = ends.map(({ name, happens, expected }, i) => ({
    name: `the model and the store know what was said and done: ${name}`,
    run: async () => {
      const chat = await chatOf(`end${i}`)
      if ((await happens(chat)) === 'left out') return
      const answer = await chat.say('next')
      expectMatch('the answer to the next message', answer, /To next/)
      const between = scripted.asked(`next ${chat.id}`).slice(1, -1)
      expectMatch('what the model is sent', between.map(textOf).join(' '), expected)
      await chat.expectWhole(2)
    },
  }))
  const again = {
    name: 'a message that is sent again after a failure has no effect under another key',
    run: async () => {
      const chat = await chatOf('again')
      await chat.say('mail fails', 'm')
      expectMatch('the answer', await chat.say('mail fails', 'm'), /To mail fails/)
      await chat.expectWhole(1)
      if (retries) expectEqual('the number of effects', scripted.effects.get('again')?.length, 1)
      else
        expectMatch(
          'what the model is sent',
          scripted.asked('again').map(textOf).join(' '),
          /did it for again.*did it/s,
        )
    },
  }
  const twice = {
    name: 'a message that is sent twice has one answer, and messages stay in order',
    run: async () => {
      const chat = await chatOf('order')
      for (const id of ['a', 'b', 'b', 'c']) await chat.say(`mail ${id}`, id, 'send')
      await chat.expectWhole(3)
      expectEqual(
        'the messages of the turns',
        (await chat.turns()).map(({ message }) => message),
        ['a', 'b', 'c'],
      )
      expectEqual('the number of effects', scripted.effects.get('order')?.length, 3)
    },
  }
  return [...checks, again, twice]
}

/** What an end is: what happens, and what the model is sent of it. */
interface End {
  name: string
  happens(chat: Chat): Promise<unknown>
  /** The messages between the question and the next one, as text and calls. */
  expected: RegExp
}

const ends: readonly End[] = [
  {
    name: 'it failed behind an effect',
    happens: (chat) => chat.say('mail fails'),
    expected: /^I mail\.\s*\[mail\] \(did it for .*\)$/,
  },
  {
    name: 'it was stopped in a call',
    happens: async (chat) => {
      await chat.begin('hang', chat.scripted.hangs(chat.id))
      await chat.app.stop(chat.id)
    },
    expected: /^I hang\.\s*\[hang\] \(Interrupted: .*unknown/,
  },
  {
    name: 'it was stopped in a text',
    happens: async (chat) => {
      await chat.begin('slow', /To slow/)
      await chat.app.stop(chat.id)
    },
    expected: /^To slow .*\.\s*$/,
  },
  {
    name: 'its process has ended in a call',
    happens: async (chat) => {
      const { restart } = chat.app
      if (!restart) return 'left out'
      await chat.begin('hang', chat.scripted.hangs(chat.id))
      chat.app = await restart()
      // A worker takes the task up again, and hangs again.
      await chat.app.stop(chat.id)
      return undefined
    },
    expected: /^I hang\.\s*\[hang\] \(Interrupted: .*unknown/,
  },
  {
    name: 'its process has ended in a call, and the next one goes on',
    happens: async (chat) => {
      const { restart } = chat.app
      if (!restart) return 'left out'
      await chat.begin('crash', chat.scripted.hangs(chat.id))
      chat.app = await restart()
      expectMatch('the answer', await chat.say('crash', 'm1', 'send'), /To crash/)
      const keys = chat.scripted.effects.get(chat.id) ?? []
      expectEqual('the attempts of the call and their keys', keys, [keys[0], keys[0]])
      return undefined
    },
    expected: /^I crash\.\s*\[crash\] \(did it for .*\) To crash /,
  },
  {
    name: 'a call waits',
    happens: (chat) => chat.say('buy'),
    expected: /^I buy\.\s*\[buy\] \(.*waits for a decision/,
  },
  {
    name: 'a call was rejected',
    happens: async (chat) => {
      await chat.say('buy')
      const { task: taskId, waiting = [] } = (await chat.turns())[0]!
      const decisions = waiting.map((call) => ({
        callId: (call as { id: string }).id,
        type: 'reject' as const,
        reason: 'too dear',
      }))
      await (await chat.app.send({ id: chat.id, taskId, decisions })).text()
    },
    expected: /^I buy\.\s*\[buy\] \((?=[^)]*too dear)[^)]*\) To buy /,
  },
  {
    name: 'it reached a limit',
    happens: (chat) => chat.say('mail loop'),
    expected: /^(I mail\.\s*\[mail\] \(did it for .*?\)\s*)+/,
  },
]

/** A chat with the application. */
class Chat {
  readonly id: string
  readonly scripted: ScriptedChat
  app: CheckedChat
  private messages = 0

  constructor(id: string, scripted: ScriptedChat, app: CheckedChat) {
    this.id = id
    this.scripted = scripted
    this.app = app
  }

  /** Says something, and returns the text of the response. */
  async say(words: string, messageId = `m${++this.messages}`, asks?: 'send'): Promise<string> {
    return (await this.send(words, messageId, asks)).text()
  }

  /** Says something whose answer does not end, until it has come so far. */
  async begin(words: string, isThere: Promise<void> | RegExp): Promise<void> {
    const response = await this.send(words, `m${++this.messages}`)
    const reader = response.body!.pipeThrough(new TextDecoderStream() as never).getReader()
    if (isThere instanceof RegExp) for (let read = ''; !isThere.test(read); ) read += (await reader.read()).value ?? ''
    else await isThere
    void reader.cancel().catch(() => {})
  }

  async turns(): Promise<readonly Turn[]> {
    const { keyOf = (id: string) => chatKey('ann', id), chatStore } = this.app
    return turnsIn(chatStore).read(keyOf(this.id))
  }

  /** Expects so many turns in the store, whose messages every model accepts. */
  async expectWhole(count: number): Promise<void> {
    const turns = await this.turns()
    expectEqual('the number of turns in the store', turns.length, count)
    const { keyOf = (id: string) => chatKey('ann', id), chatStore } = this.app
    const messages = await chatStore.getMessages(keyOf(this.id))
    expectEqual('the messages of the turns', turns.flatMap((turn) => turn.messages).map(textOf), messages.map(textOf))
    let open: (string | null | undefined)[] = []
    for (const message of messages) {
      const { role } = message
      if (role !== 'tool') {
        expectEqual(`the calls without a result before "${textOf(message)}"`, open, [])
        open = role === 'assistant' ? toolCallsOf(message).map(({ id }) => id) : []
      } else {
        const id = message.additionalKwargs['tool_call_id'] as string
        if (!open.includes(id)) throw new ContractError('the result of a call', open, id)
        open = open.filter((one) => one !== id)
      }
    }
    expectEqual('the calls without a result', open, [])
  }

  private send(words: string, messageId: string, asks?: 'send'): Promise<Response> {
    return this.app.send({ id: this.id, content: `${words} ${this.id}`, messageId, ...(asks && { asks }) })
  }
}

function textOf(message: ChatMessage): string {
  const text = messageText(message).trim()
  if (message.role === 'tool') return `(${text})`
  return [text, ...toolCallsOf(message).map(({ name }) => `[${name}]`)].filter((word) => word !== '').join(' ')
}

function expectMatch(what: string, received: string, expected: RegExp): void {
  if (!expected.test(received)) throw new ContractError(what, String(expected), received)
}
