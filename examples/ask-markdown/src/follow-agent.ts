/**
 * @module
 * Runs a task of the agent and reports its steps.
 */
import type { ReActAgent, ReActState } from '@x/agents'
import type { ToolOutput } from '@x/core-model'
import type { Report, Step } from './output/report.ts'

/** The result of a task. */
export interface Outcome {
  answer: string
  /** The outputs of all tool calls. */
  outputs: readonly ToolOutput[]
}

/** Returns the finished steps of a task, from its state. */
export function stepsOf(agent: ReActAgent, taskId: string): Step[] {
  const { current_reasoning: records, sources } = stateOf(agent, taskId)
  const calls = records.filter((record) => record.kind === 'action')
  return sources.map((output, index) => {
    const { thought = '', action = output.toolName, actionInput = {} } = calls[index] ?? {}
    return { thought, tool: action, input: actionInput, ...resultOf(output) }
  })
}

/** Runs the rest of a task, and reports steps and answer as they arrive. */
export async function followAgent(
  agent: ReActAgent,
  taskId: string,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let thought = ''
  let call: Omit<Step, 'result' | 'isError'> | undefined
  let streamed = false
  for await (const event of agent.runEvents('', { taskId, signal })) {
    if (event.type === 'step_start') thought = ''
    else if (event.type === 'reasoning') thought = event.text
    else if (event.type === 'tool_call') {
      call = { thought, tool: event.toolName, input: event.arguments }
      report.call(call)
    } else if (event.type === 'tool_result') {
      const { content, output: rawOutput, isError } = event
      report.result({ ...call!, ...resultOf({ content, rawOutput, isError }) })
    } else if (event.type === 'text_delta') {
      streamed = true
      report.answer(event.delta)
    } else if (event.type === 'task_end') {
      const { text } = event.answer
      if (!streamed) report.answer(text)
      return { answer: text, outputs: stateOf(agent, taskId).sources }
    }
  }
  throw new Error('The agent ended without an answer.')
}

function stateOf(agent: ReActAgent, taskId: string): ReActState {
  return agent.getTask(taskId).extraState as unknown as ReActState
}

function resultOf({
  content,
  rawOutput,
  isError,
}: Pick<ToolOutput, 'content' | 'rawOutput' | 'isError'>): Pick<Step, 'result' | 'isError'> {
  return { result: isError ? content : rawOutput, isError: isError === true }
}
