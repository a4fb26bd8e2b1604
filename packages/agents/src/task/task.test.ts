import { ChatMessage, type ContentPart, SerializationError, UnknownClassNameError } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputText, Task, taskInput, withInput } from './task.ts'

const memory = ChatMemoryBuffer.fromDefaults({
  tokenLimit: 100,
  chatHistory: [new ChatMessage({ role: 'assistant', content: 'Hello' })],
})
const dict = {
  task_id: 't',
  input: 'Hi',
  memory: {
    token_limit: 100,
    chat_store: {
      store: { chat_history: [{ role: 'assistant', content: 'Hello', additional_kwargs: {} }] },
      class_name: 'SimpleChatStore',
    },
    chat_store_key: 'chat_history',
    class_name: 'ChatMemoryBuffer',
  },
  extra_state: { n: 1 },
  class_name: 'Task',
}

describe('Task in wire form', () => {
  it('writes its memory', () => {
    const task = new Task({ taskId: 't', input: 'Hi', memory, extraState: { n: 1 } })
    expect(task.toDict()).toEqual(dict)
    expect(Object.keys(task.toDict())).toEqual(Object.keys(dict))
  })

  it('reads its memory, also from data without class names', () => {
    const { class_name: _, ...unnamed } = dict.memory
    for (const data of [dict, { ...dict, class_name: undefined, memory: unnamed }]) {
      const task = Task.fromDict(data)
      expect(task.memory).toBeInstanceOf(ChatMemoryBuffer)
      expect(task.toDict()).toEqual(dict)
    }
    expect(Task.fromJson(JSON.stringify(dict)).toDict()).toEqual(dict)
  })

  it('uses a memory in the overrides instead', () => {
    const given = ChatMemoryBuffer.fromDefaults()
    expect(Task.fromDict(dict, { memory: given }).memory).toBe(given)
    expect(Task.fromDict({ input: 'Hi' }, { memory: given }).memory).toBe(given)
  })

  it('rejects data without a memory, and with a memory of another class', () => {
    expect(() => Task.fromDict({ input: 'Hi' })).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => Task.fromDict({ input: 'Hi', memory: { class_name: 'MyMemory' } })).toThrow(UnknownClassNameError)
  })

  it('throws an error that names the class of a memory without a JSON form', () => {
    const live = { get: () => [], getAll: () => [], put() {}, set() {}, reset() {} }
    class Live {
      constructor() {
        Object.assign(this, live)
      }
    }
    const task = new Task({ input: 'Hi', memory: new Live() as never })
    expect(() => task.toJson()).toThrow(SerializationError)
    expect(() => task.toJson()).toThrow('Task.memory')
  })
})

const image: ContentPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } }
const file: ContentPart = { type: 'file', file: { url: 'https://example.org/a.pdf', media_type: 'application/pdf' } }
const text = (words: string): ContentPart => ({ type: 'text', text: words })

describe('the input of a task', () => {
  it('is a string, also for a message that contains only a string', () => {
    for (const input of ['', 'Hello', new ChatMessage({ content: 'Hello' })])
      expect(taskInput(input)).toEqual({ input: String(inputOf(input)), inputMessage: null })
  })

  it('keeps content parts and additional data in a message', () => {
    expect(taskInput([text('Who'), image, text('is that?')])).toEqual({
      input: 'Who\nis that?',
      inputMessage: new ChatMessage({ content: [text('Who'), image, text('is that?')] }),
    })
    const named = new ChatMessage({ content: 'Hello', additionalKwargs: { name: 'ann' } })
    expect(taskInput(named)).toEqual({ input: 'Hello', inputMessage: named })
  })

  it('has a line per image and file if it has no text', () => {
    expect(taskInput([image, file]).input).toBe('[image image/png]\n[file https://example.org/a.pdf application/pdf]')
  })

  it.each<[string, unknown, string]>([
    ['no part', [], 'ChatMessage.content: expected at least one part, received none.'],
    ['null', null, 'ChatMessage.content: expected a string, content parts or a ChatMessage, received null.'],
    ['a number', 5, 'ChatMessage.content: expected a string, content parts or a ChatMessage, received 5.'],
    ['a message without content', new ChatMessage({ content: null }), 'ChatMessage.content: expected a string'],
    [
      'a message of the model',
      new ChatMessage({ role: 'assistant', content: 'x' }),
      'ChatMessage.role: expected "user", received "assistant".',
    ],
    ['a string as a part', ['x'], 'content[0]: expected a part of type text, image_url or file, received a string.'],
    ['text that is not a string', [{ type: 'text', text: 5 }], 'ChatMessage.content[0].text: expected a string.'],
    ['an unknown type', [text('a'), { type: 'image', image: 'AAAA' }], 'content[1]: expected a part of type'],
    ['reasoning', [{ type: 'reasoning', text: 'hm' }], 'received type "reasoning".'],
    ['an image without address', [{ type: 'image_url' }], 'content[0].image_url.url: expected an address'],
    ['an empty address', [{ type: 'image_url', image_url: { url: '' } }], 'content[0].image_url.url: expected'],
    ['a broken data URL', [{ type: 'file', file: { url: 'data:x', media_type: 'a/b' } }], 'received "data:x".'],
    ['a file without media type', [{ type: 'file', file: { url: 'a' } }], 'content[0].file.media_type: expected'],
    ['a data URL alone', [{ type: 'file', file: { url: 'data:a/b,' } }], 'expected a media type such as a/b.'],
    ['a bad part in a message', new ChatMessage({ content: [{ type: 'file' } as never] }), 'content[0].file.url'],
  ])('is rejected: %s', (_, input, message) => {
    expect(() => taskInput(input as never)).toThrow(
      expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(message) }),
    )
  })

  it('is rejected with an issue for every invalid part', () => {
    const input = [{ type: 'video' }, text('a'), { type: 'image_url' }] as never
    expect(() => taskInput(input)).toThrow(
      expect.objectContaining({
        issues: [{ path: 'content[0]' }, { path: 'content[2].image_url.url' }].map((issue) =>
          expect.objectContaining(issue),
        ),
      }),
    )
  })
})

const part = fc.oneof(
  fc.string().map(text),
  fc
    .string()
    .map((name): ContentPart => ({ type: 'image_url', image_url: { url: `https://a.b/${encodeURIComponent(name)}` } })),
  fc.base64String({ minLength: 4 }).map(
    (data): ContentPart => ({
      type: 'file',
      file: { url: `data:a/b;base64,${data}`, media_type: 'a/b', filename: 'f' },
    }),
  ),
)
const message = fc
  .record({ content: fc.array(part, { minLength: 1 }), additionalKwargs: fc.dictionary(fc.string(), fc.jsonValue()) })
  .map((fields) => new ChatMessage(fields))

it('a task in wire form contains the whole message, unless the input is a string', () => {
  const memory = ChatMemoryBuffer.fromDefaults()
  fc.assert(
    fc.property(fc.oneof(fc.string(), message), (input) => {
      const task = new Task({ taskId: 't', memory, ...taskInput(input) })
      expect('input_message' in task.toDict()).toBe(typeof input !== 'string')
      expect(Task.fromJson(task.toJson()).toJson()).toBe(task.toJson())
    }),
  )
})

it('withInput replaces the text or all content of the input', () => {
  const rich = new ChatMessage({ content: [image, text('secret')] })
  expect(withInput(rich, 'x').content).toEqual([text('x'), image])
  expect(inputText(withInput(rich, 'x'))).toBe('x')
  expect(withInput(rich, [text('y')]).content).toEqual([text('y')])
  expect(withInput(new ChatMessage({ content: 'secret' }), 'x').content).toBe('x')
  expect(() => withInput(rich, [{ type: 'nope' } as never])).toThrow(
    expect.objectContaining({ code: 'model_validation' }),
  )
})

function inputOf(input: string | ChatMessage) {
  return typeof input === 'string' ? input : input.content
}
