/**
 * @module
 * An agent as the route of a web application for clients of AG-UI.
 */
import { type AgentEvent, FunctionTool, type ToolSchema } from '@x/agents'
import { errorMessage, isPlainObject } from '@x/core/values'
import { newId } from '@x/core-model/data'
import { agUiEvents, readInterrupt } from './ag-ui-events.ts'
import { checkId, refused } from './chat-request.ts'
import { type ChatHandlerOptions, ChatRoute, type ChatTurn, type UserChat } from './chat-route.ts'
import type { UIMessageLike, UIPartLike } from './ui-conversation.ts'
import type { UIMessageStreamOptions } from './ui-message-stream.ts'

/** A chat of a user, with what the client of AG-UI sent. All of it is input of the user: decide which of it the agent uses. */
export interface AgUiChat extends UserChat {
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
 * thread is the chat. A tool that needs approval is an interrupt: `resume` with the status `resolved` approves the call unless its payload is
 * false or contains `approved: false`, and `cancelled` rejects it; `payload.reason` is shown to the model. A call whose result comes from
 * outside is an interrupt too, whose payload is the result.
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
 * const response = await handle(new Request('https://a.example/agent', { method: 'POST', body, headers: { 'x-user': 'ann' } }))
 * const [first] = (await response.text()).split('\n')
 * first // => 'data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}'
 */
export function agUiHandler<Options extends object>(
  options: ChatHandlerOptions<Options, AgUiChat>,
): (request: Request) => Promise<Response> {
  const route = new ChatRoute<Options>(options as ChatHandlerOptions<Options>, {
    read: (body) => readRun(body, options),
    comeBack: (threadId) => ({
      sent: { tools: [], state: {}, context: [] },
      encode: (events) => lines(events, { threadId, runId: newId(), onError: options.onError }),
    }),
  })
  return (request) => route.handle(request)
}

/** Reads what a client of AG-UI sends. */
function readRun(body: unknown, options: Pick<UIMessageStreamOptions, 'onError'>): ChatTurn {
  const { threadId: id, runId, messages, resume, tools, state, context } = Object(body) as Fields
  checkId(id, 'threadId')
  checkId(runId, 'runId')
  if (!Array.isArray(messages)) throw refused('an array of messages', messages, ['messages'])
  const decided = [...readDecisions(resume), ...readResults(messages)]
  const shown = messages.flatMap(readMessage)
  if (decided.length === 0 && shown.length === 0) throw refused('a message', messages, ['messages'])
  const sent = {
    tools: optional(tools, 'tools').map(readTool),
    state: readState(state),
    context: optional(context, 'context').map(readContext),
  }
  const clientTools = sent.tools.map(({ metadata }) => metadata.getName())
  const run = { threadId: id, runId, onError: options.onError, clientTools, state: sent.state }
  return {
    id,
    messages: decided.length > 0 ? [...shown, decisionMessage(decided)] : shown,
    sent,
    encode: (events) => lines(events, run),
  }
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
    const external = FunctionTool.external({ name, description, schema: parameters as ToolSchema })
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

async function* lines(events: AsyncIterable<AgentEvent>, run: Parameters<typeof agUiEvents>[1]) {
  for await (const event of agUiEvents(events, run)) yield `data: ${JSON.stringify(event)}\n\n`
}

/** Returns a message of the user or of the assistant; other messages are not read. */
function readMessage(message: unknown, index: number): UIMessageLike[] {
  const { id, role, content } = Object(message) as Fields
  const at = ['messages', String(index)]
  if (id !== undefined && typeof id !== 'string') throw refused('a string', id, [...at, 'id'])
  const own = id === undefined ? {} : { id }
  if (role === 'assistant') return [{ ...own, role, parts: [] }]
  if (role !== 'user') return []
  const given: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content, at)
  return [{ ...own, role, parts: given.map((part, place) => readPart(part, [...at, 'content', String(place)])) }]
}

function list(content: unknown, at: readonly string[]): readonly unknown[] {
  if (!Array.isArray(content)) throw refused('a string or an array of parts', content, [...at, 'content'])
  return content
}

/** The media type of a part whose source names none. */
const mediaTypes: Readonly<Record<string, string>> = { image: 'image/*', audio: 'audio/*', video: 'video/*' }

function readPart(part: unknown, at: string[]): UIPartLike {
  const { type, text, source } = Object(part) as Fields
  if (type === 'text' && typeof text === 'string') return { type, text }
  const { type: kind, value, mimeType } = Object(source) as Fields
  if (typeof value !== 'string') throw refused('text, or a source with a value', part, at)
  const named = typeof mimeType === 'string' ? mimeType : undefined
  const mediaType = named ?? mediaTypes[String(type)] ?? 'application/octet-stream'
  return { type: 'file', mediaType, url: kind === 'data' ? `data:${mediaType};base64,${value}` : value }
}

/** A decision about a call, or its result. */
interface Decided {
  taskId: string
  part: UIPartLike
}

/** Returns the decisions about calls. A decision about a call that waits for a result contains it. */
function readDecisions(resume: unknown): Decided[] {
  if (resume === undefined || resume === null) return []
  if (!Array.isArray(resume) || resume.length === 0) throw refused('an array of decisions', resume, ['resume'])
  return resume.map((entry: unknown, index) => {
    const { interruptId, status, payload } = Object(entry) as Fields
    const call = readInterrupt(interruptId)
    if (!call) throw refused('the id of an interrupt', interruptId, ['resume', String(index), 'interruptId'])
    const { approved = payload, reason } = Object(payload) as Fields
    const approval = {
      approved: status === 'resolved' && approved !== false,
      reason: typeof reason === 'string' ? reason : undefined,
    }
    return decision(call, { state: 'approval-responded', approval, output: payload })
  })
}

/** Returns the results of the calls that the client has made: the messages at the end. */
function readResults(messages: readonly unknown[]): Decided[] {
  const end = messages.findLastIndex((message) => (Object(message) as Fields)['role'] !== 'tool')
  return messages.slice(end + 1).flatMap((message) => {
    const { toolCallId, content, error } = Object(message) as Fields
    const call = readInterrupt(toolCallId)
    if (!call) return []
    if (typeof error === 'string') return decision(call, { state: 'output-error', errorText: error })
    return decision(call, { state: 'output-available', output: content ?? '' })
  })
}

function decision({ taskId, callId }: { taskId: string; callId: string }, fields: Partial<UIPartLike>): Decided {
  return { taskId, part: { type: 'dynamic-tool', toolCallId: callId, ...fields } }
}

/** Returns the decisions as a message of `useChat`. */
function decisionMessage(decided: readonly Decided[]): UIMessageLike {
  const [{ taskId }] = decided as [Decided]
  if (decided.some((one) => one.taskId !== taskId))
    throw refused('decisions about one task', decided.length, ['resume'])
  return { role: 'assistant', metadata: { taskId }, parts: decided.map(({ part }) => part) }
}
