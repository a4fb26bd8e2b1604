/**
 * @module
 * Rewrites a question in several ways, for searches that find more.
 */
import { callOptions, checkOption, checkOptions, type OptionTable, required, text, wholeNumber } from '@x/core/options'
import { type BaseLLM, ChatMessage, messageText } from '@x/core-model'
import { withoutThinking } from '@x/core-model/text'
import type { CancelOptions } from '../retriever.ts'

/** The options of {@link rewriteQuestion}. */
interface RewriteOptions extends CancelOptions {
  llm: BaseLLM
  /** The maximum number of questions, an integer of at least 1. @defaultValue 3 */
  count?: number | undefined
  /** What the question follows, such as earlier messages, so that `and in winter?` becomes a whole question. @defaultValue none */
  context?: string | undefined
  /** Id of the event under which the events of the model are nested. */
  parentId?: string | undefined
}

const rewriteOptions: OptionTable<RewriteOptions> = {
  llm: required('a language model', 'chat'),
  count: wholeNumber(1),
  context: text,
  signal: callOptions.signal,
  parentId: text,
}

/**
 * Returns other questions that search for the same answer, as a model writes them: one per line, without numbers, at most `count`. The
 * question itself is not among them.
 * @throws {ModelValidationError} if an option is invalid.
 * @example
 * const llm = new ScriptedLLM({ answers: ['1. When do pears ripen?\n2. Which season are pears from?'] })
 * await rewriteQuestion('When are pears ripe?', { llm }) // => ['When do pears ripen?', 'Which season are pears from?']
 */
export async function rewriteQuestion(question: string, options: RewriteOptions): Promise<string[]> {
  checkOptions('rewriteQuestion', options, rewriteOptions)
  checkOption('rewriteQuestion', 'question', question, text)
  const { llm, count = 3, context = '', signal, parentId } = options
  const before = context === '' ? '' : `Earlier conversation:\n${context}\n\n`
  const content = `${before}Question: ${question}\n\nWrite ${count} questions or search phrases that would find the answer to this question in documents, one per line. Use other words for the same things; split a question that asks for several things. Write the lines only.`
  const { message } = await llm.chat([new ChatMessage({ role: 'user', content })], { signal, parentId })
  const lines = withoutThinking(messageText(message))
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/^\s*(?:[-*•]|\(?\d{1,3}[.):])\s*/, '')
        .replace(/^["'“](.*)["'”]$/, '$1')
        .trim(),
    )
    .filter((line) => line !== '' && !line.endsWith(':'))
  const seen = new Set([question.trim().toLowerCase()])
  return lines.filter((line) => !seen.has(line.toLowerCase()) && seen.add(line.toLowerCase())).slice(0, count)
}
