/**
 * @module
 * A streaming answer with the text of all turns of a run, including text before tool calls.
 */
import { anySignal, Channel } from '@x/core-model/async'
import { AbortError } from '../agent-error.ts'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { streamEnd } from '../answer/chat-answer.ts'
import { pieceStream, RESTART, StreamingAgentChatResponse, type TextPiece } from '../answer/streaming-chat-response.ts'
import type { OnAgentEvent, RunTaskOptions } from './runner-options.ts'

/** Starts a run. */
type StartRun = (signal: AbortSignal, onEvent: OnAgentEvent) => Promise<AgentChatResponse>

/** Streams the text of all turns of a run. Texts of different turns are separated by an empty line. */
export function streamAllTurns(
  { signal: outer, onEvent: report }: Pick<RunTaskOptions, 'signal' | 'onEvent'>,
  start: StartRun,
): StreamingAgentChatResponse {
  const channel = new Channel<TextPiece>()
  const controller = new AbortController()
  let lastStep: string | undefined
  /** The text of the turns that are over, and of the current one. */
  let before = ''
  let text = ''
  const onEvent: OnAgentEvent = (event) => {
    if (event.type === 'turn_restarted' && event.stepId === lastStep) {
      void channel.push(RESTART)
      void channel.push(before)
      text = ''
    }
    if (event.type === 'text_delta') {
      if (lastStep !== undefined && lastStep !== event.stepId) {
        before += `${text}\n\n`
        text = ''
        void channel.push('\n\n')
      }
      lastStep = event.stepId
      text += event.delta
      void channel.push(event.delta)
    }
    return report?.(event)
  }
  const { signal, release } = anySignal(outer, controller.signal)
  const run = async () => {
    const answer = await start(signal, onEvent)
    await streamEnd(answer)
    // A task that was already finished has no turns in this run.
    if (lastStep === undefined && answer.response !== '') void channel.push(answer.response)
    return answer
  }
  const running = run()
  void running.then(release, release)
  running.then(
    () => channel.close(),
    (error) => channel.fail(error),
  )
  const response = new StreamingAgentChatResponse({
    stream: pieceStream(channel),
    cancel: (reason) => controller.abort(new AbortError(reason)),
  })
  void response.whenDone(async () => {
    const { sources, sourceNodes, usage, output } = await running
    Object.assign(response, { sources, sourceNodes, usage, output })
  })
  return response
}
