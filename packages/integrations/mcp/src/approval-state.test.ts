import { createMcpHandler, createRequestStateCodec, Server } from '@modelcontextprotocol/server'
import { FunctionTool } from '@x/agents'
import { describe, expect, it } from 'vitest'
import { type AskUserOptions, askUser } from './ask-user.ts'
import { serveTools } from './serve-tools.ts'

const euros = { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] } as const
const approval = { action: 'accept', content: { approve: true } }

interface Asked {
  requestState?: string
  inputRequests?: { approval: { params: { message: string } } }
  content?: [{ text: string }]
  isError?: boolean
}

function bank(options: AskUserOptions = {}, sealed = false) {
  const paid: unknown[] = []
  let description = 'Pays.'
  let isIdempotent = false
  const codec = createRequestStateCodec<string>({ key: new Uint8Array(32).fill(7) })
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'bank', version: '1' },
      { capabilities: { tools: {} }, ...(sealed && { requestState: { verify: codec.verify } }) },
    )
    const pay = FunctionTool.fromDefaults({
      name: 'pay',
      description,
      schema: euros,
      needsApproval: true,
      annotations: isIdempotent ? { idempotentHint: true } : {},
      fn: ({ euros }) => `Paid ${paid.push(euros)}`,
    })
    serveTools(server, [pay], { approvals: askUser({ ...options, ...(sealed && { mint: codec.mint }) }) })
    return server
  })
  const call = async (params: object): Promise<Asked> => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const request = new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'pay',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta, name: 'pay', ...params } }),
    })
    return ((await (await handler.fetch(request)).json()) as { result: Asked }).result
  }
  const approve = async (euros: number, requestState?: string) =>
    call({ arguments: { euros }, inputResponses: { approval }, ...(requestState && { requestState }) })
  return {
    paid,
    call,
    approve,
    change: (to: string) => (description = to),
    makeIdempotent: () => (isIdempotent = true),
    ask: async (euros = 5) => (await call({ arguments: { euros } })).requestState!,
  }
}

const messageOf = ({ inputRequests }: Asked) => inputRequests?.approval.params.message

describe.each([false, true])('an approval between two requests, sealed by the server: %j', (sealed) => {
  it('is of the call that was shown, and is used once', async () => {
    const { ask, approve, paid } = bank({}, sealed)
    const state = await ask()
    expect((await approve(5, state)).content).toEqual([{ type: 'text', text: 'Paid 1' }])
    expect(messageOf(await approve(5, state))).toContain('was used already')
    expect(paid).toEqual([5])
  })

  it('is none of other arguments: the user is asked again, with the difference, and can approve that', async () => {
    const { ask, approve, paid } = bank({}, sealed)
    const again = await approve(5_000_000, await ask())
    expect(messageOf(again)).toBe(
      'Approve the call of "pay"?\n{"euros":5000000}\nThe arguments have changed. They were {"euros":5}.',
    )
    expect(paid).toEqual([])
    await approve(5_000_000, again.requestState)
    expect(paid).toEqual([5_000_000])
  })

  it('is none of a tool that the server has changed since', async () => {
    const { ask, approve, paid, change } = bank({}, sealed)
    const state = await ask()
    change('Pays everybody.')
    expect(messageOf(await approve(5, state))).toContain('The tool has changed.')
    expect(paid).toEqual([])
  })

  it('is none without the question, or with another state', async () => {
    const { approve, paid } = bank({}, sealed)
    expect(messageOf(await approve(5))).toBe('Approve the call of "pay"?\n{"euros":5}')
    if (!sealed) {
      const state = await bank().ask()
      for (const other of [
        `served-${crypto.randomUUID()}`,
        'approval.e30=',
        `${state.slice(0, -4)}AAA=`,
        state.replace('.', '.x'),
      ])
        expect(messageOf(await approve(5, other))).toContain('Approve')
    }
    expect(paid).toEqual([])
  })
})

describe('an approval', () => {
  it('is of one user, and of a limited time', async () => {
    let user = 'ann'
    const { ask, approve, paid } = bank({ user: () => user, timeoutMs: 50 })
    const state = await ask()
    user = 'bob'
    expect(messageOf(await approve(5, state))).toContain('Somebody else')
    user = 'ann'
    await new Promise((resolve) => setTimeout(resolve, 80))
    expect(messageOf(await approve(5, state))).toContain('too late')
    expect(paid).toEqual([])
  })

  it('can be used again for a tool whose repetition changes nothing', async () => {
    const { ask, approve, paid, makeIdempotent } = bank()
    makeIdempotent()
    const state = await ask()
    await approve(5, state)
    await approve(5, state)
    expect(paid).toEqual([5, 5])
  })

  it('of another process counts only with a common secret', async () => {
    const secret = new Uint8Array(32).fill(1)
    const state = await bank({ secret }).ask()
    expect(messageOf(await bank({ secret: new Uint8Array(32).fill(2) }).approve(5, state))).toContain('Approve')
    expect(messageOf(await bank().approve(5, state))).toContain('Approve')
    const other = bank({ secret })
    await other.approve(5, state)
    expect(other.paid).toEqual([5])
    expect(() => askUser({ secret: new Uint8Array(5) })).toThrow('askUser.secret: expected a Uint8Array')
  })
})
