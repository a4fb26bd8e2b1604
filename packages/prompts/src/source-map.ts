/**
 * @module
 * Maps spans of a formatted prompt to their sources.
 */
import { addToList } from '@x/core/values'
import { type ChatMessage, isTextPart, messagesToHistoryStr, messageText } from '@x/core-model'
import type { TemplateParts } from '@x/core-model/text'

/** A span of a formatted prompt. Offsets are in UTF-16 code units. Spans have no gaps between them and are never empty. */
export interface SourceSpan {
  /** Start offset in the text. */
  start: number
  /** End offset in the text, exclusive. */
  end: number
  /** The source: the literal text of the template, a variable, the output parser, or the rendering of messages. */
  source: 'template' | 'variable' | 'parser' | 'rendering'
  /** Name of the variable in the template. */
  variable?: string
  /** The path of the value in its variable, such as `nodes[2].text`, if it is not the variable itself. */
  path?: string
  /** Start of the literal text or placeholder in the template. */
  templateStart?: number
  /** End of the literal text or placeholder in the template, exclusive. */
  templateEnd?: number
  /** Index of the message template, in chat prompts. */
  message?: number
  /** Index of the content part, in array content. */
  part?: number
}

/** A formatted prompt with the sources of its characters. */
export interface SourcedText {
  text: string
  sources: SourceSpan[]
}

/** A message of a formatted prompt with the sources of its text. For array content, spans contain the index of their part. */
export interface SourcedMessage {
  message: ChatMessage
  sources: SourceSpan[]
}

/** Fills a template and returns the text with its sources. */
export function fillWithSources(
  { texts, names }: TemplateParts,
  valueOf: (name: string) => string,
  bracesAreDoubled: boolean,
): SourcedText {
  const sources: SourceSpan[] = []
  let text = ''
  let offset = 0
  for (const [index, literal] of texts.entries()) {
    const length = bracesAreDoubled ? literal.replace(/[{}]/g, '$&$&').length : literal.length
    if (literal !== '')
      sources.push({
        start: text.length,
        end: text.length + literal.length,
        source: 'template',
        templateStart: offset,
        templateEnd: offset + length,
      })
    text += literal
    offset += length
    const variable = names[index]
    if (variable === undefined) break
    const value = valueOf(variable)
    const end = offset + variable.length + 2
    if (value !== '')
      sources.push({
        start: text.length,
        end: text.length + value.length,
        source: 'variable',
        variable,
        templateStart: offset,
        templateEnd: end,
      })
    text += value
    offset = end
  }
  return { text, sources }
}

/** Returns a string as one span of the template. */
export function wholeText(text: string): SourcedText {
  return { text, sources: text === '' ? [] : [{ start: 0, end: text.length, source: 'template' }] }
}

/**
 * Returns the sources of a string that was created by adding text before or after an original string. The original is searched at the
 * start, then at the end, then anywhere. If it is not found, the whole new string counts as added.
 */
export function surround(
  { text: inner, sources }: SourcedText,
  text: string,
  source: 'parser' | 'rendering',
): SourcedText {
  const at = text.startsWith(inner) ? 0 : text.endsWith(inner) ? text.length - inner.length : text.indexOf(inner)
  if (at === -1 || inner === '') return concatenate([text], source)
  return concatenate([text.slice(0, at), { text: inner, sources }, text.slice(at + inner.length)], source)
}

/** Joins pieces. Strings without sources count as added. */
function concatenate(pieces: readonly (string | SourcedText)[], source: 'parser' | 'rendering'): SourcedText {
  const result: SourcedText = { text: '', sources: [] }
  let added: SourceSpan | undefined
  for (const piece of pieces) {
    const start = result.text.length
    const { text, sources } = typeof piece === 'string' ? { text: piece, sources: undefined } : piece
    if (text === '') continue
    const end = start + text.length
    result.text += text
    if (sources) {
      added = undefined
      for (const span of sources) result.sources.push({ ...span, start: span.start + start, end: span.end + start })
    } else if (added) added.end = end
    else result.sources.push((added = { start, end, source }))
  }
  return result
}

/** Returns the text of a message, as `messageText` returns it, with its sources. */
function textOfMessage({ message, sources }: SourcedMessage): SourcedText {
  const { content } = message
  if (typeof content === 'string') return { text: content, sources }
  const byPart = new Map<number | undefined, SourceSpan[]>()
  for (const span of sources) addToList(byPart, span.part, span)
  const pieces = Array.isArray(content)
    ? content.flatMap((part, index) =>
        isTextPart(part) ? ['\n', { text: part.text, sources: byPart.get(index) ?? [] }] : [],
      )
    : []
  return concatenate(pieces.length > 0 ? pieces.slice(1) : [messageText(message)], 'rendering')
}

/** Renders messages in the default form: `role: text` for each, then the start of the assistant's message. */
export function renderWithSources(messages: readonly SourcedMessage[]): SourcedText {
  const pieces = messages.flatMap((sourced) => {
    const head = `${sourced.message.role}: `
    const text = textOfMessage(sourced)
    const after = messagesToHistoryStr([sourced.message]).slice(head.length + text.text.length)
    return [head, text, `${after}\n`]
  })
  return concatenate([...pieces, 'assistant: '], 'rendering')
}

/** Returns the sources of rendered messages. Their text is searched in their order. */
export function findSources(messages: readonly SourcedMessage[], rendered: string): SourcedText {
  const pieces: (string | SourcedText)[] = []
  let from = 0
  for (const sourced of messages) {
    const inner = textOfMessage(sourced)
    const at = rendered.indexOf(inner.text, from)
    if (at === -1) continue
    pieces.push(rendered.slice(from, at), inner)
    from = at + inner.text.length
  }
  return concatenate([...pieces, rendered.slice(from)], 'rendering')
}
