import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Client, UnauthorizedError } from '@modelcontextprotocol/client'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fruitTools } from '../test/fruit-tools.ts'
import { listen } from '../test/listen.ts'
import { connect, finishSignIn, SignIn, type SignInData } from '../test/sign-in.ts'
import { mcpTools } from './mcp-toolset.ts'
import { serveTools } from './serve-tools.ts'

const callback = 'http://127.0.0.1:9/callback'

/** A server behind an authorization server, on a loopback address. Its tokens are `token-1`, `token-2`, …; only the last one is valid. */
async function protectedServer() {
  const state = { tokens: 0, challenge: '', code: '', registered: 0, grants: [] as (string | null)[] }
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'fruit', version: '1.0.0' }, { capabilities: { tools: {} } })
    serveTools(server, fruitTools())
    return server
  })
  const url = await listen(async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url)
    if (pathname.startsWith('/.well-known/oauth-protected-resource'))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
    if (pathname === '/.well-known/oauth-authorization-server')
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      })
    if (pathname === '/register') {
      state.registered++
      return Response.json({ ...((await request.json()) as object), client_id: 'program' }, { status: 201 })
    }
    if (pathname === '/authorize') {
      state.challenge = searchParams.get('code_challenge')!
      state.code = crypto.randomUUID()
      const back = new URL(searchParams.get('redirect_uri')!)
      back.search = `${new URLSearchParams({ code: state.code, state: searchParams.get('state')! })}`
      return Response.redirect(back, 302)
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await request.text())
      state.grants.push(form.get('grant_type'))
      const verifier = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      const isCode = form.get('code') === state.code && verifier === state.challenge
      const isRefresh = form.get('refresh_token') === `refresh-${state.tokens}`
      if (!isCode && !isRefresh) return Response.json({ error: 'invalid_grant' }, { status: 400 })
      state.tokens++
      const tokens = { access_token: `token-${state.tokens}`, refresh_token: `refresh-${state.tokens}` }
      return Response.json({ ...tokens, token_type: 'Bearer', expires_in: 3600 })
    }
    if (request.headers.get('authorization') === `Bearer token-${state.tokens}`) return handler.fetch(request)
    const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
    return new Response(null, { status: 401, headers: { 'www-authenticate': challenge } })
  }, onTestFinished)
  return { url, state }
}

/** What a program has stored, as JSON. */
function stored() {
  let json = '{}'
  const load = () =>
    new SignIn(callback, JSON.parse(json) as SignInData, async (data) => {
      json = JSON.stringify(data)
    })
  return { load, json: () => json }
}

function newClient(): Client {
  const client = new Client({ name: 'my-program', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  return client
}

/** Signs in as a user who agrees at once. Returns where the user comes back. */
async function visit({ address }: SignIn): Promise<URL> {
  const { headers } = await fetch(address!, { redirect: 'manual' })
  return new URL(headers.get('location')!)
}

describe('the sign-in of the guide', () => {
  it('is the code of the guide', () => {
    const guide = readFileSync(`${import.meta.dirname}/../../../../docs/guides/sign-in-to-mcp-servers.md`, 'utf8')
    const code = readFileSync(`${import.meta.dirname}/../test/sign-in.ts`, 'utf8')
    expect(guide).toContain(`\`\`\`ts\n${code.slice(0, code.lastIndexOf('export {')).trimEnd()}\n\`\`\``)
  })

  it('signs in, in another process when the user comes back, and uses the tools', async () => {
    const { url, state } = await protectedServer()
    const store = stored()
    const first = store.load()
    expect(await connect(newClient(), url, first)).toBe(false)
    const back = await visit(first)
    await finishSignIn(url, store.load(), back)
    const client = newClient()
    expect(await connect(client, url, store.load())).toBe(true)
    const { tools } = await mcpTools(client)
    expect((await tools[0]!.call({ fruit: 'pear' })).content).toBe('{"euros":2}')
    expect(state).toMatchObject({ registered: 1, grants: ['authorization_code'] })
  })

  it('renews the tokens, and signs in again when that is refused', async () => {
    const { url, state } = await protectedServer()
    const store = stored()
    const signIn = store.load()
    await connect(newClient(), url, signIn)
    await finishSignIn(url, signIn, await visit(signIn))
    const client = newClient()
    await connect(client, url, store.load())
    const { tools } = await mcpTools(client)
    const refresh = JSON.parse(store.json())
    refresh.tokens.access_token = 'expired'
    const renewing = new SignIn(callback, refresh, async () => {})
    expect(await connect(newClient(), url, renewing)).toBe(true)
    expect(state.grants).toEqual(['authorization_code', 'refresh_token'])
    // The first client has the tokens that are not valid any more.
    await expect(tools[0]!.call({ fruit: 'pear' })).rejects.toSatisfy(({ cause }) =>
      UnauthorizedError.isInstance(cause),
    )
    expect(await connect(newClient(), url, store.load())).toBe(false)
    expect(state.registered).toBe(1)
  })

  it('refuses an address that somebody else has made', async () => {
    const { url, state } = await protectedServer()
    const [own, other] = [stored().load(), stored().load()]
    await connect(newClient(), url, own)
    await connect(newClient(), url, other)
    const back = await visit(other)
    await expect(finishSignIn(url, own, back)).rejects.toThrow('does not belong')
    await expect(finishSignIn(url, stored().load(), back)).rejects.toThrow('does not belong')
    expect(state.grants).toEqual([])
  })
})
