/**
 * @module
 * Checks of the contract of chat stores.
 */
import { ChatMessage, type ChatStore } from '@x/core-model'
import { type ContractCheck, checksOf, expectEqual } from './contract-check.ts'

/** Keys that a store confuses if it trims, quotes or changes the case of keys. */
const CONFUSABLE_KEYS = ['ann', 'Ann', ' ann', '', "a'b", '__proto__', 'a\u0000b', '🍎', 'a/b']

/**
 * Returns the checks of the `ChatStore` contract of `@x/core-model`, for synchronous and asynchronous stores. Use them with any test runner:
 * each check rejects if the store violates the rule in its name.
 * @param create - returns a new, empty store for each check
 * @example
 * import { chatStoreChecks } from '@x/testing/storage'
 * for (const { run } of chatStoreChecks(() => new SimpleChatStore())) await run()
 */
export function chatStoreChecks(create: () => ChatStore | Promise<ChatStore>): readonly ContractCheck[] {
  return checksOf(create, checks)
}

const message = (content: string) => new ChatMessage({ content })
const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content)

const checks: Record<string, (store: ChatStore) => Promise<void>> = {
  'returns messages in the order in which they were added': async (store) => {
    const expected = Array.from({ length: 30 }, (_, i) => `m${i}`)
    for (const content of expected) await store.addMessage('ann', message(content))
    expectEqual('getMessages', contents(await store.getMessages('ann')), expected)
  },

  'keeps messages whole': async (store) => {
    const whole = new ChatMessage({
      role: 'assistant',
      content: [{ type: 'text', text: 'a\u0000b é 🍎' }],
      additionalKwargs: { z: 1, a: { '10': [1.5, null], big: 2n ** 70n } },
    })
    await store.addMessage('ann', whole)
    await store.setMessages('bob', [whole])
    for (const key of ['ann', 'bob'])
      expectEqual(
        key,
        (await store.getMessages(key)).map((found) => found.toDict()),
        [whole.toDict()],
      )
  },

  'adds a message before another one': async (store) => {
    await store.setMessages('ann', ['a', 'b', 'c'].map(message))
    await store.addMessage('ann', message('first'), 0)
    await store.addMessage('ann', message('third'), 2)
    await store.addMessage('ann', message('last'), 99)
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['first', 'a', 'third', 'b', 'c', 'last'])
  },

  'replaces all messages of a key': async (store) => {
    await store.setMessages('ann', ['a', 'b'].map(message))
    await store.setMessages('ann', [message('c')])
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['c'])
    await store.setMessages('ann', [])
    await store.addMessage('ann', message('d'))
    expectEqual('after an empty list', contents(await store.getMessages('ann')), ['d'])
  },

  'deletes a key and returns its messages, or null for an unknown key': async (store) => {
    await store.setMessages('ann', ['a', 'b'].map(message))
    expectEqual('deleteMessages', contents((await store.deleteMessages('ann')) ?? []), ['a', 'b'])
    expectEqual('getMessages', contents(await store.getMessages('ann')), [])
    expectEqual('deleteMessages of an unknown key', await store.deleteMessages('ann'), null)
  },

  'keeps keys apart': async (store) => {
    for (const key of CONFUSABLE_KEYS) await store.addMessage(key, message(`of ${key}`))
    for (const key of CONFUSABLE_KEYS)
      expectEqual(JSON.stringify(key), contents(await store.getMessages(key)), [`of ${key}`])
  },

  'returns lists of its own': async (store) => {
    const messages = [message('a')]
    await store.setMessages('ann', messages)
    messages.push(message('b'))
    ;(await store.getMessages('ann')).push(message('c'))
    expectEqual('getMessages', contents(await store.getMessages('ann')), ['a'])
  },

  'loses no message when several are added at the same time': async (store) => {
    const added = Array.from({ length: 20 }, (_, i) => `m${i}`)
    await Promise.all(added.map(async (content) => store.addMessage('ann', message(content))))
    expectEqual('getMessages', contents(await store.getMessages('ann')).sort(), [...added].sort())
  },
}
