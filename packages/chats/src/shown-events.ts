/**
 * @module
 * The events of a run for users.
 */
import type { AgentEvent } from '@x/agents'
import { type ErrorData, errorEvent } from '@x/agents/protocol'
import { relay } from '@x/core-model/async'

/** Returns the text that users see of an error. */
export type OnChatError = (error: ErrorData) => string

const codeOnly: OnChatError = ({ code }) => `The agent failed (${code ?? 'unknown error'}).`

/**
 * Yields the events of a run with messages of errors that users may see. A run that fails, also before its first event, ends with an event
 * `error` and does not throw.
 * @param onError - returns the message of an error that ends the run. @defaultValue a sentence with the code of the error but not its
 * message, which may contain what the user must not see
 * @example
 * import type { AgentEvent } from '@x/agents'
 *
 * async function* failing(): AsyncGenerator<AgentEvent> {
 *   throw new Error('key sk-123 is wrong')
 * }
 * const shown: string[] = []
 * for await (const event of shownEvents(failing())) if (event.type === 'error') shown.push(event.error.message)
 * shown // => ['The agent failed (unknown error).']
 */
export function shownEvents(
  events: AsyncIterable<AgentEvent>,
  onError: OnChatError = codeOnly,
): AsyncGenerator<AgentEvent, void, undefined> {
  const shown = <Failed extends { error: ErrorData }>(event: Failed, messageOf = onError): Failed => ({
    ...event,
    error: { ...event.error, message: messageOf(event.error) },
  })
  return relay(async function* (read) {
    try {
      for await (const event of read(events)) {
        // The run would throw the same error.
        if (event.type === 'error') return yield shown(event)
        yield event.type === 'turn_restarted' ? shown(event, codeOnly) : event
      }
    } catch (error) {
      yield shown(errorEvent(null, error) as Extract<AgentEvent, { type: 'error' }>)
    }
  })
}
