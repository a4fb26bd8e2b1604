/**
 * @module
 * The answer to what a user sends to a chat.
 */

import type { AgentEvent, StoredChatMemory } from '@x/agents'
import { ApprovalError, ConversationBusyError } from '@x/agents/errors'
import { checkGiven, dict } from '@x/core/options'
import { type BaseMemory, ConfigurationError } from '@x/core-model'
import { relay } from '@x/core-model/async'
import { turnsIn } from '@x/core-model/memory'
import { type AllowFile, checkFiles } from '@x/durable'
import type { ChatAgent } from './chat-agent.ts'
import { ChatAnswers } from './chat-answers.ts'
import type { ChatMessageTurn, ChatTurn } from './chat-protocol.ts'
import { runTurn, unknownEvents } from './run-turn.ts'

/** Options of {@link answerTurn}. */
interface AnswerTurnOptions<Options extends object> {
  /** Options of `runEvents`. The conversation is in `memory`. */
  run: Options & { memory?: BaseMemory | undefined }
  /** Whether the user may continue this task. The id comes from the client, which may send any id. */
  mayContinue: false | ((taskId: string) => boolean | Promise<boolean>)
  /** Whether a file of the client may be used. @defaultValue `data:` addresses, and `https:` ones of public hosts; see `checkFiles` */
  allowFile?: AllowFile | undefined
  /** Who decides, for the journal of the task. @defaultValue what the decision says */
  by?: string | undefined
}

/**
 * Answers what a user sent: a message in a conversation, or decisions, after which their task continues, in any process that has its task
 * store. In a memory with a chat store, a message is a turn, as in {@link chatRoute}. In another memory, a message with the id of an
 * earlier one replaces it and what follows, in the same process.
 * @throws {ModelValidationError} when a file is not allowed.
 * @throws {ConfigurationError} when `mayContinue` refuses the task.
 * @throws {ConversationBusyError} if the durable task of another message runs.
 * @throws {ApprovalError} for decisions about a turn that the user has stopped.
 * @throws {TaskNotFoundError} when neither the agent nor its task store has the task.
 * @example
 * import { ReActAgent } from '@x/agents'
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) })
 * const { memory } = agent.conversation()
 * const turn = { content: 'Capital of France?', messageId: 'm1' }
 * const types: string[] = []
 * for await (const { type } of answerTurn(agent, turn, { run: { memory }, mayContinue: false })) types.push(type)
 * types.at(-1) // => 'task_end'
 */
export function answerTurn<Options extends object>(
  agent: ChatAgent<Options>,
  turn: ChatTurn,
  options: AnswerTurnOptions<Options>,
): AsyncGenerator<AgentEvent, void, undefined> {
  checkGiven('answerTurn', { agent }, 'an agent', 'runEvents')
  checkGiven('answerTurn', { options }, 'an object of options', 'run')
  checkGiven('answerTurn', { turn, run: options.run }, dict)
  const { run, mayContinue, allowFile, by } = options
  return relay(async function* (read) {
    if (turn.taskId === undefined) checkFiles('content', turn.content, allowFile)
    else if (!mayContinue || !(await mayContinue(turn.taskId)))
      throw new ConfigurationError(`Task "${turn.taskId}" may not be continued by this user.`)
    const { memory } = run
    const { chatStore, conversationId: key } = (memory ?? {}) as Partial<StoredChatMemory>
    if (turn.taskId !== undefined && chatStore && key !== undefined) {
      const own = (await turnsIn(chatStore).read(key)).find(({ task }) => task === turn.taskId)
      if (own?.state === 'stopped')
        throw new ApprovalError(`Task "${turn.taskId}": the user has stopped it, so its calls wait for nobody.`)
    }
    if (turn.taskId !== undefined || !chatStore || key === undefined) {
      if (turn.taskId === undefined && memory) await replaceSent(memory, turn)
      const events = runTurn(agent, turn, run, by)
      return yield* read(turn.taskId === undefined ? events : unknownEvents(events, turn, { known: 0, waits: true }))
    }
    const { signal = new AbortController().signal } = run as { signal?: AbortSignal }
    const options = { agent: Promise.resolve(agent), options: () => run, signal, by, refusesWhileWaiting: false }
    const begun = await new ChatAnswers<Options>({ store: turnsIn(chatStore), key }, chatStore, options).begin(turn)
    if (begun.kind === 'refused') {
      if (begun.because === 'busy') throw new ConversationBusyError()
      throw new ConfigurationError(`ChatMessageTurn.replaces: the chat has no message "${turn.replaces}".`)
    }
    yield* read(begun.unknown?.(begun.events) ?? begun.events)
  })
}

/** The numbers of messages before those of a client, by their ids, in memories of this process. */
const places = new WeakMap<BaseMemory, Map<string, number>>()

/** Removes the message that is sent again, and what follows it. */
async function replaceSent(memory: BaseMemory, { messageId: id }: ChatMessageTurn): Promise<void> {
  if (id === undefined) return
  const stored = await memory.getAll()
  const known = places.get(memory) ?? new Map<string, number>()
  places.set(memory, known)
  const at = known.get(id) ?? stored.length
  if (at < stored.length) await memory.set(stored.slice(0, at))
  for (const [other, place] of known) if (place > at) known.delete(other)
  known.set(id, at)
}
