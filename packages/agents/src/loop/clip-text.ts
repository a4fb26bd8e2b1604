/**
 * @module
 * Shortens long outputs of tools.
 */
import { type ContentPart, estimateTokens, isTextPart, type Tokenizer, type ToolOutput } from '@x/core-model'
import { countTokens } from '@x/core-model/text'

/**
 * Returns a string of at most `maxTokens` tokens: the string itself, or its beginning and its end with a line between them that states how
 * much is omitted; only the beginning if the line does not fit.
 */
export function clipText(text: string, maxTokens: number, tokenizer: Tokenizer = estimateTokens): string {
  // No tokenizer counts more tokens than bytes, and a UTF-16 unit has at most three.
  if (text.length * 3 <= maxTokens) return text
  const tokens = countTokens(text, tokenizer)
  if (tokens <= maxTokens) return text
  const line = `\n[… about ${tokens - maxTokens} of ${tokens} tokens left out …]\n`
  const isRoomy = countTokens(line, tokenizer) < maxTokens
  let room = maxTokens - (isRoomy ? countTokens(line, tokenizer) : 0)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const kept = Math.floor((text.length / tokens) * room)
    const head = isRoomy ? Math.ceil((kept * 2) / 3) : kept
    const begin = text.slice(0, head).replace(LONE_HIGH, '')
    const end = text.slice(text.length - (kept - head)).replace(LONE_LOW, '')
    const clipped = isRoomy ? `${begin}${line}${end}` : begin
    const excess = countTokens(clipped, tokenizer) - maxTokens
    if (excess <= 0) return clipped
    // The parts that are kept have more tokens than others.
    room = Math.max(0, attempt < 3 ? room - excess : Math.floor(room / 2))
  }
  return isRoomy ? line : ''
}

/** How often a string is cut again because its beginning and its end have many tokens. */
const MAX_ATTEMPTS = 8

/** Half of a character at the place of the cut. */
const LONE_HIGH = /[\uD800-\uDBFF]$/
const LONE_LOW = /^[\uDC00-\uDFFF]/

/** Returns the output with its text and its text parts shortened. The raw output and images are unchanged. */
export function clipOutput(output: ToolOutput, maxTokens: number): ToolOutput {
  const content = clipText(output.content, maxTokens)
  const parts = output.parts && clipParts(output.parts, maxTokens)
  return content === output.content && parts === output.parts ? output : output.copy({ update: { content, parts } })
}

/** Shortens the text parts so that they have at most `maxTokens` tokens together. Returns the same array if they already fit. */
export function clipParts(
  parts: readonly ContentPart[],
  maxTokens: number,
  tokenizer: Tokenizer = estimateTokens,
): readonly ContentPart[] {
  let left = maxTokens
  let isClipped = false
  const clipped = parts.map((part) => {
    if (!isTextPart(part)) return part
    const text = clipText(part.text, left, tokenizer)
    left = Math.max(0, left - countTokens(text, tokenizer))
    isClipped ||= text !== part.text
    return { ...part, text }
  })
  return isClipped ? clipped : parts
}
