/**
 * @module
 * Prepares elements for nodes: rejected tables become text, adjacent text elements become runs.
 */
import { type Element, newElement } from './element.ts'

/** Whether the summarizer decided not to keep a table. */
export function isRejected({ tableOutput }: Element): boolean {
  return tableOutput?.shouldKeep === false
}

/** Returns the elements with rejected tables as text, merged with adjacent text. */
export function rejectedAsText(elements: readonly Element[], text: string): Element[] {
  const kept: Element[] = []
  for (const element of elements) {
    if (element.type !== 'text' && !isRejected(element)) {
      kept.push(element)
      continue
    }
    const joined = kept.at(-1)?.type === 'text' ? kept.pop() : undefined
    const start = (joined ?? element).startCharIdx ?? 0
    const end = element.endCharIdx ?? 0
    kept.push(newElement('text', text.slice(start, end), start, end))
  }
  return kept
}

/** Yields runs of adjacent text elements, each with the table after it. Code, images, math and footnotes are separate runs. */
export function* runsOf(elements: readonly Element[]): Generator<{ texts: Element[]; table: Element | null }> {
  let texts: Element[] = []
  for (const element of elements) {
    if (element.type === 'text') texts.push(element)
    else if (element.info !== undefined) {
      yield { texts, table: null }
      yield { texts: [element], table: null }
      texts = []
    } else {
      yield { texts, table: element }
      texts = []
    }
  }
  if (texts.length > 0) yield { texts, table: null }
}
