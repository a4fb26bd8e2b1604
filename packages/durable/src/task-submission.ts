/**
 * @module
 * What is submitted with a new task, the same for every engine.
 */

import { type AgentInput, ChatMemoryBuffer, StoredChatMemory } from '@x/agents'
import { inputMessageOf, taskInput } from '@x/agents/protocol'
import {
  callback,
  checkGiven,
  checkOptions,
  having,
  invalidOption,
  list,
  type OptionTable,
  text,
  unchecked,
} from '@x/core/options'
import {
  type BaseMemory,
  ChatMessage,
  type ChatStore,
  ConfigurationError,
  type ConversationRef,
  type Dict,
  isInstance,
  type Json,
  type MessageContent,
  writeJsonText,
} from '@x/core-model'
import { TurnMemory } from '@x/core-model/memory'
import type { SubmitTaskOptions } from './durable-tasks.ts'

/** What is submitted with a task, as JSON. An engine stores it. */
export interface TaskSubmission {
  /** The message of the user: a string, content parts (text, images and files), or a message as written by `ChatMessage.toDict()`. */
  input: MessageContent | Dict
  /** Data for the function that creates the agent, and for tools and hooks, such as the user. */
  context?: Json | undefined
  /** The messages before the input, as written by `ChatMessage.toDict()`. */
  chatHistory?: readonly Dict[] | undefined
  /**
   * The messages before the input, as the first ones of a conversation in the chat store of the engine, instead of a copy. The messages of
   * the task are added to it.
   */
  conversation?: ConversationRef | undefined
}

/** The part of an agent that creates a task. All runners have it. */
export interface SubmissionAgent {
  readonly memory: BaseMemory
  createTask(
    input: AgentInput,
    options: { taskId: string; memory?: BaseMemory; isExclusive?: boolean },
  ): Promise<unknown>
}

const SUBMIT: OptionTable<SubmitTaskOptions> = {
  taskId: unchecked,
  context: unchecked,
  chatHistory: list,
  conversation: having('a conversation, as { id, length }', 'id', 'length'),
  startedBy: text,
}

/**
 * Returns what is submitted, as JSON, for your own engine.
 * @param where - the name of the method, for the error.
 * @throws {ConfigurationError} if there are a conversation and a copy of one.
 * @throws {ModelValidationError} if the input, an option or a message is not valid.
 * @throws {SerializationError} if the context is not JSON.
 * @example
 * taskSubmission('MyTasks.submit', 'Hello', { context: { user: 'ann' } }) // => { input: 'Hello', context: { user: 'ann' } }
 */
export function taskSubmission(where: string, input: AgentInput, options: SubmitTaskOptions): TaskSubmission {
  checkOptions(where, options, SUBMIT)
  const { context, chatHistory, conversation } = options
  if (conversation && chatHistory)
    throw new ConfigurationError(`${where}: pass a conversation or chatHistory, not both.`)
  // A task with another input would only fail: models refuse an empty message.
  if (!inputMessageOf(taskInput(input)).content) throw invalidOption(where, 'input', 'text, images or files', input)
  if (context !== undefined) writeJsonText(context, {}, [`${where}.context`])
  return {
    input: isInstance(input, ChatMessage) ? input.toDict() : input,
    ...(context !== undefined && { context: context as Json }),
    ...(chatHistory && {
      chatHistory: chatHistory.map((message) =>
        (isInstance(message, ChatMessage) ? message : new ChatMessage(message)).toDict(),
      ),
    }),
    ...(conversation && { conversation }),
  }
}

/**
 * Reads what a caller has submitted without `taskSubmission`: the input, or an object with it. For your own engine.
 * @param where - the name of the handler, for the error.
 * @throws {ConfigurationError} naming the part that is missing or has the wrong form.
 * @example
 * readSubmission('support', 'Hello') // => { input: 'Hello' }
 * readSubmission('support', { question: 'Hello' }) // => throws configuration
 */
export function readSubmission(where: string, data: unknown): TaskSubmission {
  const submission = (typeof data === 'string' ? { input: data } : Object(data)) as TaskSubmission
  const { input, chatHistory, conversation: ref } = submission
  const expect = (isValid: boolean, what: string) => {
    if (!isValid) throw new ConfigurationError(`${where}: expected ${what}.`)
  }
  expect(typeof input === 'string' || Object(input) === input, 'a string or { input }')
  expect(chatHistory === undefined || Array.isArray(chatHistory), 'chatHistory to be an array of messages')
  const isRef = typeof ref?.id === 'string' && ref.length >= 0 && !chatHistory
  expect(ref === undefined || isRef, 'conversation to be { id, length }, without chatHistory')
  return submission
}

/** Returns the text of the input of a submission, for your own engine. */
export function submittedText(submission: TaskSubmission): string {
  checkGiven('submittedText', { submission }, 'a submission', 'input')
  return taskInput(submittedInput(submission)).input
}

/** Returns the message of a submission. */
function submittedInput({ input }: TaskSubmission): AgentInput {
  return typeof input === 'string' || Array.isArray(input) ? input : ChatMessage.fromDict(input)
}

/**
 * Returns the conversation of a task: one with the messages of the submission, or one in the store. Undefined if
 * the submission has none.
 * @param where - the name of the engine, for the error.
 * @param like - the memory of the agent: its limit applies to the conversation too.
 * @throws {ConfigurationError} if the conversation is in a chat store, but no chat store is configured.
 */
export async function submittedMemory(
  where: string,
  { chatHistory, conversation }: TaskSubmission,
  like: BaseMemory,
  chatStore?: ChatStore,
): Promise<BaseMemory | undefined> {
  if (conversation) {
    const { id: conversationId, turn } = conversation
    if (chatStore && turn !== undefined) return new TurnMemory({ chatStore, conversationId, turn, like })
    if (chatStore) return StoredChatMemory.fromRef(conversation, chatStore, like)
    throw new ConfigurationError(`${where}.chatStore: a task with a conversation needs it.`)
  }
  if (!chatHistory) return undefined
  const memory = like.fresh?.() ?? ChatMemoryBuffer.fromDefaults()
  await memory.set(chatHistory.map((message) => ChatMessage.fromDict(message)))
  return memory
}

/**
 * Creates a task from its submission, for your own engine.
 * @param where - the name of the engine, for the error.
 * @param chatStore - has the conversation, for a submission with a reference to it.
 * @param isExclusive - whether it runs at once, and nobody else has it: it is saved with the start of its first step.
 * @returns the conversation of the submission; undefined if it has none.
 * @throws {ConfigurationError} if the conversation is in a chat store, but no chat store is configured.
 */
export async function createSubmittedTask(
  where: string,
  agent: SubmissionAgent,
  submitted: { taskId: string; submission: TaskSubmission; chatStore?: ChatStore | undefined; isExclusive?: boolean },
): Promise<BaseMemory | undefined> {
  checkGiven('createSubmittedTask', { submitted }, 'a submitted task', 'submission')
  const { taskId, submission, chatStore, isExclusive } = submitted
  const memory = await submittedMemory(where, submission, agent.memory, chatStore)
  await agent.createTask(submittedInput(submission), {
    taskId,
    ...(memory && { memory }),
    ...(isExclusive && { isExclusive }),
  })
  return memory
}

/**
 * Returns the submitted task that an agent works for, for your own engine: the task itself, or the one whose call an agent behind a tool
 * answers. The tasks of such agents are not submitted; their ids are those of calls. Undefined if there is no such task.
 * @param taskId - the option `startedBy` of `submit`.
 * @param isSubmitted - whether a task with this id was submitted.
 * @example
 * await submittedTask('rent/2/0', async (id) => id === 'rent') // => 'rent'
 */
export async function submittedTask(
  taskId: string,
  isSubmitted: (taskId: string) => Promise<boolean>,
): Promise<string | undefined> {
  checkGiven('submittedTask', { isSubmitted }, callback)
  for (let id: string | undefined = taskId; id !== undefined; id = /^(.+)\/\d+\/\d+$/s.exec(id)?.[1])
    if (await isSubmitted(id)) return id
  return undefined
}
