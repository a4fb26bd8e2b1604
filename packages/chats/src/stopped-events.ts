/**
 * @module
 * How the events of a turn end that its user has stopped.
 */
import type { AgentEvent } from '@x/agents'
import { errorEvent } from '@x/agents/protocol'
import { type TurnsOfChat, whenSealed } from './chat-turn.ts'
import { turnEvents } from './turn-events.ts'

type ErrorEvent = Extract<AgentEvent, { type: 'error' }>

/**
 * Yields the events of a turn; a run that throws ends with an event `error`. If the user has stopped the turn, the error has the code `abort`,
 * whatever the engine reports, and before it calls without a result get the one of the store: a page that lacks results of calls that were approved
 * would send its decision again.
 * @param id - that of the turn
 */
export async function* withStop(
  events: AsyncIterable<AgentEvent>,
  chat: TurnsOfChat,
  id: string,
): AsyncGenerator<AgentEvent> {
  const open = new Set<string>()
  let failure: ErrorEvent | undefined
  try {
    for await (const event of events) {
      if (event.type === 'error') {
        failure = event
        break
      }
      if (event.type === 'tool_call') open.add(event.callId)
      if (event.type === 'tool_result') open.delete(event.callId)
      yield event
    }
  } catch (error) {
    failure = errorEvent(null, error) as ErrorEvent
  }
  if (!failure) return
  const { code } = failure.error
  const own = async () => (await chat.store.read(chat.key)).find((turn) => turn.id === id)
  let turn = code === 'abort' || code === 'task_cancelled' ? await own() : undefined
  if (turn?.state === 'open') {
    // A worker writes the turn of a cancelled task.
    await whenSealed(chat, turn.task)
    turn = await own()
  }
  if (turn?.state !== 'stopped') return yield failure
  for (const event of turnEvents(turn)) if (event.type === 'tool_result' && open.has(event.callId)) yield event
  yield { ...failure, error: { ...failure.error, code: 'abort' } }
}
