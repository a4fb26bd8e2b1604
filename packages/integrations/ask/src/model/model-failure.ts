/**
 * @module
 * Explains a failure of the model to the user, with advice.
 */
import type { CutAnswerError } from '@x/agents/errors'
import { isToolkitError } from '@x/core-model'
import type { ModelCallError } from '@x/llm'
import { ExitCode, ProgramError } from '../program-error.ts'
import type { ModelOptions } from './model-options.ts'

/** Returns the error for the user; the same error if it is not about the model. */
export function explainedFailure(error: unknown, options: ModelOptions): unknown {
  const cut = causeOf<CutAnswerError>(error, 'cut_answer')
  if (cut) {
    const why = cut.reason === 'length' ? 'was cut at the token limit of the model' : 'was stopped by a content filter'
    const text = cut.text.trim() === '' ? '' : ` It began: “${cut.text.trim().slice(0, 200)}”`
    return new ProgramError(ExitCode.unfinished, `The answer ${why}.${text}`, { cause: error })
  }
  for (const code of ['max_iterations', 'repeated_failure', 'react_parse']) {
    const stuck = causeOf(error, code)
    if (stuck)
      return new ProgramError(ExitCode.unfinished, `The model returned no answer: ${stuck.message}`, { cause: error })
  }
  const failed = causeOf<ModelCallError>(error, 'model_call')
  if (!failed) return error
  const { provider, model } = options
  const where =
    provider.kind === 'server' ? `The model server ${provider.baseUrl}` : `The model ${provider.package} ${model}`
  return new ProgramError(ExitCode.model, `${where} ${said(failed, options)}`, { cause: error })
}

/** Returns the error with this code among an error and its causes. */
function causeOf<E extends Error>(error: unknown, code: string): E | null {
  for (let one = error; one instanceof Error; one = one.cause)
    if (isToolkitError(one) && one.code === code) return one as unknown as E
  return null
}

function said({ kind, status, message }: ModelCallError, { timeoutMs, provider }: ModelOptions): string {
  const http = status === null ? '' : ` (HTTP ${status})`
  const detail = message
    .replace(provider.kind === 'server' ? `${provider.baseUrl}: ` : /^[^:]*: /, '')
    .replace(/ \(HTTP \d+\)$/, '')
    .replace(/\.$/, '')
  switch (kind) {
    case 'auth':
      return `rejects the key${http}: ${detail}. Is OPENAI_API_KEY set and correct?`
    case 'rate_limit':
      return `is rate limited${http}: ${detail}. Continue later with --resume.`
    case 'timeout':
      return `sent no data for ${timeoutMs / 1000} s. --timeout sets this limit.`
    case 'connection':
      return `cannot be reached, or closed the connection: ${detail}. Continue later with --resume.`
    case 'context_length':
      return `says that the request is too long for the model${http}: ${detail}.`
    case 'content_filter':
      return `refuses the request${http}: ${detail}.`
    case 'bad_request':
      if (status === 404)
        return `does not know this address or model${http}: ${detail}. Are --base-url and --model correct?`
      return `refuses the request${http}: ${detail}. If the model has no tool calls, pass --text-tools.`
    default:
      return `failed${http}: ${detail}. Continue later with --resume.`
  }
}
