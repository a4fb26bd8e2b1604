/**
 * @module
 * The events of a run for users.
 */
import type { AgentEvent } from '@x/agents'
import { type ErrorData, errorEvent } from '@x/agents/protocol'
import { relay } from '@x/core-model/async'
import { isWithoutResult } from '@x/core-model/memory'

/**
 * Returns the text that users see of an error: its data, without cause and stack. Called at each showing, also when a page is loaded; not
 * for stops.
 */
export type OnChatError = (error: ErrorData) => string

const codeOnly: OnChatError = ({ code }) =>
  code === TOOL_FAILED ? 'The tool failed.' : `The agent failed (${code ?? 'unknown error'}).`

/** Returns the text that users see of an error, also if `onError` fails: they must see that there is one. */
function textOf(error: ErrorData, onError: OnChatError): string {
  if (error.code === 'abort') return codeOnly(error)
  try {
    const text: unknown = onError(error)
    if (typeof text === 'string') return text
  } catch {}
  return codeOnly(error)
}

/** The code of the error of a tool that failed. */
const TOOL_FAILED = 'tool_execution'

type ToolResult = Extract<AgentEvent, { type: 'tool_result' }>

/** Returns the error of a tool that failed, unless users have reported it. */
export function toolError({ isRejected, isProvided, content: message }: ToolResult): ErrorData | undefined {
  if (isRejected || isProvided || isWithoutResult(message)) return undefined
  return { name: 'ToolExecutionError', code: TOOL_FAILED, message, retryable: false }
}

/** Returns the result of a call with the text that users see of an error. The model gets the text of the error itself. */
export function shownResult(event: ToolResult, onError: OnChatError = codeOnly): ToolResult {
  const error = event.isError && toolError(event)
  return error ? { ...event, content: textOf(error, onError) } : event
}

/**
 * Yields the events of a run with messages of errors that users may see, also of tools, and with the text of a step without white space at
 * its ends, which the stored answer does not have either. A run that fails, also before its first event, ends with an event `error` and
 * does not throw.
 * @param onError - returns the message of an error that ends the run, and the content of the result of a tool that failed (code
 * `tool_execution`). @defaultValue a sentence with the code of the error but not its message, which may contain what the user must not see
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
    error: { ...event.error, message: textOf(event.error, messageOf) },
  })
  return relay(async function* (read) {
    const texts = new Map<string, TrimmedText>()
    try {
      for await (const event of read(events)) {
        if (event.type === 'text_delta') {
          const text = texts.get(event.stepId) ?? new TrimmedText()
          texts.set(event.stepId, text)
          const delta = text.add(event.delta)
          if (delta !== '') yield { ...event, delta }
          continue
        }
        // What the model says again begins anew.
        if (event.type === 'turn_restarted' || event.type === 'step_end') texts.delete(event.stepId)
        // The run would throw the same error.
        if (event.type === 'error') return yield shown(event)
        if (event.type === 'tool_result') yield shownResult(event, onError)
        else yield event.type === 'turn_restarted' ? shown(event, codeOnly) : event
      }
    } catch (error) {
      yield shown(errorEvent(null, error) as Extract<AgentEvent, { type: 'error' }>)
    }
  })
}

/** Text that comes in pieces, without the white space at its ends. */
class TrimmedText {
  private isBegun = false
  /** White space that belongs to the text if more of it follows. */
  private held: string[] = []

  /** Returns what is certain of the text with this piece. */
  add(piece: string): string {
    const said = piece.trimEnd()
    if (said === '') {
      if (this.isBegun) this.held.push(piece)
      return ''
    }
    const before = this.held.join('')
    this.held = [piece.slice(said.length)]
    if (this.isBegun) return before + said
    this.isBegun = true
    return said.trimStart()
  }
}
