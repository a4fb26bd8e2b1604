/**
 * @module
 * The run of an agent for what a user sends to a chat.
 */
import { type AgentEvent, type AgentInput, applyToolDecision, type ToolDecision } from '@x/agents'
import { type DecidingAgent, readToolDecision } from '@x/agents/protocol'
import { type BaseMemory, ChatMessage, ConfigurationError, isToolkitError } from '@x/core-model'
import { relay } from '@x/core-model/async'
import { type AllowFile, checkFiles, type TasksAgent } from '@x/durable'
import type { ChatMessageTurn, ChatTurn } from './chat-protocol.ts'

/** The methods of an agent that are called. By the optional ones of a `TasksAgent`, every process finds the durable task of a chat. */
export interface ChatAgent<Options extends object>
  extends DecidingAgent,
    Partial<Pick<TasksAgent, 'taskFor' | 'openTask'>> {
  conversation(): { readonly memory: BaseMemory }
  runEvents(input: AgentInput, options: Options & { taskId?: string; memory?: BaseMemory }): AsyncGenerator<AgentEvent>
  resumeTask(taskId: string, options: { memory: BaseMemory | undefined }): Promise<unknown>
  getPendingApprovals(taskId: string): readonly { id: string; awaits?: 'approval' | 'result' }[]
}

/** Options of {@link answerTurn}. */
export interface AnswerTurnOptions<Options extends object> {
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
 * store. {@link chatRoute} calls it.
 * @throws {ConfigurationError} when a file is not allowed, and when `mayContinue` refuses the task.
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
  { run, mayContinue, allowFile, by }: AnswerTurnOptions<Options>,
): AsyncGenerator<AgentEvent, void, undefined> {
  return relay(async function* (read) {
    const given = run as Options & { memory?: BaseMemory }
    if (turn.taskId === undefined) {
      checkFiles('content', turn.content, allowFile)
      if (given.memory) await keepShown(given.memory, turn)
      yield* read(agent.runEvents(messageOf(turn), given))
      return
    }
    const { taskId } = turn
    if (!mayContinue || !(await mayContinue(taskId)))
      throw new ConfigurationError(`Task "${taskId}" may not be continued by this user.`)
    const decisions = turn.decisions.map((decision) =>
      readToolDecision(by === undefined ? decision : { ...decision, by }),
    )
    const { memory } = given
    // Another process may have continued the task.
    await agent.resumeTask(taskId, { memory })
    for (const decision of decisions) await decide(agent, { taskId, decision, memory })
    const decided = new Set(turn.decisions.map(({ callId }) => callId))
    for await (const event of read(agent.runEvents('', { ...given, taskId }))) {
      // The client already shows this call and would show it twice.
      if (event.type !== 'tool_call' || !decided.has(event.callId)) yield event
    }
  })
}

/** Applies a decision if its call waits for it. */
async function decide(
  agent: ChatAgent<never>,
  { taskId, decision, memory }: { taskId: string; decision: ToolDecision; memory: BaseMemory | undefined },
): Promise<void> {
  const { callId, type } = decision
  const waiting = () => agent.getPendingApprovals(taskId).find(({ id }) => id === callId)
  const call = waiting()
  const { awaits = 'approval' } = call ?? {}
  if (!call || (type !== 'reject' && awaits !== (type === 'result' ? 'result' : 'approval'))) return
  try {
    await applyToolDecision(agent, taskId, decision)
  } catch (error) {
    if (!isToolkitError(error, 'approval')) throw error
    // Another request may have decided, such as this one when it arrives twice.
    await agent.resumeTask(taskId, { memory })
    if (waiting()) throw error
  }
}

/** The key of the id of a message in its `additionalKwargs`, also of those that were stored before. */
const MESSAGE_ID = 'ui_message_id'

/** Returns the message of the user, with its id for {@link keepShown}. */
function messageOf({ content, messageId: id }: ChatMessageTurn): ChatMessage {
  return new ChatMessage({ role: 'user', content, additionalKwargs: id === undefined ? {} : { [MESSAGE_ID]: id } })
}

/**
 * Returns the id of a message of the user that the client has set; undefined without one.
 * @example
 * messageId(new ChatMessage({ content: 'Hi' })) // => undefined
 */
export function messageId({ additionalKwargs }: ChatMessage): string | undefined {
  return additionalKwargs[MESSAGE_ID] as string | undefined
}

/**
 * Removes the messages from a memory that the client no longer has: the message that it sends again, after an edit or to get another
 * answer, and what follows the last message that both have.
 */
async function keepShown(memory: BaseMemory, { messageId: last, shown = [] }: ChatMessageTurn): Promise<void> {
  const stored = await memory.getAll()
  const ids = stored.map(messageId)
  const common = ids.findLastIndex((id) => id !== undefined && id !== last && shown.includes(id))
  const gone = ids.findIndex((id, i) => id !== undefined && (id === last || (common >= 0 && i > common)))
  if (gone >= 0) await memory.set(stored.slice(0, gone))
}
