import type { UIMessage } from 'ai'

/** What a reply said whose stream broke is void, because it is said again. */
export const validParts = ({ parts }: UIMessage) =>
  parts.filter((part, index) => {
    const rest = parts.slice(index + 1)
    const end = rest.find(({ type }) => type === 'step-start' || type === 'data-turn-restarted')
    if (end?.type !== 'data-turn-restarted') return true
    if (!('toolCallId' in part) || !part.state.startsWith('output')) return false
    return !rest.some((one) => 'toolCallId' in one && one.toolCallId === part.toolCallId)
  })

export const textOf = (message: UIMessage) =>
  validParts(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')

/** What went wrong: the sentence of the server, or that the server was not reached. */
export const problemOf = (error: Error): string =>
  /fetch|network|load failed/i.test(error.message) ? 'The server was not reached.' : (refusalOf(error) ?? error.message)

/** The sentence with which the server has refused a request. */
export function refusalOf({ message }: Error): string | undefined {
  try {
    return JSON.parse(message).error.message
  } catch {
    return undefined
  }
}

/** The shown messages as other tabs have changed them: those before the last question, a question whose answer runs, an answer and the rest. */
export function withOthers(shown: UIMessage[], { type, data }: { type: string; data?: unknown }): UIMessage[] {
  const others = (Array.isArray(data) ? data : []) as UIMessage[]
  const without = (some: UIMessage[], all: UIMessage[]) => some.filter(({ id }) => !all.some((one) => one.id === id))
  if (type === 'data-chat-later') return [...without(shown, others), ...others]
  if (type === 'data-chat-question') return [...shown, ...without(others, shown)]
  if (type !== 'data-chat-missed') return shown
  return [...others, ...shown.slice(shown.findLastIndex(({ role }) => role === 'user'))]
}

/**
 * The messages up to the one of a call, because only calls of the last message can be decided: the server returns those after it.
 * Other arguments than those that were asked about are an edit.
 */
export function untilCall(all: UIMessage[], toolCallId: string, input?: unknown): UIMessage[] {
  const isOf = (part: UIMessage['parts'][number]) => 'toolCallId' in part && part.toolCallId === toolCallId
  const until = all.findLastIndex(({ parts }) => parts.some(isOf))
  const edit = <Part extends UIMessage['parts'][number]>(part: Part) =>
    input && isOf(part) ? { ...part, input } : part
  return all.slice(0, until + 1).map((message) => ({ ...message, parts: message.parts.map(edit) }))
}
