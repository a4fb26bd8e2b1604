import { ChatMessage, SerializationError, UnknownClassNameError } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { describe, expect, it } from 'vitest'
import { Task } from './task.ts'

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
