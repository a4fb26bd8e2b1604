/**
 * @module
 * Which characters of a filled prompt came from where. Made only when asked for.
 */
import type { ChatMessage, TemplateParts } from '@x/core-model'

/** A stretch of a filled prompt. Offsets are UTF-16; stretches follow each other without gaps and are never empty. */
export interface SourceSpan {
  /** Where the stretch starts in the text. */
  start: number
  /** Where it ends. */
  end: number
  /** Where it came from: the template's own text, a variable, an output parser, or the rendering around it. */
  source: 'template' | 'variable' | 'parser' | 'rendering'
  /** Name of the variable in the template. */
  variable?: string
  /** Start of the stretch, or of the placeholder, in the template. */
  templateStart?: number
  /** End of the stretch, or of the placeholder, in the template. */
  templateEnd?: number
  /** Index of the message template, of chat prompts. */
  message?: number
  /** Index of the content part, of list content. */
  part?: number
}

/** A filled prompt with the sources of its characters. */
export interface SourcedText {
  text: string
  sources: SourceSpan[]
}

/** A message of a filled prompt with the sources of its text; of list content, spans carry the index of their part. */
export interface SourcedMessage {
  message: ChatMessage
  sources: SourceSpan[]
}

/** The filled text of a template with its sources. */
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

/**
 * The sources of a text that was made from another one by adding around it. When the old text is no longer inside the new one,
 * all of it counts as added.
 */
export function surround(inner: SourcedText, text: string, source: 'parser' | 'rendering'): SourcedText {
  const at = text.indexOf(inner.text)
  if (at === -1 || inner.text === '')
    return { text, sources: text === '' ? [] : [{ start: 0, end: text.length, source }] }
  const after = at + inner.text.length
  const sources: SourceSpan[] = inner.sources.map((span) => ({ ...span, start: span.start + at, end: span.end + at }))
  if (at > 0) sources.unshift({ start: 0, end: at, source })
  if (after < text.length) sources.push({ start: after, end: text.length, source })
  return { text, sources }
}
