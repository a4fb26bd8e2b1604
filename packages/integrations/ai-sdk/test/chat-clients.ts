/** The clients of the AI SDK for tests of chats, and what they show. */
import * as ai7 from 'ai'
import * as ai5Lowest from 'ai-5-lowest'
import * as ai6Lowest from 'ai-6-lowest'
import * as ai7Lowest from 'ai-7-lowest'
import * as ai6 from 'ai-v6'
import type { Route } from '../../../chats/test/chat-world.ts'

// The types of the clients differ between their versions; what is used is in all of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Any = any

/** The clients: `useChat` is `AbstractChat` with the state of React. Versions before 6 have no approvals. */
export const clients: { name: string; ai: Any; approves: boolean }[] = [
  { name: 'AI SDK 5.0.0', ai: ai5Lowest, approves: false },
  { name: 'AI SDK 6.0.0', ai: ai6Lowest, approves: true },
  { name: 'AI SDK 6', ai: ai6, approves: true },
  { name: 'AI SDK 7.0.0', ai: ai7Lowest, approves: true },
  { name: 'AI SDK 7', ai: ai7, approves: true },
]

/** A client. `route` may change between its requests. */
export function clientOf(
  { ai, approves }: (typeof clients)[number],
  route: () => Route,
  { id = 'chat', user = 'ann', onData }: { id?: string; user?: string; onData?: (part: Any) => void } = {},
): Any {
  const state: Any = {
    status: 'ready',
    error: undefined,
    messages: [],
    pushMessage: (message: Any) => void (state.messages = [...state.messages, message]),
    popMessage: () => void (state.messages = state.messages.slice(0, -1)),
    replaceMessage: (index: number, message: Any) => void (state.messages = state.messages.with(index, message)),
    snapshot: (value: Any) => structuredClone(value),
  }
  const Chat: Any = class extends ai.AbstractChat {}
  return new Chat({
    id,
    state,
    ...(onData && { onData }),
    transport: new ai.DefaultChatTransport({
      api: 'https://chat.example/api/chat',
      fetch: fetchOf(route),
      headers: { 'x-user': user },
    }),
    ...(approves && { sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithApprovalResponses }),
  })
}

const textOf = (message: Any): string =>
  message?.parts.flatMap((part: Any) => (part.type === 'text' ? [part.text] : [])).join('')
export const lastText = (chat: Any): string => textOf(chat.messages.at(-1))
export const toolsOf = (chat: Any): Any[] => chat.messages.at(-1).parts.filter(({ toolCallId }: Any) => toolCallId)
export const post = (body: unknown, user = 'ann') =>
  new Request('https://chat.example/api/chat', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-user': user },
  })
export const question = (text: string, id = 'm1') => ({ id, role: 'user', parts: [{ type: 'text', text }] })

/** Returns a `fetch` for a client; `route` may change between its requests. As with the platform's, an abort breaks the body. */
export const fetchOf = (route: () => Route) => async (url: string, init: RequestInit) => {
  const response = await route()(new Request(url, { ...init, duplex: 'half' } as RequestInit))
  const body = init.signal ? response.body?.pipeThrough(new TransformStream(), { signal: init.signal }) : response.body
  return new Response(body ?? null, response)
}
