/**
 * @module
 * A streaming turn of the model. Its text is streamed to the caller as soon as it is certainly an answer.
 */
import { anySignal } from '@x/core-model/internal'
import { AbortError } from '../errors.ts'
import type { TaskStepOutput } from '../task/task-step.ts'
import { streamAnswer, streamWholeAnswer } from './answer-turn.ts'
import { LiveText } from './live-text.ts'
import { askModel } from './model-turn.ts'
import type { Round } from './round.ts'
import { CallIds } from './run-calls.ts'
import { judge, takeTurn } from './take-turn.ts'
import type { ModelRequest } from './tool-calling-protocol.ts'

/** Asks the model. Returns the output of the step when the turn is over, or when its answer begins to stream. */
export async function streamTurn(round: Round, request: ModelRequest): Promise<TaskStepOutput> {
  const { protocol, options, answerSchema } = round.worker
  const ids = new CallIds(round)
  const controller = new AbortController()
  const { signal, release } = anySignal(round.context.signal, controller.signal)
  const stoppable = { ...round, context: { ...round.context, signal } }
  const live = new LiveText({
    reader: protocol.reader(round.tools.length > 0),
    onEvent: round.context.onEvent,
    holdsText: answerSchema !== undefined || options.guards?.answer !== undefined,
    callId: (providerId, index) => ids.id(providerId, index),
  })
  const asking = askModel(stoppable, request, live)
  void asking.then(release, release)
  const reply = await Promise.race([live.answering, asking])
  if (reply === true) {
    const stream = live.stream(asking)
    const cancel = (reason: unknown) => controller.abort(new AbortError(reason))
    const turn = asking.then(({ message }) => protocol.read(message, true))
    // The reader of the stream receives the error.
    turn.catch(() => {})
    return streamAnswer({ stream, cancel }, turn, round)
  }
  const turn = await judge(protocol.read(reply.message, true), round)
  if (turn.kind === 'answer') return streamWholeAnswer(turn, round, live.pieces)
  return takeTurn(turn, ids, round, live.pieces.length > 0)
}
