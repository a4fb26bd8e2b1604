import { MemoryTaskStore } from '@x/agents'
import type { ChatTurn } from '@x/chats'
import { type ChatStore, isToolkitError, SimpleChatStore } from '@x/core-model'
import { StoredTasks } from '@x/durable'
import { FileChatStore } from '@x/storage/node'
import { afterAll, describe, expect, it } from 'vitest'
import { checkedChat } from '../../chats/test/checked-chat.ts'
import { type CheckedAgent, type CheckedChat, chatChecks } from './chats.ts'

describe('a chat in a file', () => {
  for (const { name, run } of chatChecks((agent) => checkedChat(agent, new FileChatStore()))) it(name, run)
})

/** A store that neither begins nor ends a call after its process has ended. */
function mortal<T extends object>(store: T, ended: AbortSignal): T {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => (ended.aborted ? new Promise(() => {}) : value.apply(target, args))
    },
  })
}

describe('a chat of durable tasks', () => {
  const started: StoredTasks[] = []
  afterAll(async () => {
    for (const tasks of started) await tasks.stop()
  })
  const appOf = async (agent: CheckedAgent, chatStore: ChatStore, store: MemoryTaskStore): Promise<CheckedChat> => {
    const ended = new AbortController()
    const own = mortal(chatStore, ended.signal)
    const tasks = new StoredTasks({ store: mortal(store, ended.signal), chatStore: own, agent, pollingIntervalMs: 10 })
    await tasks.start({ alone: true })
    started.push(tasks)
    const restart = () => {
      ended.abort()
      started.splice(started.indexOf(tasks), 1)
      void tasks.stop().catch(() => {})
      return appOf(agent, chatStore, store)
    }
    return { ...checkedChat(agent, own, { tasks, restart }), restart }
  }
  const checks = chatChecks((agent) => appOf(agent, new SimpleChatStore(), new MemoryTaskStore()))
  for (const { name, run } of checks) it(name, run)
})

describe('chatChecks', () => {
  /** The names of the checks that fail. */
  const failed = async (create: (agent: CheckedAgent) => CheckedChat) => {
    const names: string[] = []
    for (const { name, run } of chatChecks(create)) {
      await run().catch((error: unknown) => {
        if (!isToolkitError(error, 'contract')) throw error
        names.push(name)
      })
    }
    return names
  }

  class Lossy extends SimpleChatStore {
    override setMessages(key: string, messages: Parameters<SimpleChatStore['setMessages']>[1]): void {
      // Results of calls are lost.
      super.setMessages(
        key,
        messages.filter(({ role }) => role !== 'tool'),
      )
    }
  }

  class Reversed extends SimpleChatStore {
    override addMessage(...[key, message]: Parameters<SimpleChatStore['addMessage']>): void {
      super.addMessage(key, message, 0)
    }
  }

  it.each([
    ['loses results of calls', () => new Lossy()],
    ['adds at the wrong end', () => new Reversed()],
  ])('fails for a store that %s', async (_, newStore) => {
    expect(await failed((agent) => checkedChat(agent, newStore()))).not.toEqual([])
  })

  type Sent = Parameters<CheckedChat['send']>[0]
  it.each([
    ['forgets the ids of messages', ({ messageId: _, ...turn }: Sent & { messageId?: string }) => turn as Sent],
    [
      'asks for another answer to what is sent twice',
      (turn: Sent) => ('messageId' in turn ? ({ ...(turn as ChatTurn), asks: 'again' } as Sent) : turn),
    ],
  ])('fails for a handler that %s', async (_, changed) => {
    const create = (agent: CheckedAgent) => {
      const app = checkedChat(agent, new SimpleChatStore())
      return { ...app, send: (turn: Sent) => app.send(changed(turn)) }
    }
    expect(await failed(create)).toContain('a message that is sent twice has one answer, and messages stay in order')
  })

  it('fails for an application whose stop is not heard, and whose next process has another store', async () => {
    const create = (agent: CheckedAgent) => {
      const app = checkedChat(agent, new SimpleChatStore())
      return { ...app, restart: () => checkedChat(agent, new SimpleChatStore()) }
    }
    const ended = expect.stringContaining('its process has ended')
    expect(await failed(create)).toEqual([ended, ended])
  })
})
