import { expect, it } from 'vitest'
import { localOnly } from './local-only.ts'

const handle = localOnly(async (request) =>
  new URL(request.url).pathname === '/none'
    ? new Response(null, { status: 204 })
    : new Response('secret', { headers: { 'content-security-policy': "default-src 'self'" } }),
)
const status = async (headers: Record<string, string>, url = 'http://127.0.0.1:4321/') =>
  (await handle(new Request(url, { headers }))).status

it.each(['localhost:4321', '127.0.0.1:4321', '[::1]:4321', 'LOCALHOST', '127.0.0.1'])(
  'answers the host %s',
  async (host) => {
    expect(await status({ host })).toBe(200)
    expect(await status({ host, origin: `http://${host}` })).toBe(200)
  },
)

it.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example:4321',
  '0.0.0.0',
  '127.0.0.1@evil',
  '',
])('refuses the host %j', async (host) => {
  expect(await status({ host })).toBe(403)
})

it.each([
  'http://localhost:3000',
  'http://localhost',
  'https://evil.example',
  'null',
  'http://127.0.0.1:4321',
  'http://localhost:43210',
  '',
])('refuses the origin %j', async (origin) => {
  expect(await status({ host: 'localhost:4321', origin })).toBe(403)
})

it('refuses in the form of handlers of tasks, and of chats', async () => {
  const refused = await handle(new Request('http://evil.example/'))
  const refusal = { code: 'host', message: 'The host of a request must be this machine.' }
  expect(await refused.json()).toEqual({ ...refusal, error: refusal })
})

it('reads the host of the address where a platform has no such header', async () => {
  expect([await status({}), await status({}, 'http://evil.example/')]).toEqual([200, 403])
})

it('adds headers, and keeps those of the response', async () => {
  const { headers } = await handle(new Request('http://localhost/'))
  expect(headers.get('content-security-policy')).toBe("default-src 'self'")
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  const empty = await handle(new Request('http://localhost/none'))
  expect([empty.status, empty.headers.get('content-security-policy')]).toEqual([204, "frame-ancestors 'none'"])
})
