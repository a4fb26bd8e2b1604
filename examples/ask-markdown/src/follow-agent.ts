/**
 * @module
 * Lets the agent work on a task and tells a report what it does.
 */
import type { ReActAgent, ReActState } from '@x/agents'
import type { ToolOutput } from '@x/core-model'
import type { Report, Step } from './output/report.ts'

/** How the agent ended. */
export interface Outcome {
  answer: string
  /** What the tools gave, in all steps. */
  outputs: readonly ToolOutput[]
}

/** The steps that a task has done so far, as its state tells them. */
export function stepsOf(agent: ReActAgent, taskId: string): Step[] {
  const { current_reasoning: records, sources } = agent.getTask(taskId).extraState as unknown as ReActState
  const calls = records.filter((record) => record.kind === 'action')
  return sources.map((output, index) => {
    const { thought = '', action = output.toolName, actionInput = {} } = calls[index] ?? {}
    return { thought, tool: action, input: actionInput, ...resultOf(output) }
  })
}

/** Runs the rest of a task; steps and answer go to the report as they come. */
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
      call = { thought, tool: event.call.name, input: event.call.arguments }
      report.call(call)
    } else if (event.type === 'tool_result') report.result({ ...call!, ...resultOf(event.output) })
    else if (event.type === 'answer_delta') {
      streamed = true
      report.answer(event.delta)
    } else if (event.type === 'task_end') {
      const { response, sources } = event.response
      if (!streamed) report.answer(response)
      return { answer: response, outputs: sources }
    }
  }
  throw new Error('The agent ended without an answer.')
}

function resultOf({ content, rawOutput, isError }: ToolOutput): Pick<Step, 'result' | 'isError'> {
  return { result: isError ? content : rawOutput, isError: isError === true }
}
