/**
 * @module
 * Where text from outside is: in the outputs of tools, in nodes of documents, and in the conversation of a task.
 */
import type { BaseMemory, ChatMessage, NodeWithScore, ToolOutput } from '@x/core-model'
import { type AgentInput, messageOf, type Task } from '../task/task.ts'

/** The mark of a message. */
export const UNTRUSTED = { untrusted: true }

/**
 * Whether a node is from a document with the metadata `untrusted`. Front matter and databases may turn a boolean into a string or a number,
 * so any value counts but `false`, `null`, `0` and an empty string.
 */
export function isUntrusted({ metadata }: NodeWithScore['node']): boolean {
  return Boolean(metadata['untrusted'])
}

/** Whether an answer is made of text from outside: of an output of a tool, or of a node. */
export function isMadeOfUntrusted(answer: {
  sources?: readonly Partial<ToolOutput>[] | undefined
  sourceNodes?: readonly NodeWithScore[] | null | undefined
}): boolean {
  const { sources, sourceNodes } = answer
  return (
    sources?.some(({ untrusted }) => untrusted) === true || sourceNodes?.some(({ node }) => isUntrusted(node)) === true
  )
}

/** Returns all messages of a task: those of its conversation, and its own. */
export async function taskMessages(task: Pick<Task, 'extraState' | 'memory'>): Promise<ChatMessage[]> {
  const own = task.extraState['new_memory'] as BaseMemory | undefined
  return [...(await task.memory.getAll()), ...((await own?.getAll()) ?? [])]
}

/** Whether text from outside is in the context of a task: in one of its own outputs, or in the conversation before. */
export async function hasUntrusted(task: Pick<Task, 'extraState' | 'memory'> | undefined): Promise<boolean> {
  // Without a task nothing is known.
  if (!task) return true
  const sources = task.extraState['sources'] as readonly ToolOutput[] | undefined
  return (
    isMadeOfUntrusted({ sources }) ||
    (await taskMessages(task)).some(({ additionalKwargs }) => additionalKwargs['untrusted'] === true)
  )
}

/** Returns the input of an agent behind a tool, marked if text from outside is in the context of the task that calls it. */
export async function inputOf(input: AgentInput, caller: Task | undefined): Promise<AgentInput> {
  if (!caller || !(await hasUntrusted(caller))) return input
  const message = messageOf(input)
  return message.copy({ update: { additionalKwargs: { ...message.additionalKwargs, ...UNTRUSTED } } })
}
