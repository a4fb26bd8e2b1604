import { ChatMessage, SimpleChatStore } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import { checkTaskId, submittedMemory, taskSubmission } from './task-submission.ts'

const like = ChatMemoryBuffer.fromDefaults({ tokenLimit: 4 })
const chatHistory = ['one two three four five six', 'Hi.'].map((content) => new ChatMessage({ role: 'user', content }))
const conversation = { id: 'c', length: 1 }

describe('a submission', () => {
  it('brings its messages into a memory with the limit of the agent', async () => {
    const memory = await submittedMemory('test', taskSubmission('test', 'Hello', { chatHistory }), like)
    expect(memory).not.toBe(like)
    expect((await memory!.getAll()).length).toBe(2)
    expect((await memory!.get()).map(({ content }) => content)).toEqual(['Hi.'])
    expect(await like.getAll()).toEqual([])
  })

  it('refers to the first messages of a conversation', async () => {
    const chatStore = new SimpleChatStore()
    chatStore.setMessages('c', chatHistory.toReversed())
    const memory = await submittedMemory('test', taskSubmission('test', 'Hello', { conversation }), like, chatStore)
    expect((await memory!.get()).map(({ content }) => content)).toEqual(['Hi.'])
  })

  it('has no memory without messages', async () => {
    expect(await submittedMemory('test', taskSubmission('test', 'Hello', {}), like)).toBeUndefined()
  })

  it('refuses a conversation and a copy of one, and a conversation without a store', async () => {
    const error = expect.objectContaining({ code: 'configuration' })
    expect(() => taskSubmission('test', 'Hello', { conversation, chatHistory })).toThrow(error)
    await expect(submittedMemory('test', { input: 'Hello', conversation }, like)).rejects.toThrow(error)
  })
})

describe('what is submitted', () => {
  const of = (input: unknown) => () => taskSubmission('test', input as string, {})
  it.each([
    ['nothing', undefined],
    ['an object', { role: 'system', content: 'x' }],
    ['no part', []],
    ['a part of an unknown type', [{ type: 'weird' }]],
    ['a message of the system', new ChatMessage({ role: 'system', content: 'x' })],
  ])('is not %s', (_, input) => {
    expect(of(input)).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it('has messages before it', () => {
    const submitted = (messages: unknown[]) => taskSubmission('test', 'x', { chatHistory: messages as ChatMessage[] })
    expect(submitted([{ role: 'user', content: 'Hi.' }]).chatHistory).toMatchObject([{ role: 'user', content: 'Hi.' }])
    expect(() => submitted([5])).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })
})

describe('the id of a task', () => {
  it.each([
    ['', '""'],
    [7, '7'],
    [undefined, 'undefined'],
  ])('is not %j', (value, received) => {
    expect(() => checkTaskId('test: taskId', value)).toThrow(
      `test: taskId: expected a string with at least one character, received ${received}.`,
    )
  })
})
