/**
 * @module
 * An agent as the route of a web application for clients of AG-UI.
 */
import { FunctionTool, type ToolSchema } from '@x/agents'
import {
  type ChatDecision,
  type ChatMessageTurn,
  type ChatProtocol,
  type ChatRouteOptions,
  chatRoute,
  type OnChatError,
  type UserChat,
} from '@x/chats'
import { errorMessage, isPlainObject } from '@x/core/values'
import type { ContentPart, Json, Turn } from '@x/core-model'
import { newId } from '@x/core-model/data'
import { type AgUiEvent, agUiEventsOf, readInterrupt } from './ag-ui-events.ts'
import { filePart, refused, textOrParts } from './chat-request.ts'
import { agUiMessagesOf } from './load-ag-ui-messages.ts'

/** A chat of a user, with what the client of AG-UI sent. All of it is input of the user: decide which of it the agent uses. */
export interface AgUiChat extends UserChat, AgUiInput {}

/** What a client of AG-UI sends in addition to messages. */
interface AgUiInput {
  /** The id of the run, which the client chose. */
  readonly runId: string
  /**
   * The tools of the client, which makes their calls: a task waits for the result, which the client sends with its next request. Pass them
   * to the agent. The agent needs a task store.
   */
  readonly tools: readonly FunctionTool[]
  /** The state that the client shares, a copy. Pass it to the context of the run: when tools change it, the client receives the new one. */
  readonly state: Record<string, unknown>
  /** What the client knows, such as the page that the user sees. */
  readonly context: readonly { readonly description: string; readonly value: string }[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the handler of a route for clients of AG-UI, such as `HttpAgent`, with the same options, rules and errors as `chatHandler`. The
 * thread is the chat. A tool that needs approval is an interrupt: `resume` with the status `resolved` approves the call unless its payload
 * is false or contains `approved: false`, and `cancelled` rejects it; `payload.reason` is shown to the model, and with `payload.editedArgs`
 * the call runs with these arguments. A call whose result comes from outside is an interrupt too, whose payload is the result. A client
 * that lacks a message or an answer receives all messages before the answered one in an event `CUSTOM` with the name `chat_missed`, and
 * those behind the answer to an earlier message in one with the name `chat_later`; `loadAgUiMessages` returns those of a thread.
 *
 * The functions `agent` and `run` receive what the client sent: {@link AgUiChat}.
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 * import { ReActAgent } from '@x/agents'
 *
 * const handle = agUiHandler({
 *   agent: ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) }),
 *   user: (request) => request.headers.get('x-user'),
 *   chatStore: new SimpleChatStore(),
 * })
 * const messages = [{ id: 'm1', role: 'user', content: 'Capital of France?' }]
 * const body = JSON.stringify({ threadId: 't1', runId: 'r1', messages })
 * const headers = { 'content-type': 'application/json', 'x-user': 'ann' }
 * const response = await handle(new Request('https://a.example/agent', { method: 'POST', headers, body }))
 * const [first] = (await response.text()).split('\n')
 * first // => 'data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}'
 */
export function agUiHandler<Options extends object>(
  options: ChatRouteOptions<Options, AgUiChat>,
): (request: Request) => Promise<Response> {
  return chatRoute<Options, AgUiInput>(options, protocolOf(Object(options).onError))
}

const protocolOf = (onError: OnChatError | undefined): ChatProtocol<AgUiInput> => ({
  name: 'agUiHandler',
  read: readRun,
  withoutBody: () => ({ runId: newId(), tools: [], state: {}, context: [] }),
  async *lines(events, { id: threadId, runId, tools, state, missed, later, ...answered }) {
    const clientTools = tools.map(({ metadata }) => metadata.getName())
    // A decision continues messages that the client has under other ids.
    const messageId = answered.continues ? undefined : answered.messageId
    const line = (event: AgUiEvent) => `data: ${JSON.stringify(event)}\n\n`
    const lacking = (name: string, turns: readonly Turn[] = []) => {
      const value = turns.flatMap((turn) => agUiMessagesOf(turn, { onError, goesOn: turn.state === 'open' }))
      return value.length > 0 ? [line({ type: 'CUSTOM', name, value })] : []
    }
    for await (const event of agUiEventsOf(events, { threadId, runId, messageId, clientTools, state })) {
      // The client takes no event after the end of a run. Its messages do not say how calls were decided.
      if (event.type === 'RUN_FINISHED')
        yield* lacking(
          'chat_later',
          (await later?.())?.filter(({ id }) => id !== answered.messageId),
        )
      // The client has the beginning of a stream whose process has ended.
      if (event.type === 'RUN_STARTED' && answered.messageId === undefined) continue
      yield line(event)
      if (event.type === 'RUN_STARTED') yield* lacking('chat_missed', missed)
    }
  },
})

/** Reads what a client of AG-UI sends. */
function readRun(body: unknown) {
  const { threadId, runId, messages, resume, tools, state, context } = Object(body) as Fields
  if (typeof runId !== 'string' || runId === '') throw refused('a string', runId, ['runId'])
  if (!Array.isArray(messages)) throw refused('an array of messages', messages, ['messages'])
  const decided = [...readDecisions(resume), ...readResults(messages)]
  const shown = messages.flatMap(readMessage)
  const sent: AgUiInput = {
    runId,
    tools: optional(tools, 'tools').map(readTool),
    state: readState(state),
    context: optional(context, 'context').map(readContext),
  }
  const id = threadId as string
  const last = shown.at(-1)
  const [first] = decided
  if (first) {
    const { taskId } = first
    if (decided.some((one) => one.taskId !== taskId))
      throw refused('decisions about one task', decided.length, ['resume'])
    return { id, sent, taskId, decisions: decided.map(({ decision }) => decision), next: last ?? undefined }
  }
  if (!last) throw refused('a message of the user at the end', messages, ['messages'])
  return { id, sent, ...last, shown: messages.flatMap(shownId) }
}

function optional(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw refused('an array', value, [name])
  return value
}

function readTool(tool: unknown, index: number): FunctionTool {
  const { name, description = '', parameters = { type: 'object', properties: {} } } = Object(tool) as Fields
  const at = ['tools', String(index)]
  if (typeof name !== 'string') throw refused('a string', name, [...at, 'name'])
  if (typeof description !== 'string') throw refused('a string', description, [...at, 'description'])
  try {
    const external = FunctionTool.external({
      name,
      description,
      schema: parameters as ToolSchema,
      unchecked: 'refuse',
    })
    external.metadata.getName()
    return external
  } catch (error) {
    throw refused(`a tool (${errorMessage(error)})`, tool, at)
  }
}

function readState(state: unknown): Record<string, unknown> {
  if (state === undefined || state === null) return {}
  if (!isPlainObject(state)) throw refused('an object', state, ['state'])
  return state
}

function readContext(entry: unknown, index: number): AgUiChat['context'][number] {
  const { description, value } = Object(entry) as Fields
  if (typeof description !== 'string' || typeof value !== 'string')
    throw refused('a description and a value', entry, ['context', String(index)])
  return { description, value }
}

/** Returns a message of the user, and null for one of the assistant; other messages are not read. */
function readMessage(message: unknown, index: number): (Omit<ChatMessageTurn, 'shown'> | null)[] {
  const { id: messageId, role, content } = Object(message) as Fields
  const at = ['messages', String(index)]
  if (messageId !== undefined && typeof messageId !== 'string') throw refused('a string', messageId, [...at, 'id'])
  if (role === 'assistant') return [null]
  if (role !== 'user') return []
  if (typeof content === 'string') return [{ messageId, content }]
  at.push('content')
  if (!Array.isArray(content)) throw refused('a string or an array of parts', content, at)
  return [{ messageId, content: textOrParts(content.map((part, place) => readPart(part, [...at, String(place)]))) }]
}

/** Returns the id of a message of the user, or of the turn of another message. */
function shownId(message: unknown): string[] {
  const { id, role } = Object(message) as Fields
  if (typeof id !== 'string') return []
  return [role === 'user' ? id : id.replace(/\/\d+$/, '')]
}

/** The media type of a part whose source names none. */
const mediaTypes: Readonly<Record<string, string>> = { image: 'image/*', audio: 'audio/*', video: 'video/*' }

function readPart(part: unknown, at: string[]): ContentPart {
  const { type, text, source } = Object(part) as Fields
  if (type === 'text' && typeof text === 'string') return { type, text }
  const { type: kind, value, mimeType } = Object(source) as Fields
  if (typeof value !== 'string') throw refused('text, or a source with a value', part, at)
  const named = typeof mimeType === 'string' ? mimeType : undefined
  const mediaType = named ?? mediaTypes[String(type)] ?? 'application/octet-stream'
  return filePart(kind === 'data' ? `data:${mediaType};base64,${value}` : value, mediaType)
}

/** A decision about a call, or its result. */
interface Decided {
  taskId: string
  decision: ChatDecision
}

type Approval = { type: 'approve'; shows?: Fields } | { type: 'reject'; reason?: string }

/** Returns the decisions about calls. */
function readDecisions(resume: unknown): Decided[] {
  return optional(resume, 'resume').map((entry: unknown, index) => {
    const { interruptId, status, payload } = Object(entry) as Fields
    const at = (field: string) => ['resume', String(index), field]
    const call = readInterrupt(interruptId)
    if (!call) throw refused('the id of an interrupt', interruptId, at('interruptId'))
    const { taskId, callId, awaits, approvalId } = call
    if (status === 'cancelled') return { taskId, decision: { callId, type: 'reject', ...reasonOf(payload) } }
    if (status !== 'resolved') throw refused('"resolved" or "cancelled"', status, at('status'))
    if (awaits === 'approval') {
      const record = { callId, ...(approvalId !== undefined && { approvalId }) }
      return { taskId, decision: { ...record, ...readApproval(payload, at('payload')) } }
    }
    // The answer to a question of an MCP server (`waitForUser` of `@x/mcp`).
    const accepted = { action: 'accept', ...(isPlainObject(payload) && { content: payload }) }
    const result = (awaits === 'question' ? accepted : (payload ?? null)) as Json
    return { taskId, decision: { callId, type: 'result', result } }
  })
}

/** Reads the payload of a resolved approval. What is no clear yes or no is refused: it would pay what somebody meant to reject. */
function readApproval(payload: unknown, at: string[]): Approval {
  const given = typeof payload === 'boolean' ? { approved: payload } : (payload ?? {})
  if (!isPlainObject(given)) throw refused('a boolean or an object', payload, at)
  for (const key of Object.keys(given))
    if (!APPROVAL_KEYS.includes(key)) throw refused(`only the keys ${APPROVAL_KEYS.join(', ')}`, key, at)
  const { approved = true, editedArgs } = given
  if (typeof approved !== 'boolean') throw refused('a boolean', approved, [...at, 'approved'])
  if (!approved) return { type: 'reject', ...reasonOf(given) }
  if (editedArgs === undefined) return { type: 'approve' }
  if (!isPlainObject(editedArgs)) throw refused('an object', editedArgs, [...at, 'editedArgs'])
  return { type: 'approve', shows: editedArgs }
}

const APPROVAL_KEYS = ['approved', 'editedArgs', 'reason']

function reasonOf(payload: unknown): { reason?: string } {
  const { reason } = Object(payload) as Fields
  return typeof reason === 'string' ? { reason } : {}
}

/** Returns the results of the calls that the client has made, behind the last message of the assistant. The user may have written since. */
function readResults(messages: readonly unknown[]): Decided[] {
  const asked = messages.findLastIndex((message) => (Object(message) as Fields)['role'] === 'assistant')
  return messages.slice(asked + 1).flatMap((message) => {
    const { toolCallId, content = '', error } = Object(message) as Fields
    const call = readInterrupt(toolCallId)
    if (!call) return []
    const { taskId, callId } = call
    const isError = typeof error === 'string'
    const result = (isError ? error : content) as Json
    return { taskId, decision: { callId, type: 'result', result, ...(isError && { isError }) } }
  })
}
