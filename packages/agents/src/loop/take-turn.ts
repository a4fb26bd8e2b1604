/**
 * @module
 * Handles a turn of the model: returns an answer, runs tool calls, pauses for decisions, or requests another turn.
 */
import { ChatMessage, type ToolOutput } from '@x/core-model'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { PendingToolCall, ToolCall } from '../task/agent-event.ts'
import { TaskStepOutput } from '../task/task-step.ts'
import { findTool } from '../tool/run-tool-call.ts'
import { answerStep } from './answer-turn.ts'
import { clipOutput } from './clip-text.ts'
import { guardInput } from './guards.ts'
import { MaxIterationsError } from './loop-errors.ts'
import { callsToDecide, checkDecisions, reportWaiting } from './pending-calls.ts'
import { callsLeft, type Round } from './round.ts'
import { type CallIds, countFailure, runCalls, withResults } from './run-calls.ts'
import { toolsOfWaiting } from './step-tools.ts'
import type { CallsTurn, Turn } from './tool-calling-protocol.ts'

/** Checks an answer against the output schema, if there is one. */
export async function judge(turn: Turn, round: Round): Promise<Turn> {
  return round.worker.answerSchema?.judge(turn, round) ?? turn
}

/** Handles the reply of the model. @param isShown - whether its text was already reported. */
export async function takeTurn(turn: Turn, ids: CallIds, round: Round, isShown: boolean): Promise<TaskStepOutput> {
  const { worker, task, context } = round
  const { protocol } = worker
  if (turn.kind === 'answer') return answerStep(turn, round, isShown)
  if (round.mustAnswer) {
    // The model was asked for an answer but requested a tool call, so its text is the answer.
    const text = (turn.kind === 'calls' ? (turn.text ?? turn.thought) : turn.text) ?? ''
    return answerStep({ kind: 'answer', text }, round, isShown)
  }
  if (turn.kind === 'unreadable') {
    protocol.recordUnreadable(turn, task)
    worker.log(turn.observation)
    return goOn(protocol.outputText(turn, []), round)
  }
  checkCallLimit(round)
  if (turn.thought) {
    context.onEvent?.({ type: 'reasoning', text: turn.thought })
    worker.log(turn.thought)
  }
  if (turn.text) {
    if (!isShown) context.onEvent?.({ type: 'text_delta', delta: turn.text })
    worker.log(turn.text)
  }
  turn.calls = ids.assign(turn.calls)
  protocol.recordCalls(turn, task)
  const waiting = await callsToDecide(turn.calls, round)
  return waiting ? pause(await withResults(waiting, round), round) : makeCalls(turn, turn.calls, round)
}

/** Runs the calls that waited for a decision. */
export async function resumeTurn(pending: readonly PendingToolCall[], round: Round): Promise<TaskStepOutput> {
  const { worker, step, task, state } = round
  checkDecisions(pending, round)
  round.tools = await toolsOfWaiting(pending, round)
  state.pending_calls = undefined
  const message = new ChatMessage({ role: 'assistant', content: '' })
  const calls = pending.filter(({ parent }) => parent === undefined)
  const output = await makeCalls({ kind: 'calls', calls, message }, pending, round)
  if (step.input !== null) worker.protocol.acceptInput(await guardInput(round), step, task)
  return output
}

/** Runs the calls of a turn. Pauses if an agent that is a tool waits for decisions. */
async function makeCalls(
  turn: CallsTurn,
  calls: readonly (ToolCall | PendingToolCall)[],
  round: Round,
): Promise<TaskStepOutput> {
  const { outputs, waiting } = await runCalls(calls, round)
  return waiting ? pause(waiting, round) : afterCalls(turn, outputs, round)
}

/** @throws {MaxIterationsError} if the model calls tools although it may not. */
function checkCallLimit(round: Round): void {
  if (callsLeft(round) > 0) return
  const { task, worker } = round
  throw new MaxIterationsError(task.taskId, `${worker.maxFunctionCalls} tool calls`, worker.protocol.lastText(task))
}

function pause(waiting: PendingToolCall[], round: Round): TaskStepOutput {
  round.state.pending_calls = waiting
  const text = reportWaiting(waiting, round)
  return new TaskStepOutput({ ...goOn(text, round), status: 'awaiting_approval' })
}

async function afterCalls(turn: CallsTurn, outputs: readonly ToolOutput[], round: Round): Promise<TaskStepOutput> {
  const { worker, task, state, tools } = round
  const { maxToolOutputTokens, stopWhen } = worker.options
  for (const [i, output] of outputs.entries()) {
    const call = turn.calls[i]!
    state.sources.push(output)
    const shown = typeof maxToolOutputTokens === 'number' ? clipOutput(output, maxToolOutputTokens) : output
    worker.protocol.recordOutput(call, shown, task)
    countFailure(call, output, round)
  }
  const [only] = outputs.length === 1 ? outputs : []
  const isDirect = only && !only.isError && findTool(tools, turn.calls[0]!.name)?.metadata.returnDirect
  const { sources, usage } = state
  const { context } = round.context
  if (!isDirect && !(await stopWhen?.({ task, outputs, sources, usage, context })))
    return goOn(worker.protocol.outputText(turn, outputs), round)
  return answerStep({ kind: 'answer', text: outputs.at(-1)?.content ?? '' }, round, false)
}

function goOn(text: string, { worker, step, state, context }: Round): TaskStepOutput {
  const response = new AgentChatResponse({ response: text, sources: state.sources, usage: { ...state.usage } })
  const newId = worker.options.newId ?? context.newId ?? worker.newId
  return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [step.getNextStep(newId())] })
}
