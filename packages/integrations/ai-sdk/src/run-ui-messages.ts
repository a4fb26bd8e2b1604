/**
 * @module
 * Starts a run of an agent from the messages that `useChat` sends.
 */
import type { AgentEvent, AgentInput } from '@x/agents'
import type { TasksAgent } from '@x/agents/durable'
import type { ToolAgent } from '@x/agents/protocol'
import { isPlainObject } from '@x/core/values'
import { type BaseMemory, ConfigurationError } from '@x/core-model'
import {
  type AllowFile,
  conversationOf,
  keepShown,
  markedMessage,
  type UIMessageLike,
  type UIPartLike,
  userContent,
} from './ui-conversation.ts'

/** The methods of an agent that are called. By the optional ones of a `TasksAgent`, every process finds the durable task of a chat. */
export interface UIAgent<Options extends object>
  extends Pick<ToolAgent, 'provideResult'>,
    Partial<Pick<TasksAgent, 'taskFor' | 'openTask'>> {
  /** Its protocol decides whether earlier tool calls are part of the conversation. */
  readonly agentWorker: object
  conversation(): { readonly memory: BaseMemory }
  runEvents(input: AgentInput, options: Options & { taskId?: string; memory?: BaseMemory }): AsyncGenerator<AgentEvent>
  resumeTask(taskId: string, options: { memory: BaseMemory | undefined }): Promise<unknown>
  getPendingApprovals(taskId: string): readonly { id: string; name?: string; awaits?: 'approval' | 'result' }[]
  approve(taskId: string, callId: string): Promise<void>
  reject(taskId: string, callId: string, reason?: string): Promise<void>
}

/** The options of a run in a chat. */
export type RunOfChat<Options extends object> = Omit<Options, 'conversation' | 'chatHistory'>

/** Options of {@link runUIMessages}. */
export interface RunUIMessagesOptions<Options extends object> {
  /**
   * Options of `runEvents`, such as `signal`. `memory` is the conversation of this chat, if the client must not be able to change what
   * was said; messages that the client no longer has are removed from it. Without it, the conversation is the messages of the client.
   */
  run?: RunOfChat<Options> | undefined
  /**
   * Whether the user may continue a task with decisions about its tool calls. The id comes from the client, which may send any id.
   * False refuses every task, for agents whose tools need no approval.
   */
  mayContinue: false | ((taskId: string) => boolean | Promise<boolean>)
  /**
   * Whether a file of the client may be used. The provider of the model may read its address. @defaultValue addresses that begin with
   * `data:` or `https:`
   */
  allowFile?: AllowFile | undefined
}

/** The last parameter of {@link runUIMessages}. `run` is required if the agent needs a context. */
export type RunUIArguments<Options extends object> =
  Record<never, never> extends Options
    ? RunUIMessagesOptions<Options>
    : RunUIMessagesOptions<Options> & { run: RunOfChat<Options> }

/**
 * Answers the last message of a chat: the text and the files of the user, or the user's decisions about tool calls, after which the task
 * continues, in any process that has its task store.
 * Use it with {@link uiMessageResponse}. The conversation is the one of this chat; the memory of the agent is not used.
 * @param messages - the messages of the chat, as the client sent them. Decisions count only for calls that wait.
 * @throws {ModelValidationError} when a file has no media type.
 * @throws {ConfigurationError} when the last message is neither from the user nor a decision, when a message has another role than
 * `user` and `assistant`, when a file is not allowed, and when `mayContinue` refuses the task.
 * @throws {TaskNotFoundError} when neither the agent nor its task store has the task.
 */
export async function* runUIMessages<Options extends object>(
  agent: UIAgent<Options>,
  messages: readonly UIMessageLike[],
  options: RunUIArguments<Options>,
): AsyncGenerator<AgentEvent, void, undefined> {
  yield* answerMessages(agent, messages, options, turnOfClient)
}

/** Returns the arguments of `runEvents` for the last message, with the conversation of the chat. */
export type TurnOf = <Options extends object>(
  agent: UIAgent<Options>,
  messages: readonly UIMessageLike[],
  given: { run: Options & { memory?: BaseMemory }; allowFile: AllowFile },
) => Promise<Parameters<UIAgent<Options>['runEvents']>>

/** As {@link runUIMessages}; chats whose conversations are stored need no code that reads them from the client. */
export async function* answerMessages<Options extends object>(
  agent: UIAgent<Options>,
  messages: readonly UIMessageLike[],
  options: RunUIArguments<Options>,
  turnOf: TurnOf,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { run = {}, mayContinue = false, allowFile = isDataOrHttps } = (options ?? {}) as Partial<typeof options>
  const given = run as Options & { memory?: BaseMemory }
  const last = messages.at(-1)
  if (last?.role === 'user') {
    yield* agent.runEvents(...(await turnOf(agent, messages, { run: given, allowFile })))
    return
  }
  const { taskId } = Object(last?.metadata) as { taskId?: unknown }
  if (last?.role !== 'assistant' || typeof taskId !== 'string')
    throw new ConfigurationError('The last message is neither from the user nor a decision about tool calls.')
  if (!mayContinue || !(await mayContinue(taskId)))
    throw new ConfigurationError(`Task "${taskId}" may not be continued by this user.`)
  // Another process may have continued the task.
  await agent.resumeTask(taskId, { memory: given.memory })
  await decide(agent, taskId, last.parts)
  const known = new Set(last.parts.map(({ toolCallId }) => toolCallId))
  for await (const event of agent.runEvents('', { ...given, taskId })) {
    // The client already shows this call and would show it twice.
    if (event.type !== 'tool_call' || !known.has(event.callId)) yield event
  }
}

/** Applies the decisions about calls that wait, and the results of calls whose results come from outside. */
async function decide(agent: UIAgent<never>, taskId: string, parts: readonly UIPartLike[]): Promise<void> {
  const waiting = new Map(agent.getPendingApprovals(taskId).map((call) => [call.id, call]))
  for (const { state, toolCallId = '', approval, output = null, errorText } of parts) {
    const call = waiting.get(toolCallId)
    if (!call) continue
    const isAccepted = state === 'approval-responded' && approval?.approved
    if (call.awaits === 'result' && (isAccepted || state?.startsWith('output-'))) {
      const isError = state === 'output-error'
      const result = isError ? errorText : isAccepted && call.name === 'elicitation' ? accepted(output) : output
      await agent.provideResult?.(taskId, toolCallId, result as never, { isError })
    } else if (state !== 'approval-responded') continue
    else if (isAccepted) await agent.approve(taskId, toolCallId)
    else await agent.reject(taskId, toolCallId, approval?.reason)
  }
}

/** The answer to a question of an MCP server (`waitForUser` of `@x/mcp`). */
const accepted = (content: unknown) => ({ action: 'accept', ...(isPlainObject(content) && { content }) })

/** The conversation is in the memory of the run. Messages that the client no longer has are removed from it. */
export const turnOfMemory: TurnOf = async (_agent, messages, { run, allowFile }) => {
  const { parts, id } = messages.at(-1)!
  const content = userContent(parts, allowFile)
  await keepShown(run.memory!, messages)
  return [markedMessage(content, id), run]
}

/** Without a memory, the conversation is the messages of the client. */
const turnOfClient: TurnOf = async (agent, messages, { run, allowFile }) => {
  if (run.memory) return turnOfMemory(agent, messages, { run, allowFile })
  const content = userContent(messages.at(-1)!.parts, allowFile)
  const { protocol } = agent.agentWorker as { protocol?: { name: string } }
  const { memory } = agent.conversation()
  await memory.set(conversationOf(messages.slice(0, -1), { withCalls: protocol?.name === 'native', allowFile }))
  return [content, { ...run, memory }]
}

const isDataOrHttps: AllowFile = ({ url }) => /^(?:data|https):/i.test(url)
