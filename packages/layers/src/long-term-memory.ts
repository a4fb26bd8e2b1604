/**
 * @module
 * A memory of each user, across conversations.
 */
import { type Layer, neutralized, type Scope } from '@x/agents/loop'
import { hasUntrusted, plainTool } from '@x/agents/protocol'
import { callback, checkOptions, type OptionTable, wholeNumber } from '@x/core/options'
import { messageText } from '@x/core-model'
import type { KeyValueStore } from '@x/storage'
import { FileError } from './errors.ts'
import { listed, stateOf, withTools, word } from './layer-parts.ts'
import { steady } from './steady-store.ts'
import { MEMORY_OPTIONS, UserMemory, type UserMemoryOptions } from './user-memory.ts'

/** Options of {@link longTermMemory}. */
interface LongTermMemoryOptions extends UserMemoryOptions {
  /** Returns the id of the user for the `context` of a run. @defaultValue the property `user` of the context */
  user?: ((context: never) => string) | undefined
  /**
   * How many memories that fit the first message of a task are part of its requests. Those that may come from text from outside are not
   * among them; the tool `recall` returns them. @defaultValue 5
   */
  recall?: number | undefined
  /**
   * Returns what an answered task says that is worth remembering, such as `learnWith(model)` of `@x/layers/learn`.
   * @param known - the memories that its requests contain.
   * @defaultValue none: only the tool `remember` adds memories
   */
  learn?: ((scope: Scope, known: readonly string[]) => Promise<readonly string[]>) | undefined
  /** Receives an error of `learn`, and one of storing what it has returned. The task is answered all the same. @defaultValue none */
  onError?: ((error: unknown) => void) | undefined
}

const OPTIONS: OptionTable<LongTermMemoryOptions> = {
  user: callback,
  recall: wholeNumber(0),
  learn: callback,
  onError: callback,
  ...MEMORY_OPTIONS,
}

const KEY = 'recalled'

/**
 * Remembers what is worth keeping about a user, with the tools `remember`, `recall` and `forget`, and with a function that looks at each
 * answered task. The application lists and deletes memories with `UserMemory`.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 */
export function longTermMemory(store: KeyValueStore, options: LongTermMemoryOptions = {}): Layer {
  checkOptions('longTermMemory', options, OPTIONS)
  const {
    recall: most = 5,
    learn,
    onError,
    user = (context?: { user?: string }) => context?.user,
    ...finding
  } = options
  const rows = steady('longTermMemory', store)
  const memoryOf = ({ context }: { context: unknown }) =>
    new UserMemory(rows, user(context as never) as string, finding)
  const tools = [
    plainTool({
      name: 'remember',
      description: 'Remembers a fact about the user for later conversations, as one complete sentence. No secrets.',
      needed: { fact: word },
      fn: async ({ fact }, context) => {
        const { idempotencyKey: id, task } = context
        const added = await memoryOf(context).add(fact, { id, untrusted: await hasUntrusted(task) })
        return { content: `Remembered as "${added}".`, rawOutput: { id: added } }
      },
    }),
    plainTool({
      name: 'recall',
      description: 'Finds what is remembered about the user, with ids.',
      needed: { query: word },
      fn: async ({ query }, context) => {
        const found = await memoryOf(context).recall(query, 10)
        const content = found.map((one) => `${one.id}: ${one.text}`).join('\n') || 'Nothing is remembered about that.'
        return { content, rawOutput: found, untrusted: found.some(({ untrusted }) => untrusted) }
      },
    }),
    plainTool({
      name: 'forget',
      description: 'Forgets something about the user, by its id.',
      needed: { id: word },
      fn: async ({ id }, context) => {
        if (await memoryOf(context).delete(id)) return `"${id}" is forgotten.`
        throw new FileError(id, 'nothing is remembered under this id')
      },
    }),
  ]
  return {
    ...withTools('longTermMemory', tools),
    request: listed(
      KEY,
      async (scope) => {
        const memory = memoryOf(scope)
        const asked = scope.state.new_memory.getAll().find(({ role }) => role === 'user')
        const found = asked && most > 0 ? await memory.recall(messageText(asked), most) : []
        return found.filter(({ untrusted }) => !untrusted).map(({ text }) => text)
      },
      (known) => `Known about the user:\n${known.map((one) => `- ${JSON.stringify(neutralized(one))}`).join('\n')}`,
    ),
    record: (next) => async (turn, outputs, scope) => {
      const outcome = await next(turn, outputs, scope)
      if (learn && turn.kind === 'answer') await learnFrom(scope, { learn, onError, memory: memoryOf(scope) })
      return outcome
    },
  }
}

/** Remembers what an answered task says. What fails is reported: the user has the answer. */
async function learnFrom(
  scope: Scope,
  { learn, onError, memory }: Pick<LongTermMemoryOptions, 'learn' | 'onError'> & { memory: UserMemory },
): Promise<void> {
  const { task, remember, signal } = scope
  const orReport = async <T>(work: () => Promise<T>, instead: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      onError?.(error)
      return instead
    }
  }
  const untrusted = await hasUntrusted(task as never)
  const ask = () => orReport(() => learn!(scope, stateOf(task, KEY, [])), [])
  const found = await (remember?.('learn', ask, Array.isArray) ?? ask())
  await orReport(async () => {
    for (const [i, one] of found.entries()) await memory.add(one, { id: `${task.taskId}/learned-${i}`, untrusted })
  }, undefined)
}
