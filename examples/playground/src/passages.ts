/** Passages as lines of JSON: what another search found, or texts to search. */
import { NodeWithScore, TextNode } from '@x/core-model'

/** A passage. With a score it was found already, otherwise it is searched. */
export interface Passage {
  id: string
  text: string
  score?: number | null
  metadata?: Record<string, unknown>
  /** The id of its document, for the places of test sets. */
  source?: string
}

/** Returns the passages of lines of JSON. @throws {Error} for a line that is no passage. */
export function readPassages(lines: string): NodeWithScore[] {
  return lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const { id, text, score = null, metadata = {}, source } = objectOf(line, index + 1)
    const relationships: Record<string, { nodeId: string }> = source === undefined ? {} : { 1: { nodeId: source } }
    return [new NodeWithScore({ node: new TextNode({ id, text, metadata, relationships }), score })]
  })
}

function objectOf(line: string, number: number): Passage {
  const wrong = () => new Error(`Passages, line ${number}: expected {"id": "…", "text": "…", "score": 0.5}.`)
  let data: Passage | null
  try {
    data = JSON.parse(line)
  } catch (cause) {
    throw Object.assign(wrong(), { cause })
  }
  if (typeof data?.id !== 'string' || typeof data.text !== 'string') throw wrong()
  return data
}

/** The name of the document of the page, for places of test sets. */
export const SOURCE = 'page.md'
