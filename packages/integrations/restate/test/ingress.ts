/** Calls of handlers from outside, by plain HTTP. */
import type { RestateServer } from '../../../../tools/restate-server.ts'

/** Calls a handler and waits for its result without a limit. */
export function call<T>(
  { ingress }: Pick<RestateServer, 'ingress'>,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const json = { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
  return answerOf(fetch(`${ingress}/${path}`, { method: 'POST', ...(body !== undefined && json) }))
}

/** Waits for the answer of a workflow that was submitted. */
export function attach<T>({ ingress }: Pick<RestateServer, 'ingress'>, workflow: string): Promise<T> {
  return answerOf(fetch(`${ingress}/restate/workflow/${workflow}/attach`))
}

async function answerOf<T>(request: Promise<Response>): Promise<T> {
  const response = await request
  const text = await response.text()
  const data = text === '' ? undefined : JSON.parse(text)
  if (!response.ok) throw Object.assign(new Error(`${response.url}: ${text}`), { status: response.status, data })
  return data as T
}
