import { describe, expect, it } from 'vitest'
import { issuesOf, pathsOf } from '../../../../tools/thrown.ts'
import { ChatMessage, chatMessages } from './chat-message.ts'
import { isTextPart, type MessageContent } from './content-part.ts'
import { messageText } from './message-content.ts'
import { messageRoles } from './message-role.ts'
import { messagesToHistoryStr, messagesToPrompt, promptToMessages } from './render-messages.ts'
import {
  ChatResponse,
  CompletionResponse,
  chatToCompletionResponse,
  completionToChatResponse,
  LLMMetadata,
} from './responses.ts'

const parts = [
  { type: 'image_url', url: 'u' },
  { type: 'text', text: 'a' },
  { type: 'text', text: 'b' },
]

describe('ChatMessage', () => {
  it('is an empty user message by default', () => {
    expect(new ChatMessage().toDict()).toEqual({ role: 'user', content: '', additional_kwargs: {} })
  })

  it('accepts exactly the known roles', () => {
    expect(messageRoles.map((role) => new ChatMessage({ role }).role)).toEqual([
      'system',
      'user',
      'assistant',
      'function',
      'tool',
      'chatbot',
    ])
    for (const role of ['User', 'model', '', null])
      expect(pathsOf(() => new ChatMessage({ role: role as never }))).toEqual(['role'])
  })

  it('accepts any content including null, but additionalKwargs only as an object', () => {
    for (const content of [null, 5, parts])
      expect(new ChatMessage({ content: content as MessageContent }).content).toEqual(content)
    expect(pathsOf(() => new ChatMessage({ additionalKwargs: null as never }))).toEqual(['additionalKwargs'])
  })

  it.each<[unknown, string]>([
    ['text', 'text'],
    [null, ''],
    [undefined, ''],
    [parts, 'a\nb'],
    [[{ type: 'image_url' }], '[{"type":"image_url"}]'],
    [[{ type: 'reasoning', text: 'Hm.' }], ''],
    [[{ type: 'reasoning', text: 'Hm.' }, ...parts], 'a\nb'],
    [[], '[]'],
    [{ a: 1 }, '{"a":1}'],
    [0, '0'],
  ])('%j has the text %j', (content, text) => {
    expect(messageText({ content })).toBe(text)
    expect(String(ChatMessage.construct({ role: 'tool', content }))).toBe(`tool: ${text}`)
  })

  it('isTextPart requires type and text', () => {
    expect(
      [{ type: 'text', text: '' }, { type: 'text' }, { type: 'text', text: 5 }, { text: 'a' }, null, 'a'].map(
        isTextPart,
      ),
    ).toEqual([true, false, false, false, false, false])
  })
})

describe('rendering messages', () => {
  const messages = [
    new ChatMessage({ role: 'system', content: 'Be brief.' }),
    new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool: { b: 1, a: [] } } }),
    ChatMessage.fromDict({ content: parts }),
  ]

  it('writes one block per message, with additionalKwargs as JSON', () => {
    expect(messagesToHistoryStr(messages)).toBe('system: Be brief.\nassistant: \n{"tool":{"b":1,"a":[]}}\nuser: a\nb')
    expect(messagesToHistoryStr([])).toBe('')
  })

  it('ends with the start of an assistant message', () => {
    expect(messagesToPrompt(messages.slice(0, 1))).toBe('system: Be brief.\nassistant: ')
    expect(messagesToPrompt([])).toBe('assistant: ')
  })

  it('converts a prompt to one user message', () => {
    expect(promptToMessages('p').map((message) => message.toDict())).toEqual([
      { role: 'user', content: 'p', additional_kwargs: {} },
    ])
  })
})

describe('responses', () => {
  const completion = new CompletionResponse({ text: 't', additionalKwargs: { a: 1 }, raw: { r: 1 }, delta: 'd' })

  it('require their content', () => {
    expect(pathsOf(() => new ChatResponse({} as never))).toEqual(['message'])
    expect(pathsOf(() => new ChatResponse({ message: null as never }))).toEqual(['message'])
    expect(pathsOf(() => new CompletionResponse({ text: null as never }))).toEqual(['text'])
  })

  it('convert to a string by their text', () => {
    expect(String(completion)).toBe('t')
    expect(String(new ChatResponse({ message: { content: null } }))).toBe('')
  })

  it('convert from a completion to an assistant message with its additionalKwargs', () => {
    const chat = completionToChatResponse(completion)
    expect(chat.toDict()).toEqual({
      message: { role: 'assistant', content: 't', additional_kwargs: { a: 1 } },
      raw: { r: 1 },
      delta: null,
      additional_kwargs: {},
    })
    expect(completionToChatResponse(completion, { stream: true }).delta).toBe('d')
  })

  it.each([[[1]], ['text'], [2]])('reject %j as raw data, as LlamaIndex for Python does', (raw) => {
    for (const read of [
      () => ChatResponse.fromDict({ message: {}, raw }),
      () => CompletionResponse.fromDict({ text: '', raw }),
      () => new CompletionResponse({ text: '', raw: raw as never }),
    ])
      expect(issuesOf(read)).toMatchObject([{ path: 'raw', code: 'type' }])
  })

  it('convert from a chat answer to a completion with the additionalKwargs of its message', () => {
    const chat = new ChatResponse({
      message: { content: null, additionalKwargs: { m: 1 } },
      additionalKwargs: { r: 1 },
      raw: { n: 2 },
      delta: 'd',
    })
    expect(chatToCompletionResponse(chat).toDict()).toEqual({
      text: '',
      additional_kwargs: { m: 1 },
      raw: { n: 2 },
      delta: null,
    })
    expect(chatToCompletionResponse(chat, { stream: true }).delta).toBe('d')
  })

  it('include metadata with defaults', () => {
    expect(new LLMMetadata().toDict()).toEqual({
      context_window: 3900,
      num_output: 256,
      is_chat_model: false,
      is_function_calling_model: false,
      model_name: 'unknown',
      system_role: 'system',
    })
  })
})

it('messagesToPrompt writes bigints as digits, and omits the same values as JSON.stringify', () => {
  const additionalKwargs = { id: 12345678901234567890n, at: undefined }
  expect(messagesToHistoryStr([new ChatMessage({ content: [(2n ** 64n) as never], additionalKwargs })])).toBe(
    'user: [18446744073709551616]\n{"id":12345678901234567890}',
  )
  expect(messageText({ content: { at: new Date(0) } })).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
})

const message = new ChatMessage({ role: 'system', content: 'Be brief.' })

it('a string and content parts become one user message', () => {
  expect(chatMessages('Hi').map((each) => each.toDict())).toEqual([
    { role: 'user', content: 'Hi', additional_kwargs: {} },
  ])
  const parts = [
    { type: 'text' as const, text: 'Who is that?' },
    { type: 'image_url' as const, image_url: { url: 'a.png' } },
  ]
  expect(chatMessages(parts).map((each) => each.toDict())).toEqual([
    { role: 'user', content: parts, additional_kwargs: {} },
  ])
})

it('messages are returned unchanged', () => {
  expect(chatMessages(message)).toEqual([message])
  const messages = [message, message]
  expect(chatMessages(messages)).toBe(messages)
  expect(chatMessages([])).toEqual([])
  const typed = [Object.assign(new ChatMessage(), { type: 'mine' })]
  expect(chatMessages(typed)).toBe(typed)
})

it.each([[undefined], [null], [5], [{}], [[null]], [['Hi']], [[{ role: 'user', content: 'Hi' }]]])(
  '%j is refused',
  (input) => {
    expect(() => chatMessages(input as never, 'streamChat')).toThrow(
      /^streamChat\.messages: expected a string, content parts, a ChatMessage or an array of them, received /,
    )
  },
)
