/**
 * @module
 * Keeps the most relevant nodes that fit into a model's context window.
 */
import { estimateTokens, type NodeWithScore } from '@x/core-model'
import { turns } from '@x/core-model/async'
import { countTokens } from '@x/core-model/text'
import { TokenBudgetModel } from '../generated/token-budget.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { byRelevance } from '../relevance.ts'
import { withNode } from '../rewrite.ts'
import { textWindows } from '../windows/text-windows.ts'

/**
 * Selects whole nodes, most relevant first, as long as they fit into `maxTokens` together. Returns them in input order.
 * The ledger records which nodes were left out and why. Tokens are estimated unless `countTokens` is set.
 * @throws {ModelValidationError} if `maxTokens` is missing or below 1.
 * @example
 * const entry = (text: string, score: number) => new NodeWithScore({ node: new TextNode({ text }), score })
 * const fit = new TokenBudget({ maxTokens: 5, countTokens: (text) => text.split(' ').length })
 * const nodes = [entry('one two three four', 0.5), entry('one two', 0.9), entry('one', 0.1)]
 * ;(await fit.postprocessNodes(nodes)).map(({ score }) => score) // => [0.9, 0.1]
 */
export class TokenBudget extends TokenBudgetModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons, signal }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const { maxTokens, separatorTokens, overflow } = this
    const tokenizer = this.countTokens ?? estimateTokens
    const count = (text: string) => countTokens(text, tokenizer, TokenBudget.className(), 'countTokens()')
    const kept: (NodeWithScore | undefined)[] = []
    let left = maxTokens
    let gap = 0
    let full = false
    const turn = turns(signal)
    for (const { entry, place } of byRelevance(nodes.map((entry, place) => ({ entry, place, score: entry.score })))) {
      if (full) {
        reasons?.set(entry, 'the budget is used up')
        continue
      }
      await turn()
      const room = left - gap
      const tokens = count(entry.node.getContent('llm'))
      if (tokens <= room) {
        kept[place] = entry
        gap = separatorTokens
        left = room - tokens
        reasons?.set(entry, `${tokens} tokens fit, ${left} left`)
        continue
      }
      reasons?.set(entry, `${tokens} tokens do not fit into ${Math.max(0, room)}`)
      if (overflow === 'skip') continue
      full = true
      const shortened = overflow === 'cut' ? cut(entry, room, count) : null
      if (!shortened) continue
      kept[place] = shortened
      reasons?.set(shortened, `cut from ${tokens} tokens to fit into ${room}`)
    }
    return kept.filter((entry) => entry !== undefined)
  }
}

/** Returns the entry with its text truncated at a natural boundary; null if no text fits in addition to the metadata. */
function cut(entry: NodeWithScore, room: number, count: (text: string) => number): NodeWithScore | null {
  const { node } = entry
  const whole = node.getContent('none')
  const metadata = node.getMetadataStr('llm')
  const around = metadata === '' ? 0 : count(withNode(entry, { text: '' }).node.getContent('llm'))
  const size = room - around
  if (size < 1) return null
  const [first] = textWindows(whole, { size, measure: count })
  const text = whole.slice(0, first!.end).trimEnd()
  return text === '' || count(text) > size ? null : withNode(entry, { text })
}
