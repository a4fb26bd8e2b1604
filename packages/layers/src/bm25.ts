/**
 * @module
 * Ranks memories by their words, without a model. Entry `@x/layers/bm25`.
 */
import { checkOption, list, required, text as string } from '@x/core/options'
import { Bm25Index } from '@x/retrieval'

/**
 * Returns the score of each string for a query by BM25, for the option `rank` of `longTermMemory`.
 * @example
 * import { byBm25 } from '@x/layers/bm25'
 * const [tea, dog] = byBm25('Does she drink tea?', ['Ann likes green tea.', 'Ann has a dog.'])
 * tea > 0 // => true
 * dog // => 0
 */
export function byBm25(query: string, texts: readonly string[]): number[] {
  checkOption('byBm25', 'query', query, required(string))
  checkOption('byBm25', 'texts', texts, required(list))
  const index = new Bm25Index()
  for (const text of texts) index.add(text)
  const scores = texts.map(() => 0)
  for (const { index: at, score } of index.search(query, texts.length)) scores[at] = score
  return scores
}
