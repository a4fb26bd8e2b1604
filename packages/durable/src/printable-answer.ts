/**
 * @module
 * The answer of a task in JSON, as a string.
 */
import type { AnswerJson } from '@x/agents'
import { checkGiven } from '@x/core/options'

/**
 * Returns an answer in JSON that is printed like that of an agent: as a string it is its `response`, and each of its sources its `content`.
 * Its JSON does not change. For your own engine.
 * @example
 * const source = { tool_name: 'pay', content: 'paid', is_error: false, raw_input: { euros: 5 }, raw_output: 'paid' }
 * const answer = printableAnswer({ response: 'Paid.', sources: [source], source_nodes: [] })
 * String(answer) // => 'Paid.'
 * answer.sources.map(String) // => ['paid']
 * JSON.parse(JSON.stringify(answer)) // => { response: 'Paid.', sources: [source], source_nodes: [] }
 */
export function printableAnswer<Answer extends AnswerJson>(answer: Answer): Answer {
  checkGiven('printableAnswer', { answer }, 'an answer', 'sources')
  const sources = answer.sources.map((source) => printed(source, source['content']))
  return printed({ ...answer, sources }, answer.response)
}

/** Returns a copy of an object that is this string. */
function printed<T extends object>(value: T, text: unknown): T {
  return Object.defineProperty({ ...value }, 'toString', { value: () => String(text) })
}
