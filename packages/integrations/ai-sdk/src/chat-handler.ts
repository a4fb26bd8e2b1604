/**
 * @module
 * An agent as the route of a web application for `useChat`.
 */
import type { Tool } from '@x/agents'
import { type ChatProtocol, type ChatRouteOptions, chatRoute } from '@x/chats'
import { invalidOption } from '@x/core/options'
import type { Turn } from '@x/core-model'
import { readChatBody } from './chat-request.ts'
import { uiMessagesOf } from './load-ui-messages.ts'
import { uiMessageHeaders, uiMessageLine, uiMessageLines } from './ui-message-stream.ts'

/** Options of {@link chatHandler}. `run` is required if the agent needs a context. */
export type ChatHandlerOptions<Options extends object> = ChatRouteOptions<Options> & {
  /**
   * Whether tools are parts of the type `tool-NAME`, for pages whose messages declare the types of their tools, instead of
   * `dynamic-tool`. @defaultValue false
   */
  typedTools?: boolean | undefined
  /**
   * The tools whose titles, and for approvals whose schemas, the page receives: `title` and `approval.descriptor` of their parts. Clients
   * before `ai` 6.0.326 and 7.0.173 may refuse them. @defaultValue []
   */
  tools?: readonly Tool[] | undefined
}

/**
 * Returns the handler of a route for `useChat`: `chatRoute` of `@x/chats` with the protocol of the AI SDK. Of the client's messages only
 * the last one is read; a body may contain it alone, as `message`. Nothing is removed because a client does not show it: only an edit, and
 * another answer to an earlier message, remove what follows. A client that lacks a message or an answer, or shows an older state of one,
 * receives all before the answered message as a part `data-chat-missed`. When the answer has ended, it receives as `data-chat-later` those
 * behind it, if it belongs to an earlier message, and the answer itself if the client does not know how its calls were decided.
 *
 * - `POST` answers the last message of a chat, or continues its task after the user's decisions.
 * - `GET …/CHAT/stream` returns the stream of the running answer, as the client asks for it with `resume`; 204 without one.
 * - `DELETE …/CHAT/stream` stops it.
 *
 * Errors before a run begins are responses with JSON `{ error: { code, message } }`; errors of a run are parts of its stream.
 * @throws {ModelValidationError} if an option is unknown, missing or not valid.
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 * import { ReActAgent } from '@x/agents'
 *
 * const handle = chatHandler({
 *   agent: ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Paris'] }) }),
 *   user: (request) => request.headers.get('x-user'),
 *   chatStore: new SimpleChatStore(),
 * })
 * const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Capital of France?' }] }]
 * const body = JSON.stringify({ id: 'c1', messages })
 * const headers = { 'content-type': 'application/json', 'x-user': 'ann' }
 * const response = await handle(new Request('https://a.example/api/chat', { method: 'POST', headers, body }))
 * response.status // => 200
 */
export function chatHandler<Options extends object>(
  options: ChatHandlerOptions<Options>,
): (request: Request) => Promise<Response> {
  const name = 'chatHandler'
  const isObject = typeof options === 'object'
  const { typedTools = false, tools = [], ...route } = { ...(isObject && options) } as ChatHandlerOptions<Options>
  if (typeof typedTools !== 'boolean') throw invalidOption(name, 'typedTools', 'true or false', typedTools)
  if (!Array.isArray(tools)) throw invalidOption(name, 'tools', 'a list of tools', tools)
  const { onError } = route as Pick<ChatRouteOptions<object>, 'onError'>
  const protocol: ChatProtocol = {
    name,
    read: readChatBody,
    lines: (events, { messageId, missed, later, stopped }) => {
      const shown = (turn: Turn) => uiMessagesOf(turn, { typedTools, tools, onError, goesOn: turn.state === 'open' })
      return uiMessageLines(events, {
        typedTools,
        tools,
        messageId,
        stopped,
        missed: missed?.flatMap(shown),
        later: later && (async () => (await later()).flatMap(shown)),
      })
    },
    question: (turn) => {
      const data = uiMessagesOf(turn, { goesOn: true })
      return data.length > 0 ? uiMessageLine({ type: 'data-chat-question', data, transient: true }) : undefined
    },
    headers: uiMessageHeaders,
  }
  return chatRoute((isObject ? route : options) as unknown as ChatRouteOptions<Options>, protocol)
}
