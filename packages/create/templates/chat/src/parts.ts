import type { UIMessage } from 'ai'

/** What a reply said whose stream broke is void, because it is said again. */
export const validParts = ({ parts }: UIMessage) =>
  parts.filter((part, index) => {
    const end = parts.slice(index).find(({ type }) => type === 'step-start' || type === 'data-turn-restarted')
    return end?.type !== 'data-turn-restarted' || ('toolCallId' in part && part.state !== 'input-streaming')
  })

export const textOf = (message: UIMessage) =>
  validParts(message)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
