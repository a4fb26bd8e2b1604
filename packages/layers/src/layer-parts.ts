/**
 * @module
 * What layers have in common: their state in the task, their tools, and the marks of text from outside.
 */
import type { AsyncBaseTool, Task, ToolCallContext } from '@x/agents'
import { type Layer, neutralized, type Outcome, type RecordTurn, type Scope } from '@x/agents/loop'
import { ChatMessage, ToolOutput } from '@x/core-model'
import { type LineRange, linesOf } from './paths.ts'

/**
 * Returns a layer with tools. A tool reads the state of the task but does not change it, because its saved output is used when a step is
 * repeated. `note` changes the state, from the raw output of a call.
 */
export function withTools(
  name: string,
  tools: readonly AsyncBaseTool[],
  note?: (output: ToolOutput, scope: Scope) => void,
): Layer {
  const isOwn = (called: string) => tools.some(({ metadata }) => metadata.name === called)
  const noted = (called: string, output: ToolOutput | undefined, scope: Scope) => {
    if (note && output && !output.isError && isOwn(called)) note(output, scope)
    return output
  }
  return {
    name,
    tools,
    calls: (next) => (calls, scope) => {
      // The calls of a turn that continues have their outputs already.
      for (const call of calls) if ('output' in call) noted(call.name, call.output, scope)
      return next(calls, scope)
    },
    tool: (next) => async (call, scope) => {
      if (!isOwn(call.name)) return next(call, scope)
      const callContext = { ...scope.callContext, task: scope.task as Task }
      return noted(call.name, await next(call, { ...scope, callContext }), scope)
    },
  }
}

/** Returns the output of a tool: what the model reads, and the data for `note` and for pages. */
export function output(content: string, rawOutput: unknown = content, untrusted = false): ToolOutput {
  return new ToolOutput({ content, toolName: '', rawInput: {}, rawOutput, untrusted })
}

/** Returns a part of the state of a task. */
export function stateOf<T>(task: { readonly extraState: object } | undefined, key: string): T | undefined {
  return (task?.extraState as Record<string, T> | undefined)?.[key]
}

/** Whether text from outside is in the context of a call: what the model writes may come from it. */
export async function hasUntrusted({ task }: Partial<ToolCallContext>): Promise<boolean> {
  if (!task) return false
  const sources = stateOf<readonly ToolOutput[]>(task, 'sources') ?? []
  if (sources.some(({ untrusted }) => untrusted)) return true
  const own = stateOf<{ getAll(): ChatMessage[] }>(task, 'new_memory')?.getAll() ?? []
  return [...(await task.memory.getAll()), ...own].some(
    ({ additionalKwargs }) => additionalKwargs['untrusted'] === true,
  )
}

/** Returns messages with a text at the end of their system message, or with a system message. */
export function withSystemText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...others] = messages
  if (first?.role === 'system' && typeof first.content === 'string')
    return [first.copy({ update: { content: `${first.content}\n\n${text}` } }), ...others]
  return [new ChatMessage({ role: 'system', content: text }), ...messages]
}

/** Reads data from outside once per step: a step that is repeated has the same. */
export function once<T>({ remember }: Scope, name: string, read: () => Promise<T[]>): Promise<T[]> {
  return remember ? remember(name, read, Array.isArray) : read()
}

/**
 * Records an answer as a turn, and continues the task with messages that came meanwhile.
 * @param accept - adds them to the task.
 */
export async function continued(
  [next, turn, outputs, scope]: [RecordTurn, ...Parameters<RecordTurn>],
  accept: () => Promise<void>,
): Promise<Outcome> {
  // The answer is part of the conversation now, not at the end of the task.
  const outcome = await next(turn, outputs, { ...scope, defer: undefined })
  if (outcome.kind !== 'answer') return outcome
  await accept()
  return { kind: 'next', text: outcome.text }
}

/** Whether a turn ends the task, and the task could continue instead. */
export function mayContinue(turn: Parameters<RecordTurn>[0], scope: Scope): boolean {
  const { mustAnswer, state, loop, tools, defer } = scope
  // Other text that streams was passed on as the answer already.
  const isOpen = !defer || (loop.protocol.name === 'native' && tools.length > 0)
  return turn.kind === 'answer' && !mustAnswer && !state.last_call && isOpen
}

/** Returns lines of a file as the output of a tool. */
export function fileOutput({ text, untrusted }: { text: string; untrusted: boolean }, range: LineRange): ToolOutput {
  const shown = linesOf(text, range)
  return output(untrusted ? neutralized(shown) : shown, null, untrusted)
}

/** Returns the root of a run. */
export function rootOf(root: string | ((context: never) => string) | undefined, context: unknown): string {
  return typeof root === 'function' ? root(context as never) : (root ?? '')
}
