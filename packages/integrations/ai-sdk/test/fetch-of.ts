import type { Route } from '../../../chats/test/chat-world.ts'

/** Returns a `fetch` for a client; `route` may change between its requests. As with the platform's, an abort breaks the body. */
export const fetchOf = (route: () => Route) => async (url: string, init: RequestInit) => {
  const response = await route()(new Request(url, { ...init, duplex: 'half' } as RequestInit))
  const body = init.signal ? response.body?.pipeThrough(new TransformStream(), { signal: init.signal }) : response.body
  return new Response(body ?? null, response)
}
