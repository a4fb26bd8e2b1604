/**
 * @module
 * An agent as the route of a web application for clients of AG-UI.
 */
import type { AgentEvent } from '@x/agents'
import { agUiEvents, readInterrupt } from './ag-ui-events.ts'
import { checkId, refused } from './chat-request.ts'
import { type ChatHandlerOptions, ChatRoute, type ChatTurn } from './chat-route.ts'
import type { UIMessageLike, UIPartLike } from './ui-conversation.ts'
import type { UIMessageStreamOptions } from './ui-message-stream.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the handler of a route for clients of AG-UI, such as `HttpAgent`, with the same options, rules and errors as `chatHandler`. The
 * thread is the chat. A tool that needs approval is an interrupt: `resume` with the status `resolved` approves the call unless its payload is
 * false or contains `approved: false`, and `cancelled` rejects it; `payload.reason` is shown to the model. Tools and state of the client
 * are not used.
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
  options: ChatHandlerOptions<Options>,
): (request: Request) => Promise<Response> {
  const route = new ChatRoute<Options>(options, readRun)
  return (request) => route.handle(request)
}

/** Reads what a client of AG-UI sends. */
function readRun(body: unknown, options: UIMessageStreamOptions): ChatTurn {
  const { threadId: id, runId, messages, resume } = Object(body) as Fields
  checkId(id, 'threadId')
  checkId(runId, 'runId')
  if (!Array.isArray(messages)) throw refused('an array of messages', messages, ['messages'])
  const decisions = readDecisions(resume)
  const shown = messages.flatMap(readMessage)
  if (!decisions && shown.length === 0) throw refused('a message', messages, ['messages'])
  const run = { threadId: id, runId, onError: options.onError }
  return {
    id,
    messages: decisions ? [...shown, decisions] : shown,
    encode: (events) => lines(events, run),
  }
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

/** Returns the decisions about calls as a message of `useChat`; null if there are none. */
function readDecisions(resume: unknown): UIMessageLike | null {
  if (resume === undefined || resume === null) return null
  if (!Array.isArray(resume) || resume.length === 0) throw refused('an array of decisions', resume, ['resume'])
  const decided = resume.map((entry: unknown, index) => {
    const { interruptId, status, payload } = Object(entry) as Fields
    const call = readInterrupt(interruptId)
    if (!call) throw refused('the id of an interrupt', interruptId, ['resume', String(index), 'interruptId'])
    const { approved = payload, reason } = Object(payload) as Fields
    return {
      ...call,
      approved: status === 'resolved' && approved !== false,
      reason: typeof reason === 'string' ? reason : undefined,
    }
  })
  const [{ taskId }] = decided as [(typeof decided)[0]]
  if (decided.some((one) => one.taskId !== taskId)) throw refused('decisions about one task', resume, ['resume'])
  return {
    role: 'assistant',
    metadata: { taskId },
    parts: decided.map(({ callId: toolCallId, approved, reason }) => ({
      type: 'dynamic-tool',
      toolCallId,
      state: 'approval-responded',
      approval: { approved, reason },
    })),
  }
}
