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
