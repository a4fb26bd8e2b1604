/**
 * @module
 * The answers of `answerWithSources` in the form that is evaluated.
 */
import { checkOption, list, required } from '@x/core/options'
import { isNode, type NodeWithScore, type TextNode } from '@x/core-model'
import type { SourcedAnswer } from '@x/retrieval/answer'
import { placeOfNode } from '../places.ts'
import type { GivenAnswer } from './evaluate-answers.ts'

/**
 * Returns an answer of `answerWithSources` of `@x/retrieval/answer` for `evaluateAnswers`. An answer that cites nothing is a refusal, as its prompt
 * asks for. A citation of a passage that does not exist counts as wrong.
 * @param passages - the passages that the model received.
 * @example
 * import { answerWithSources } from '@x/retrieval/answer'
 * const node = new TextNode({ id: 'fruit.md', text: 'Pears keep 3 weeks.' })
 * const passages = [new NodeWithScore({ node })]
 * const llm = new ScriptedLLM({ answers: ['Three weeks [1].'] })
 * const answer = await answerWithSources({ llm, passages, question: 'How long do pears keep?' }).result()
 * givenAnswerOf(answer, passages).citations // => [{ source: 'fruit.md' }]
 */
export function givenAnswerOf(answer: SourcedAnswer, passages: readonly (NodeWithScore | TextNode)[]): GivenAnswer {
  checkOption('givenAnswerOf', 'answer', answer, required('an answer with sources', 'text'))
  checkOption('givenAnswerOf', 'passages', passages, required(list))
  const nodes = passages.map((passage) => (isNode(passage) ? passage : (passage as NodeWithScore).node))
  return {
    text: answer.text,
    citations: answer.sources.map(({ node, number }) => (node ? placeOfNode(node) : { source: `[${number}]` })),
    passages: nodes.map((node) => ({ ...placeOfNode(node), text: node.getContent('llm') })),
    isRefusal: answer.citations.length === 0,
  }
}
