/**
 * @module
 * Starts a run of an agent from the messages that `useChat` sends.
 */

import type { AgentEvent } from '@x/agents'
import { answerTurn, type ChatAgent } from '@x/chats'
import { checkGiven, listOf } from '@x/core/options'
import type { BaseMemory } from '@x/core-model'
import { relay } from '@x/core-model/async'
import type { AllowFile } from '@x/durable'
import { chatTurn, conversationOf, type UIMessageLike } from './chat-request.ts'

/** The methods of an agent that are called. */
export interface UIAgent<Options extends object> extends ChatAgent<Options> {
  /** Its protocol decides whether earlier tool calls are part of the conversation. */
  readonly agentWorker: object
}

/** The options of a run in a chat. */
export type RunOfChat<Options extends object> = Omit<Options, 'conversation' | 'chatHistory'>

/** Options of {@link runUIMessages}. */
interface RunUIMessagesOptions<Options extends object> {
  /**
   * Options of `runEvents`, such as `signal`. `memory` is the conversation of this chat, if the client must not be able to change what was
   * said: a message with the id of an earlier one replaces it and what follows. Without it, the conversation is the messages of the client.
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
 * @throws {ModelValidationError} when a file has no media type or is not allowed.
 * @throws {ConfigurationError} when the last message is neither from the user nor a decision, when a message has another role than
 * `user` and `assistant`, and when `mayContinue` refuses the task.
 * @throws {TaskNotFoundError} when neither the agent nor its task store has the task.
 */
export function runUIMessages<Options extends object>(
  agent: UIAgent<Options>,
  messages: readonly UIMessageLike[],
  options: RunUIArguments<Options>,
): AsyncGenerator<AgentEvent, void, undefined> {
  checkGiven('runUIMessages', { messages }, listOf('a UIMessage', 'role'))
  return relay(async function* (read) {
    const { run, mayContinue = false, allowFile } = (options ?? {}) as Partial<typeof options>
    const sent = chatTurn(messages)
    const turn = sent.taskId === undefined ? { ...sent, discardsRest: true } : sent
    const given = { ...run } as Options & { memory?: BaseMemory }
    if (turn.taskId === undefined && !given.memory) {
      const { protocol } = agent.agentWorker as { protocol?: { name: string } }
      given.memory = agent.conversation().memory
      await given.memory.set(conversationOf(messages.slice(0, -1), protocol?.name === 'native', allowFile))
    }
    yield* read(answerTurn(agent, turn, { run: given, mayContinue, allowFile }))
  })
}
