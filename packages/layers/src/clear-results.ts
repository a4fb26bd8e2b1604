/**
 * @module
 * Leaves old outputs of tools out of requests.
 */
import type { Layer } from '@x/agents/loop'
import { plainTool, taskMessages } from '@x/agents/protocol'
import { checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { type ChatMessage, chatTokens, messageText } from '@x/core-model'
import { FileError } from './errors.ts'
import { stateOf, text, withTools } from './layer-parts.ts'

/** Options of {@link clearResults}. */
interface ClearResultsOptions {
  /** The number of newest outputs that stay, long or short, at least 0. Those that the model has not read yet stay too. @defaultValue 3 */
  keep?: number | undefined
  /** The tokens of the messages of a request, estimated. If there are more, all older outputs are left out. @defaultValue 50000 */
  above?: number | undefined
}

const OPTIONS: OptionTable<ClearResultsOptions> = { keep: wholeNumber(0), above: wholeNumber(0) }
const KEY = 'cleared_results'

/**
 * Leaves the outputs of old tool calls out of requests that become too long, for models with native tool calls. The conversation keeps
 * them; the tool `get_result` returns one by the id of its call. An output that was left out once stays out, so that the beginning of
 * requests seldom changes and can be cached. Text of at most 100 characters is never left out, because the note in its place is as long.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function clearResults(options: ClearResultsOptions = {}): Layer {
  checkOptions('clearResults', options, OPTIONS)
  const { keep = 3, above = 50_000 } = options
  const get = plainTool({
    name: 'get_result',
    description: 'Returns an output that was left out, by the id of its call.',
    needed: { id: text },
    fn: async ({ id }, { task }) => {
      const found = (await taskMessages(task!)).findLast((message) => idOf(message) === id)
      if (!found) throw new FileError(id, 'no call with this id has an output')
      return {
        content: messageText(found),
        rawOutput: null,
        untrusted: found.additionalKwargs['untrusted'] === true,
      }
    },
  })
  return {
    ...withTools('clearResults', [get]),
    request: (next) => async (plan, scope) => {
      const request = await next(plan, scope)
      const { extraState } = scope.task
      const shortened = () => {
        const ids = stateOf<readonly unknown[]>(scope.task, KEY, [])
        return request.messages.map((message) => {
          const id = idOf(message)
          const content = `[This output was left out. get_result with the id "${id}" returns it.]`
          return id && ids.includes(id) ? message.copy({ update: { content } }) : message
        })
      }
      const messages = shortened()
      if (chatTokens(messages) <= above) return { ...request, messages }
      const read = request.messages.findLastIndex(({ role }) => role === 'assistant')
      const unread = request.messages.slice(read + 1).filter(idOf).length
      const outputs = request.messages.filter(idOf)
      const old = outputs.slice(0, Math.max(0, outputs.length - Math.max(keep, unread)))
      extraState[KEY] = old.filter(isLong).map(idOf)
      return { ...request, messages: shortened() }
    },
  }
}

/** Returns the id of the call whose output a message is. */
function idOf({ role, additionalKwargs }: ChatMessage): unknown {
  return role === 'tool' && additionalKwargs['tool_call_id']
}

/** Whether an output is longer than the note in its place. */
function isLong({ content }: ChatMessage): boolean {
  return typeof content !== 'string' || content.length > 100
}
