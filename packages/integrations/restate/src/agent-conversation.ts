/**
 * @module
 * A conversation as an object of Restate: one message at a time.
 */
import type {
  ObjectContext,
  ObjectOptions,
  ObjectSharedContext,
  VirtualObjectDefinition,
  WorkflowDefinition,
} from '@restatedev/restate-sdk'
import { checkOptions, having, required } from '@x/core/options'
import { ChatMessage, type ChatStore, ConfigurationError, type ConversationRef, type Dict } from '@x/core-model'
import { readSubmission } from '@x/durable'
import { restateOptions } from './agent-run.ts'
import type { AgentWorkflowHandlers } from './agent-workflow.ts'
import { handlersOf } from './errors.ts'
import { writeRecord } from './record.ts'
import type { RestateSdk } from './restate-sdk.ts'
import type { AgentRequest, ConversationAnswer } from './run-protocol.ts'
import { traceHeaders } from './trace-headers.ts'

/** Options of {@link agentConversation}. */
interface AgentConversationOptions<Name extends string = string> {
  /** The module `@restatedev/restate-sdk`, or its entry for your platform. */
  restate: RestateSdk
  /** The name of the service. */
  name: Name
  /** Answers each message: a workflow of `agentWorkflow`, which must be served too. */
  workflow: WorkflowDefinition<string, AgentWorkflowHandlers>
  /**
   * Stores the messages, under the key of the conversation; the workflow must have the same store. Without it, the messages are in the
   * state of the object, and in the request and the answer of each message: a long conversation writes its whole history each time.
   */
  chatStore?: ChatStore | undefined
  /** Options of the object, such as `hooks`. */
  options?: ObjectOptions | undefined
}

/** The handlers of a conversation. (A type, because clients of Restate do not accept interfaces.) */
export type AgentConversationHandlers = {
  /** Answers a message. Messages that arrive meanwhile wait for their turn. */
  chat(ctx: ObjectContext, request: string | AgentRequest): Promise<ConversationAnswer>
  /** Returns all messages, as the dicts of `ChatMessage`. */
  history(ctx: ObjectSharedContext): Promise<Dict[]>
  /** Returns the task that runs: the key of the workflow, for its handlers `status`, `decide` and `cancel`. Null if no task runs. */
  current(ctx: ObjectSharedContext): Promise<string | null>
  /** Deletes all messages. */
  reset(ctx: ObjectContext): Promise<void>
}

/**
 * Returns an object that is a conversation per key, with one run at a time. Its messages are in a `chatStore`, or in the state of the
 * object; each message is answered by a separate workflow, whose key is `<conversation>-<number>`. A message that fails or is cancelled
 * does not change the conversation.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { durableAgent } from '@x/durable'
 *
 * const llm = new ScriptedLLM({ answers: [] })
 * const workflow = agentWorkflow({ restate, name: 'message', agent: durableAgent(() => ({ llm })) })
 * const chat = agentConversation({ restate, name: 'chat', workflow })
 * const handler = restate.createEndpointHandler({ services: [workflow, chat] })
 * chat.name // => 'chat'
 */
export function agentConversation<Name extends string>(
  options: AgentConversationOptions<Name>,
): VirtualObjectDefinition<Name, AgentConversationHandlers> {
  checkOptions('agentConversation', options, {
    ...restateOptions,
    workflow: required('the workflow of the agent'),
    chatStore: having('a chat store', 'getMessages', 'setMessages'),
  })
  const { restate, name } = options
  const { shared } = restate.handlers.object
  const handler = handlersOf(options)
  return restate.object({
    name,
    handlers: {
      chat: handler(chat),
      reset: (ctx: ObjectContext) => reset(ctx, options.chatStore),
      history: shared((ctx: ObjectSharedContext) => history(ctx, options.chatStore)),
      current: shared((ctx: ObjectSharedContext) => ctx.get<string>('current')),
    },
    ...(options.options && { options: options.options }),
  }) as VirtualObjectDefinition<Name, AgentConversationHandlers>
}

async function chat(
  ctx: ObjectContext,
  { restate, name, workflow, chatStore }: AgentConversationOptions,
  data: string | AgentRequest,
): Promise<ConversationAnswer> {
  const request = readSubmission(name, data)
  if (request.chatHistory ?? request.conversation)
    throw new ConfigurationError('agentConversation: expected no chatHistory and no conversation; it has its own.')
  const turn = ((await ctx.get<number>('turns')) ?? 0) + 1
  const chatHistory = (await ctx.get<Dict[]>('messages')) ?? []
  const soFar = chatStore ? { conversation: await stored(ctx, chatStore, chatHistory) } : { chatHistory }
  const taskId = `${ctx.key}-${turn}`
  ctx.set('turns', turn)
  ctx.set('current', taskId)
  const client = ctx.workflowClient<AgentWorkflowHandlers>(workflow, taskId)
  const headers = traceHeaders(ctx.request().headers)
  try {
    const turnRequest = { ...request, ...soFar }
    writeRecord(`Conversation "${ctx.key}"`, turnRequest)
    const { messages, conversation, ...answer } = await client.run(turnRequest, restate.rpc.opts({ headers }))
    if (conversation) ctx.set('length', conversation.length)
    else ctx.set('messages', messages)
    return { ...answer, taskId }
  } finally {
    ctx.clear('current')
  }
}

/** Returns the reference to a conversation, after messages in the state, from before it had a store, were moved to the store. */
async function stored(ctx: ObjectContext, chatStore: ChatStore, earlier: readonly Dict[]): Promise<ConversationRef> {
  if (earlier.length > 0) {
    const messages = earlier.map((message) => ChatMessage.fromDict(message))
    await ctx.run('move messages', async () => chatStore.setMessages(ctx.key, messages))
    ctx.set('length', earlier.length)
    ctx.clear('messages')
    return { id: ctx.key, length: earlier.length }
  }
  return { id: ctx.key, length: (await ctx.get<number>('length')) ?? 0 }
}

async function history(ctx: ObjectSharedContext, chatStore: ChatStore | undefined): Promise<Dict[]> {
  const length = chatStore ? await ctx.get<number>('length') : null
  if (!chatStore || length === null) return (await ctx.get<Dict[]>('messages')) ?? []
  return (await chatStore.getMessages(ctx.key)).slice(0, length).map((message) => message.toDict())
}

async function reset(ctx: ObjectContext, chatStore: ChatStore | undefined): Promise<void> {
  if (chatStore)
    await ctx.run('delete messages', async () => {
      await chatStore.deleteMessages(ctx.key)
    })
  ctx.clear('length')
  ctx.clear('messages')
}
