import { describe, expect, it } from 'vitest'
import { ChatMessage } from './chat-message.ts'
import { SimpleChatStore } from './simple-chat-store.ts'

describe('SimpleChatStore', () => {
  it('stores arrays by key and returns copies', () => {
    const store = new SimpleChatStore()
    store.setMessages('a', [new ChatMessage({ content: '1' }), new ChatMessage({ content: '3' })])
    store.addMessage('a', new ChatMessage({ content: '2' }), 1)
    store.addMessage('b', new ChatMessage({ content: 'x' }))
    store.getMessages('a').pop()
    expect(store.getMessages('a').map(({ content }) => content)).toEqual(['1', '2', '3'])
    expect(store.getMessages('none')).toEqual([])
    expect(store.getKeys()).toEqual(['a', 'b'])
    expect(store.deleteMessage('a', 0)?.content).toBe('1')
    expect(store.deleteMessage('a', 9)).toBeNull()
    expect(store.deleteLastMessage('a')?.content).toBe('3')
    expect(store.deleteMessages('a')?.map(({ content }) => content)).toEqual(['2'])
    expect([store.deleteMessages('a'), store.deleteLastMessage('a')]).toEqual([null, null])
  })

  it('reads its own dict', () => {
    const store = new SimpleChatStore()
    store.addMessage('a', new ChatMessage({ role: 'assistant', content: 'é' }))
    expect(SimpleChatStore.fromDict(store.toDict()).toDict()).toEqual(store.toDict())
  })

  it('reads data without a class name, as Python does', () => {
    const store = { ann: [{ role: 'user', content: 'Hello', additional_kwargs: {} }] }
    expect(SimpleChatStore.fromDict({ store }).toDict()).toEqual({ store, class_name: 'SimpleChatStore' })
  })

  it.each([null, {}, { store: {}, class_name: 'RedisChatStore' }, { store: { a: 1 }, class_name: 'SimpleChatStore' }])(
    'rejects %j',
    (data) => {
      expect(() => SimpleChatStore.fromDict(data)).toThrow(expect.objectContaining({ code: 'chat_store' }))
    },
  )
})

it.each<[string, string, (store: SimpleChatStore, message: ChatMessage) => void]>([
  ['a string as message', 'addMessage.message', (store) => store.addMessage('a', 'Hello' as never)],
  ['fields as message', 'addMessage.message', (store) => store.addMessage('a', { content: 'Hello' } as never)],
  ['no key', 'addMessage.key', (store, message) => store.addMessage(undefined as never, message)],
  ['one message for an array', 'setMessages.messages', (store, message) => store.setMessages('a', message as never)],
  ['null in an array', 'setMessages.messages', (store) => store.setMessages('a', [null] as never)],
  ['a number as key', 'getMessages.key', (store) => store.getMessages(5 as never)],
  ['a number as key', 'getLast.key', (store) => store.getLast(5 as never, 1)],
  ['NaN as count', 'getLast.count', (store) => store.getLast('a', Number.NaN)],
  ['a number as key', 'deleteMessages.key', (store) => store.deleteMessages(5 as never)],
  ['null as key', 'deleteMessage.key', (store) => store.deleteMessage(null as never, 0)],
  ['no key', 'deleteLastMessage.key', (store) => store.deleteLastMessage(undefined as never)],
])('refuses %s', (_, place, call) => {
  const store = new SimpleChatStore()
  expect(() => call(store, new ChatMessage())).toThrow(
    expect.objectContaining({ code: 'model_validation', message: expect.stringMatching(`^${place}: expected `) }),
  )
  expect(store.getKeys()).toEqual([])
})
