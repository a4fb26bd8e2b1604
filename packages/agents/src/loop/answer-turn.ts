/**
 * @module
 * The end of a task: an answer, whole or streaming.
 */
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import {
  StreamingAgentChatResponse,
  type StreamingAgentChatResponseOptions,
} from '../answer/streaming-chat-response.ts'
import { TaskStepOutput } from '../task/task-step.ts'
import { guardAnswer } from './guards.ts'
import type { Round } from './round.ts'
import type { Turn } from './tool-calling-protocol.ts'

/** An answer of the model. */
export type AnswerTurn = Turn & { kind: 'answer' }

/** Records an answer and returns the output of its step. @param isShown - whether the text was already reported. */
export async function answerStep(turn: AnswerTurn, round: Round, isShown: boolean): Promise<TaskStepOutput> {
  const { worker, step, task, state } = round
  const text = await showAnswer(turn, round, isShown)
  worker.log(text)
  worker.protocol.recordAnswer(text, turn, task)
  const output = await valueOf(turn, text, round)
  const { sources, usage } = state
  const response = new AgentChatResponse({ response: text, sources, usage: { ...usage }, output })
  return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
}

/** Returns the output of a step whose whole answer is known. @param pieces - the pieces of it that were already reported. */
export async function streamWholeAnswer(
  turn: AnswerTurn,
  round: Round,
  pieces: readonly string[],
): Promise<TaskStepOutput> {
  const text = await showAnswer(turn, round, pieces.length > 0)
  const stream = pieces.join('') === text ? pieces : [text]
  return streamAnswer({ stream }, { ...turn, text, output: await valueOf(turn, text, round) }, round)
}

/** Returns the output of a step whose answer streams, and records the answer at its end. */
export function streamAnswer(
  source: Pick<StreamingAgentChatResponseOptions, 'stream' | 'cancel'>,
  turn: Turn | Promise<Turn>,
  { worker, step, task, state }: Round,
): TaskStepOutput {
  const response = new StreamingAgentChatResponse({ ...source, sources: state.sources })
  void response.whenDone(async () => {
    const { response: text } = response
    worker.log(text)
    const answer = await turn
    worker.protocol.recordAnswer(text, answer, task)
    if (answer.kind === 'answer') response.output = answer.output ?? null
    response.usage = { ...state.usage }
  })
  return new TaskStepOutput({ output: response, taskStep: step, nextSteps: [], isLast: true })
}

/** Reports an answer unless it was already reported. Returns the text that the guard allows. */
async function showAnswer(turn: AnswerTurn, round: Round, isShown: boolean): Promise<string> {
  const { onEvent } = round.context
  const text = await guardAnswer(turn.text, round)
  if (turn.thought) onEvent?.({ type: 'reasoning', text: turn.thought })
  if (!isShown && text !== '') onEvent?.({ type: 'text_delta', delta: text })
  return text
}

/** Returns the value of a structured answer. A guard may have changed the text of the answer. */
async function valueOf(turn: AnswerTurn, text: string, round: Round): Promise<unknown> {
  const { answerSchema } = round.worker
  if (!answerSchema) return null
  return turn.output !== undefined && text === turn.text ? turn.output : answerSchema.valueOf(text, round)
}
