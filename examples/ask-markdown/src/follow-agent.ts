/**
 * @module
 * Runs a task of the agent and reports its steps.
 */
import type { TaskUsage } from '@x/agents'
import type { ToolOutput } from '@x/core-model'
import type { Agent } from './make-agent.ts'
import type { Report, Step } from './output/report.ts'

/** The result of a task. */
export interface Outcome {
  answer: string
  /** The outputs of all tool calls. */
  outputs: readonly ToolOutput[]
  usage: TaskUsage | null
}

/** Text that a model writes before it calls tools is shorter than this; longer text is shown while it is written. */
const HELD_BACK = 200

/** Returns the finished steps of a task, from its state. */
export function stepsOf(agent: Agent, taskId: string): Step[] {
  const state = agent.getTask(taskId).extraState
  const calls = (state.current_reasoning ?? []).filter((record) => record.kind === 'action')
  return state.sources.map((output, index) => {
    const { thought = '', action = output.toolName, actionInput = output.rawInput } = calls[index] ?? {}
    return { thought, tool: action, input: actionInput, ...resultOf(output) }
  })
}

/** Runs the rest of a task, and reports steps and answer as they arrive. */
export async function followAgent(
  agent: Agent,
  taskId: string,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let thought = ''
  let text = ''
  let isShown = false
  const calls = new Map<string, Omit<Step, 'result' | 'isError'>>()
  for await (const event of agent.runEvents('', { taskId, signal })) {
    if (event.type === 'step_start') {
      thought = ''
      text = ''
      isShown = false
    } else if (event.type === 'reasoning') thought = event.text
    else if (event.type === 'text_delta') {
      text += event.delta
      if (isShown) report.answer(event.delta)
      else if (text.length > HELD_BACK) {
        isShown = true
        report.answer(text)
      }
    } else if (event.type === 'tool_call') {
      if (isShown) report.discardAnswer()
      isShown = false
      const call = { thought: thought.trim() || text.trim(), tool: event.toolName, input: event.arguments }
      calls.set(event.callId, call)
      report.call(call)
    } else if (event.type === 'tool_result') {
      const { content, output: rawOutput, isError } = event
      report.result({ ...calls.get(event.callId)!, ...resultOf({ content, rawOutput, isError }) })
    } else if (event.type === 'task_end') {
      const { text: answer, usage } = event.answer
      if (!isShown) report.answer(answer)
      const { sources } = agent.getTask(taskId).extraState
      return { answer, outputs: sources, usage }
    }
  }
  throw new Error('The agent ended without an answer.')
}

function resultOf({
  content,
  rawOutput,
  isError,
}: Pick<ToolOutput, 'content' | 'rawOutput' | 'isError'>): Pick<Step, 'result' | 'isError'> {
  return { result: isError ? content : rawOutput, isError: isError === true }
}
