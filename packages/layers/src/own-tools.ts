/**
 * @module
 * Tools of a layer, which read the state of the task and change it.
 */

import type { Task, ToolCallContext } from '@x/agents'
import type { FunctionTool, Layer, Scope } from '@x/agents/loop'
import { ChatMessage, ToolOutput } from '@x/core-model'

/**
 * Returns a layer with tools. A tool reads the state of the task but does not change it, because its saved output is used when a step is
 * repeated. `note` changes the state, from the raw output of a call.
 */
export function withTools(
  name: string,
  tools: readonly FunctionTool<never>[],
  note?: (output: ToolOutput, scope: Scope) => void,
): Layer {
  const isOwn = (called: string) => tools.some(({ metadata }) => metadata.name === called)
  const noted = (called: string, output: ToolOutput | undefined, scope: Scope) => {
    if (note && output && !output.isError && isOwn(called)) note(output, scope)
    return output
  }
  return {
    name,
    tools: tools as readonly FunctionTool[],
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
  const messages = await task.memory.getAll()
  return messages.some(({ additionalKwargs }) => additionalKwargs['untrusted'] === true)
}

/** Returns messages with a text at the end of their system message, or with a system message. */
export function withSystemText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...others] = messages
  if (first?.role === 'system' && typeof first.content === 'string')
    return [first.copy({ update: { content: `${first.content}\n\n${text}` } }), ...others]
  return [new ChatMessage({ role: 'system', content: text }), ...messages]
}
