import { ChatMemoryBuffer } from '@x/agents'
import { ChatMessage, SimpleChatStore } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import {
  createSubmittedTask,
  readSubmission,
  submittedMemory,
  submittedText,
  taskSubmission,
} from './task-submission.ts'
import type { tasksHandler } from './tasks-handler.ts'

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

  it.each<never>(['', new ChatMessage({ content: '' }), []] as never[])('is refused without a message: %j', (input) => {
    const error = { code: 'model_validation', message: expect.stringContaining('expected') }
    expect(() => taskSubmission('test', input, {})).toThrow(expect.objectContaining(error))
  })

  it('has messages that are data, and an input of any form', () => {
    const data = { role: 'user', content: 'Hi.' } as never
    expect(taskSubmission('test', 'Hello', { chatHistory: [data] }).chatHistory).toEqual([chatHistory[1]!.toDict()])
    const message = new ChatMessage({ role: 'user', content: 'Hello' })
    for (const input of ['Hello', message, [{ type: 'text' as const, text: 'Hello' }]])
      expect(submittedText(taskSubmission('test', input, {}))).toBe('Hello')
  })

  it('is the input of a new task, with its conversation and its rights', async () => {
    const created: unknown[][] = []
    const agent = { memory: like, createTask: async (...given: unknown[]) => void created.push(given) }
    const submission = taskSubmission('test', 'Hello', {})
    await createSubmittedTask('test', agent, { taskId: 'a', submission })
    await createSubmittedTask('test', agent, { taskId: 'b', submission, isExclusive: true })
    const memory = await createSubmittedTask('test', agent, {
      taskId: 'c',
      submission: { ...submission, chatHistory: [] },
    })
    expect(created).toStrictEqual([
      ['Hello', { taskId: 'a' }],
      ['Hello', { taskId: 'b', isExclusive: true }],
      ['Hello', { taskId: 'c', memory }],
    ])
  })

  it('takes a context whose type is an interface', () => {
    interface Session {
      user: string
      maxTokens?: number
    }
    const context: Session = { user: 'ann' }
    const handled: Parameters<typeof tasksHandler>[1]['context'] = (): Session => context
    expect(taskSubmission('test', 'Hello', { context }).context).toEqual(handled?.(new Request('https://a.example')))
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

  it.each([() => 1, new Map(), Number.NaN, { at: new Date() }])('has no context that is not JSON: %o', (context) => {
    const error = { code: 'serialization', field: expect.stringContaining('test.context') }
    expect(() => taskSubmission('test', 'x', { context: context as object })).toThrow(expect.objectContaining(error))
  })

  it('has messages before it', () => {
    const submitted = (messages: unknown[]) => taskSubmission('test', 'x', { chatHistory: messages as ChatMessage[] })
    expect(submitted([{ role: 'user', content: 'Hi.' }]).chatHistory).toMatchObject([{ role: 'user', content: 'Hi.' }])
    expect(() => submitted([5])).toThrow(expect.objectContaining({ code: 'model_validation' }))
  })

  it.each([
    [{ taskID: 'rent' }, 'test.taskID: unknown option; did you mean taskId?'],
    [{ chatHistory: 'Hi.' }, 'test.chatHistory: expected an array'],
    [{ conversation: 'c' }, 'test.conversation: expected a conversation, as { id, length }'],
    [null, 'test: expected an object of options'],
  ])('has no options %j', (options, message) => {
    expect(() => taskSubmission('test', 'Hello', options as never)).toThrow(
      expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(message) }),
    )
  })
})

describe('a submission of a caller', () => {
  it('is the input, or an object with it', () => {
    expect(readSubmission('test', 'Hello')).toEqual({ input: 'Hello' })
    const whole = { input: [{ type: 'text', text: 'Hello' }], context: 1, conversation }
    expect(readSubmission('test', whole)).toBe(whole)
  })

  it.each([
    [undefined, 'test: expected a string or { input }.'],
    [{ question: 'x' }, 'test: expected a string or { input }.'],
    [{ input: null }, 'a string or { input }'],
    [{ input: 'x', chatHistory: 'y' }, 'chatHistory to be an array'],
    [{ input: 'x', conversation: { id: 'c', length: -1 } }, 'conversation to be { id, length }'],
    [{ input: 'x', conversation: { id: 1, length: 1 } }, 'conversation to be { id, length }'],
    [{ input: 'x', conversation: null }, 'conversation to be { id, length }'],
    [{ input: 'x', chatHistory: [], conversation }, 'without chatHistory'],
  ])('is not %j', (data, message) => {
    const error = { code: 'configuration', message: expect.stringContaining(message) }
    expect(() => readSubmission('test', data)).toThrow(expect.objectContaining(error))
  })
})
