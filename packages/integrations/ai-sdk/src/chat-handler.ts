/**
 * @module
 * An agent as the route of a web application for `useChat`.
 */
import { readChatBody } from './chat-request.ts'
import { type ChatHandlerOptions, ChatRoute, type ChatTurn } from './chat-route.ts'
import { uiMessageLines } from './ui-message-stream.ts'

/**
 * Returns the handler of a route for `useChat`, on web `Request` and `Response`.
 *
 * - `POST` answers the last message of a chat, or continues its task after the user's decisions, in any process that has the stores of
 *   conversations and tasks. The conversation is the one in the chat store: of the client's messages only the last one is read, and
 *   messages that the client no longer has are removed. The user continues tasks of this chat only.
 * - `GET …/CHAT/stream` returns the stream of the answer that goes on, as the client asks for it with `resume`; 204 without one.
 * - `DELETE …/CHAT/stream` stops it.
 *
 * If the agent is a `TasksAgent` of `@x/agents/durable`, each answer is a durable task, which every process finds: the client comes back to it
 * after the process has ended, and a message that is sent again joins the task that goes on.
 *
 * A chat has one run at a time: a second one is refused with status 409. Errors before a run begins are responses with JSON
 * `{ error: { code, message } }`; errors of a run are parts of its stream.
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
 * const response = await handle(new Request('https://a.example/api/chat', { method: 'POST', body, headers: { 'x-user': 'ann' } }))
 * response.status // => 200
 */
export function chatHandler<Options extends object>(
  options: ChatHandlerOptions<Options>,
): (request: Request) => Promise<Response> {
  const encode: ChatTurn['encode'] = (events) => uiMessageLines(events, options)
  const route = new ChatRoute<Options>(options, {
    read: (body) => ({ ...readChatBody(body), encode }),
    comeBack: () => ({ encode }),
  })
  return (request) => route.handle(request)
}
