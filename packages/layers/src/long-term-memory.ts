/**
 * @module
 * A memory of each user, across conversations.
 */
import type { ToolCallContext } from '@x/agents'
import { type Layer, neutralized, type Scope } from '@x/agents/loop'
import { callback, checkOptions, having, type OptionTable, text, wholeNumber } from '@x/core/options'
import { addUsage, type BaseLLM, ChatMessage, messageText, usageOf } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'
import { FileError } from './errors.ts'
import { hasUntrusted, output, stateOf, withSystemText, withTools } from './layer-parts.ts'
import { ownTool } from './own-tools.ts'
import { UserMemory, type UserMemoryOptions } from './user-memory.ts'

/** Options of {@link longTermMemory}. */
interface LongTermMemoryOptions extends UserMemoryOptions {
  /** Returns the id of the user for the `context` of a run. @defaultValue the property `user` of the context */
  user?: ((context: never) => string) | undefined
  /**
   * How many memories that fit the first message of a task are part of its requests. Those that may come from text from outside are not
   * among them; the tool `recall` returns them. @defaultValue 5
   */
  recall?: number | undefined
  /** A model that is asked after each answer what is worth remembering. @defaultValue none: only the tool `remember` adds memories */
  learn?: BaseLLM | undefined
}

const OPTIONS: OptionTable<LongTermMemoryOptions> = {
  user: callback,
  recall: wholeNumber(0),
  learn: having('a model', 'metadata'),
  embed: having('an embedding model', 'getQueryEmbedding'),
  embedName: text,
  rank: callback,
  now: callback,
}

const KEY = 'recalled'

/**
 * Remembers what is worth keeping about a user, with the tools `remember`, `recall` and `forget`, and with a model that looks at each
 * finished turn. The application lists and deletes memories with `UserMemory`.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function longTermMemory(store: KeyValueStore, options: LongTermMemoryOptions = {}): Layer {
  checkOptions('longTermMemory', options, OPTIONS)
  const { recall: most = 5, learn } = options
  const userOf = options.user ?? ((context?: { user?: string }) => context?.user)
  const memoryOf = ({ context }: Partial<Pick<ToolCallContext, 'context'>>) =>
    new UserMemory(store, userOf(context as never) as string, options)
  return {
    ...withTools('longTermMemory', memoryTools(memoryOf)),
    request: (next) => async (plan, scope) => {
      const { task, state } = scope
      const asked = state.new_memory.getAll().find(({ role }) => role === 'user')
      task.extraState[KEY] ??= (asked && most > 0 ? await memoryOf(scope).recall(messageText(asked), most) : [])
        .filter(({ untrusted }) => !untrusted)
        .map((entry) => entry.text)
      const request = await next(plan, scope)
      const known = stateOf<readonly string[]>(task, KEY)!
      if (known.length === 0) return request
      const lines = known.map((one) => `- ${JSON.stringify(neutralized(one))}`).join('\n')
      return { ...request, messages: withSystemText(request.messages, `Known about the user:\n${lines}`) }
    },
    record: (next) => async (turn, outputs, scope) => {
      const outcome = await next(turn, outputs, scope)
      if (learn && turn.kind === 'answer') {
        const untrusted = await hasUntrusted({ task: scope.task as never })
        const found =
          (await scope.remember?.('learn', () => lessons(learn, scope), Array.isArray)) ?? (await lessons(learn, scope))
        for (const [i, one] of found.entries())
          await memoryOf(scope).add(one, { id: `${scope.task.taskId}/learned-${i}`, untrusted })
      }
      return outcome
    },
  }
}

function memoryTools(memoryOf: (context: ToolCallContext) => UserMemory) {
  const textSchema = { type: 'string', minLength: 1 } as const
  const remember = ownTool({
    name: 'remember',
    description: 'Remembers a fact about the user for later conversations, as one complete sentence. No secrets.',
    schema: { type: 'object', properties: { fact: textSchema }, required: ['fact'] },
    fn: async ({ fact }, context) => {
      const { idempotencyKey: id } = context
      const added = await memoryOf(context).add(fact, { ...(id && { id }), untrusted: await hasUntrusted(context) })
      return output(`Remembered as "${added}".`, { id: added })
    },
  })
  const recall = ownTool({
    name: 'recall',
    description: 'Finds what is remembered about the user, with ids.',
    schema: { type: 'object', properties: { query: textSchema }, required: ['query'] },
    fn: async ({ query }, context) => {
      const found = await memoryOf(context).recall(query, 10)
      const shown = found.map((one) => `${one.id}: ${one.text}`).join('\n') || 'Nothing is remembered about that.'
      const untrusted = found.some((one) => one.untrusted)
      return output(untrusted ? neutralized(shown) : shown, found, untrusted)
    },
  })
  const forget = ownTool({
    name: 'forget',
    description: 'Forgets something about the user, by its id.',
    schema: { type: 'object', properties: { id: textSchema }, required: ['id'] },
    fn: async ({ id }, context) => {
      if (await memoryOf(context).delete(id)) return `"${id}" is forgotten.`
      throw new FileError(id, 'nothing is remembered under this id')
    },
  })
  return [remember, recall, forget]
}

const ASK =
  'Which facts about the user in this conversation are worth remembering for later conversations: names, preferences, circumstances, decisions? Leave out secrets, what is known already, and what others say. Reply with a JSON array of short sentences, [] if there are none.'

/** Asks a model what is worth remembering. What it replies with instead of an array of strings is nothing. */
async function lessons(llm: BaseLLM, { state, task, signal }: Scope): Promise<string[]> {
  const said = state.new_memory
    .getAll()
    .filter(({ role, content }) => (role === 'user' || role === 'assistant') && content)
  const talk = said.map((message) => `${message.role}: ${JSON.stringify(messageText(message))}`).join('\n')
  const known = JSON.stringify(stateOf(task, KEY) ?? [])
  const content = `${ASK}\n\nKnown already: ${known}\n\nConversation:\n${talk}`
  const response = await llm.chat([new ChatMessage({ role: 'user', content })], { signal })
  const used = usageOf(response)
  if (state.usage) {
    state.usage.modelCalls++
    if (used) Object.assign(state.usage, addUsage(state.usage, used))
  }
  const reply = messageText(response.message)
  try {
    const found: unknown = JSON.parse(reply.slice(reply.indexOf('['), reply.lastIndexOf(']') + 1))
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string' && one.trim() !== '').slice(0, 20) : []
  } catch {
    return []
  }
}
