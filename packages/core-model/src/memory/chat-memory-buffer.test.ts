import { describe, expect, it } from 'vitest'
import { defaultImageTokens } from '../chat-tokens.ts'
import { ChatMessage } from '../messages/chat-message.ts'
import type { MessageContent } from '../messages/content-part.ts'
import { LLMMetadata } from '../messages/responses.ts'
import { ChatMemoryBuffer, limitFor, memoryOf, messagesNow, moveMessages } from './chat-memory-buffer.ts'

const words = 'word '.repeat(1000).trim()
const forms: Record<string, MessageContent> = {
  string: words,
  parts: [{ type: 'text', text: words }],
  'parts with an image': [
    { type: 'text', text: words },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } },
  ],
}

describe.each(Object.entries(forms))('1,000 words as %s', (name, content) => {
  it('count as 1,000 tokens in the memory, plus the tokens of the image', () => {
    const tokens = name.endsWith('image') ? 1000 + defaultImageTokens : 1000
    const memory = (tokenLimit: number) =>
      ChatMemoryBuffer.fromDefaults({ chatHistory: [{ role: 'user', content }], tokenLimit })
    expect([memory(tokens).get().length, memory(tokens - 1).get().length]).toEqual([1, 0])
  })
})

it('ChatMemoryBuffer writes and reads integers beyond 2^53', () => {
  const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 100 })
  memory.put({ content: [{ id: 2n ** 64n } as never], additionalKwargs: { id: 1234567890123456789n } })
  expect(memory.toString()).toContain('{"id":1234567890123456789}')
  const again = ChatMemoryBuffer.fromString(memory.toString())
  expect(again.toDict()).toEqual(memory.toDict())
  expect(again.get()).toHaveLength(1)
})

it('ChatMemoryBuffer rejects a string that is not JSON', () => {
  expect(() => ChatMemoryBuffer.fromString('{"token_limit": }')).toThrow(
    expect.objectContaining({
      code: 'model_validation',
      message: expect.stringMatching(/^ChatMemoryBuffer: invalid JSON/),
    }),
  )
})

it('ChatMemoryBuffer reads the messages of newer versions of LlamaIndex for Python, which consist of blocks', () => {
  const message = { role: 'model', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'a' }] }
  const data = {
    chat_store: { store: { chat_history: [message] }, class_name: 'SimpleChatStore' },
    chat_store_key: 'chat_history',
    token_limit: 9,
    class_name: 'ChatMemoryBuffer',
  }
  expect(ChatMemoryBuffer.fromDict(data).getAll().map(String)).toEqual(['model: a'])
})

it('ChatMemoryBuffer reads the older form with a history, and rejects invalid data', () => {
  const chat_history = [{ role: 'assistant', content: 'a' }]
  expect(ChatMemoryBuffer.fromDict({ token_limit: 9, chat_history }).getAll().map(String)).toEqual(['assistant: a'])
  const bad = { token_limit: 9, chat_history: [{ role: 'boss' }], chat_store_key: 5 }
  expect(() => ChatMemoryBuffer.fromDict(bad)).toThrow(
    expect.objectContaining({
      code: 'model_validation',
      issues: [
        expect.objectContaining({ path: 'chatStoreKey' }),
        expect.objectContaining({ path: 'chatHistory[0].role' }),
      ],
    }),
  )
})

describe('ChatMemoryBuffer.fromDefaults', () => {
  it('limits the memory to three quarters of the context window, without a limit if the window is unknown', () => {
    const limit = (contextWindow: number | null) =>
      ChatMemoryBuffer.fromDefaults({ llm: { metadata: new LLMMetadata({ contextWindow }) } }).tokenLimit
    expect([limit(1000), limit(null)]).toEqual([750, Number.MAX_SAFE_INTEGER])
    expect(ChatMemoryBuffer.fromDefaults().tokenLimit).toBe(3000)
  })
})

describe('a subclass of ChatMemoryBuffer', () => {
  class LastOne extends ChatMemoryBuffer {
    static override className() {
      return 'LastOne'
    }
    override get() {
      return this.getAll().slice(-1)
    }
  }

  it('stays that class in all that returns a memory', () => {
    const memory = LastOne.fromDefaults({ chatHistory: [{ content: 'a' }, { content: 'b' }] })
    const made = [
      memory,
      memory.fresh(),
      memory.clone(),
      LastOne.fromDict(memory.toDict()),
      LastOne.fromString(`${memory}`),
    ]
    expect(made.map(({ constructor }) => constructor)).toEqual(made.map(() => LastOne))
    expect(made.map((one) => one.get().map(String))).toEqual([0, 1, 0, 0, 0].map((none) => (none ? [] : ['user: b'])))
    expect(memory.toDict().class_name).toBe('LastOne')
  })
})

describe('ChatMemoryBuffer.get', () => {
  const calls = (size: number) => [{ id: 'c', name: 'pay', arguments: JSON.stringify({ note: 'x '.repeat(size) }) }]

  it('counts the arguments of tool calls', () => {
    const memory = ChatMemoryBuffer.fromDefaults({
      tokenLimit: 100,
      chatHistory: [
        { role: 'user', content: 'Pay!' },
        { role: 'assistant', content: null, additionalKwargs: { tool_calls: calls(1000) } },
        { role: 'user', content: 'Again!' },
      ],
    })
    expect(memory.get().map(String)).toEqual(['user: Again!'])
  })

  it('counts each message once, and only the end of a long conversation', () => {
    const counted: string[] = []
    const tokenizerFn = (text: string) => {
      counted.push(text)
      return text.split(' ')
    }
    const memory = ChatMemoryBuffer.fromDefaults({
      tokenLimit: 3,
      tokenizerFn,
      chatHistory: Array.from({ length: 10_000 }, (_, i) => ({ role: 'user' as const, content: `m${i}` })),
    })
    const texts = () => counted.splice(0).filter((text) => text.startsWith('m'))
    expect(memory.get().map(({ content }) => content)).toEqual(['m9997', 'm9998', 'm9999'])
    expect(texts()).toEqual(['m9999', 'm9998', 'm9997', 'm9996'])
    memory.put({ content: 'm10000' })
    expect(memory.get()).toHaveLength(3)
    expect(texts()).toEqual(['m10000'])
  })

  it('counts a changed message again', () => {
    const message = new ChatMessage({ content: 'one' })
    const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 1, chatHistory: [message] })
    expect(memory.get()).toHaveLength(1)
    message.content = 'one two'
    expect(memory.get()).toHaveLength(0)
  })
})

describe('the options of a ChatMemoryBuffer', () => {
  it.each<[() => unknown, string]>([
    [() => new ChatMemoryBuffer({ tokenLimit: 0 }), 'ChatMemoryBuffer.tokenLimit: expected an integer of at least 1'],
    [() => new ChatMemoryBuffer({ tokenLimit: 1, limit: 1 } as never), 'ChatMemoryBuffer.limit: unknown option'],
    [() => ChatMemoryBuffer.fromDefaults({ tokenLimit: 0 }), 'ChatMemoryBuffer.fromDefaults.tokenLimit'],
    [() => ChatMemoryBuffer.fromDefaults({ llm: {} as never }), 'ChatMemoryBuffer.fromDefaults.llm: expected a model'],
    [() => ChatMemoryBuffer.fromDict({}), 'ChatMemoryBuffer.tokenLimit: expected an integer of at least 1'],
    [
      () => memoryOf('Agent', { memory: ChatMemoryBuffer.fromDefaults(), chatHistory: [] }),
      'Agent: memory and chatHistory cannot be combined',
    ],
  ])('are refused by %s', (make, message) => {
    expect(make).toThrow(message)
  })

  it('are written in the order of each line', () => {
    const memory = new ChatMemoryBuffer({ tokenLimit: 1 })
    const keys = ['token_limit', 'chat_store', 'chat_store_key', 'class_name']
    expect(Object.keys(memory.toDict())).toEqual(keys)
    expect(Object.keys(memory.toDict({ line: '0.10' }))).toEqual(keys)
    expect(Object.keys(memory.toDict({ line: '0.14' }))[0]).toBe('chat_store')
  })

  it('are used by memoryOf only where no memory is passed', () => {
    const memory = ChatMemoryBuffer.fromDefaults()
    expect(memoryOf('Agent', { memory, chatHistory: null })).toBe(memory)
    const made = memoryOf('Agent', { chatHistory: [{ content: 'a' }], llm: null }) as ChatMemoryBuffer
    expect([made.getAll().map(String), made.tokenLimit]).toEqual([['user: a'], limitFor(undefined)])
  })
})

describe('moveMessages', () => {
  it('moves all messages to the end of another memory', async () => {
    const from = ChatMemoryBuffer.fromDefaults({ chatHistory: [{ content: 'b' }, { content: 'c' }] })
    const to = ChatMemoryBuffer.fromDefaults({ chatHistory: [{ content: 'a' }] })
    await moveMessages(from, to)
    expect([messagesNow(from), messagesNow(to).map(String)]).toEqual([[], ['user: a', 'user: b', 'user: c']])
  })

  it('leaves what cannot be moved', async () => {
    const from = ChatMemoryBuffer.fromDefaults({ chatHistory: [{ content: 'a' }, { content: 'b' }, { content: 'c' }] })
    class Full extends ChatMemoryBuffer {
      override put(message: ChatMessage) {
        if (this.getAll().length === 1) throw new Error('full')
        super.put(message)
      }
    }
    const to = new Full({ tokenLimit: 9 })
    await expect(moveMessages(from, to)).rejects.toThrow('full')
    expect([from, to].map((memory) => memory.getAll().map(String))).toEqual([['user: b', 'user: c'], ['user: a']])
  })

  it('needs no memory in this process, unlike messagesNow', () => {
    const stored = { getAll: async () => Promise.reject(new Error('lost')) }
    expect(() => messagesNow(stored as never)).toThrow('the memory is asynchronous')
  })
})

it('ChatMemoryBuffer.get counts tokens that are used already, up to the limit', () => {
  const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 3, tokenizerFn: (text) => text.split(' ') })
  memory.put({ role: 'user', content: 'a b' })
  expect([0, 1, 2, 3].map((initialTokenCount) => memory.get({ initialTokenCount }).length)).toEqual([1, 1, 0, 0])
  expect(() => memory.get({ initialTokenCount: 4 })).toThrow(expect.objectContaining({ code: 'token_limit' }))
})

it.each<[string, (memory: ChatMemoryBuffer) => void]>([
  ['null', (memory) => memory.put(null as never)],
  ['a string', (memory) => memory.put('Hello' as never)],
  ['an array with null', (memory) => memory.set([null] as never)],
  ['one message for an array', (memory) => memory.set({ content: 'Hello' } as never)],
  ['a history with null', () => ChatMemoryBuffer.fromDefaults({ chatHistory: [null] as never })],
])('ChatMemoryBuffer refuses %s', (_, call) => {
  const memory = ChatMemoryBuffer.fromDefaults()
  expect(() => call(memory)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  expect(memory.getAll()).toEqual([])
})
