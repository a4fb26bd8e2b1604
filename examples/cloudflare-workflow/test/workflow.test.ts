import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The payments that the bank received: the keys by which it recognizes a repetition, and the invoices. */
const payments: { key: string; invoice: string }[] = []
let turns = 0
/** Whether the bank answers. While it does not, a payment is in flight. */
let isBankOpen = true
let isKeyValid = true
/** The answer of the model when all invoices are paid. */
let lastAnswer = 'All are paid.'

const bank = createServer(async (request, response) => {
  const invoice = request.url?.split('/').at(-1) ?? ''
  payments.push({ key: String(request.headers['idempotency-key']), invoice })
  while (!isBankOpen) await sleep(10)
  response.end(`paid ${invoice}`)
})

/** A model that pays invoices 1, 2 and 3, one per turn, and never returns the same answer twice. */
const model = createServer(async (request, response) => {
  const { messages } = JSON.parse(await textOf(request)) as { messages: { role: string }[] }
  const paid = messages.filter(({ role }) => role === 'tool').length
  turns++
  if (!isKeyValid) {
    response.writeHead(401).end('{"error":{"message":"Unknown key"}}')
    return
  }
  const call = {
    id: `call-${turns}`,
    type: 'function',
    function: { name: 'pay', arguments: JSON.stringify({ invoice: paid + 1, note: turns }) },
  }
  const message =
    paid < 3 ? { role: 'assistant', content: null, tool_calls: [call] } : { role: 'assistant', content: lastAnswer }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: paid < 3 ? 'tool_calls' : 'stop' }] }))
})

let folder = ''
let host: ChildProcess | undefined
let address = ''

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts workerd with the state of the previous process. */
async function startHost(): Promise<void> {
  const bindings = JSON.stringify({ MODEL_URL: await url(model), MODEL_KEY: 'none', BANK_URL: await url(bank) })
  const args = [join(import.meta.dirname, 'host.ts'), join(folder, 'worker.js'), join(folder, 'state'), bindings]
  host = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  address = await new Promise<string>((resolve, reject) => {
    host?.stdout?.once('data', (line) => resolve(String(line).trim()))
    host?.once('exit', () => reject(new Error('The host ended before it was ready.')))
  })
}

const addresses = new Map<object, Promise<string>>()
function url(server: ReturnType<typeof createServer>): Promise<string> {
  const known = addresses.get(server) ?? listen(server)
  addresses.set(server, known)
  return known
}

/** Kills the host and workerd, which are one process group. */
async function killHost(): Promise<void> {
  const { pid } = host ?? {}
  if (pid === undefined) return
  const ended = new Promise((resolve) => host?.once('exit', resolve))
  process.kill(-pid, 'SIGKILL')
  await ended
}

async function until<T>(read: () => Promise<T> | T, isReached: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
    await sleep(50)
  }
}

async function send(path: string, body?: object): Promise<{ status: string; output?: unknown; error?: unknown }> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  return (await fetch(new URL(path, address), init)).json() as never
}

/** Waits until a step has returned a certain string, so that it is not repeated after a kill. */
async function saved(path: string, text: string): Promise<void> {
  await until(
    () => send(path),
    (status) => JSON.stringify(status).includes(text),
  )
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-'))
  await build({
    entryPoints: [join(import.meta.dirname, '../src/worker.ts')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['@x/source'],
    external: ['cloudflare:*'],
  })
  await startHost()
}, 60_000)

afterAll(async () => {
  await killHost()
  bank.close()
  model.close()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

test('a run survives its process, waits for a decision, and repeats only the call in flight', async () => {
  const question = { question: 'Pay all invoices.' }
  isBankOpen = false
  await send('/invoices-7', question)
  await until(
    () => payments.length,
    (count) => count === 1,
  )
  await killHost()
  isBankOpen = true
  await startHost()
  // The same id joins the run.
  await send('/invoices-7', question)
  await saved('/invoices-7', 'call-2')
  await killHost()
  await startHost()
  await send('/invoices-7', question)
  await send('/invoices-7/decide', { callId: 'call-2', type: 'approve', by: 'Ann' })
  const { output } = await until(
    () => send('/invoices-7'),
    ({ status }) => status === 'complete',
  )
  expect(output).toBe('All are paid.')
  // The first payment was in flight when the process died: it was repeated with its key. No turn of the model was repeated.
  expect(payments).toEqual([
    { key: 'invoices-7/1/0', invoice: '1' },
    { key: 'invoices-7/1/0', invoice: '1' },
    { key: 'invoices-7/2/0', invoice: '2' },
    { key: 'invoices-7/4/0', invoice: '3' },
  ])
  expect(turns).toBe(4)
})

test('a rejected call ends without its effect', async () => {
  payments.length = 0
  const before = turns
  await send('/invoices-8', { question: 'Pay all invoices.' })
  await saved('/invoices-8', `call-${before + 2}`)
  await send('/invoices-8/decide', { callId: `call-${before + 2}`, type: 'reject', reason: 'twice' })
  const { output } = await until(
    () => send('/invoices-8'),
    ({ status }) => status === 'complete',
  )
  expect(output).toBe('All are paid.')
  expect(payments.map(({ invoice }) => invoice)).toEqual(['1', '3'])
})

test('a result that is too large for a step ends the workflow, and the call is not repeated', async () => {
  const before = turns
  lastAnswer = 'x'.repeat(600_000)
  await send('/invoices-10', { question: 'Pay all invoices.' })
  await saved('/invoices-10', `call-${before + 2}`)
  await send('/invoices-10/decide', { callId: `call-${before + 2}`, type: 'approve' })
  const { error } = await until(
    () => send('/invoices-10'),
    ({ status }) => status === 'errored',
  )
  expect(error).toMatchObject({ message: expect.stringMatching(/^ResultTooLargeError: The result of "step-5\/model"/) })
  expect(turns).toBe(before + 4)
})

test('an error that is not retryable ends the workflow immediately', async () => {
  isKeyValid = false
  const before = turns
  await send('/invoices-9', { question: 'Pay all invoices.' })
  const { error } = await until(
    () => send('/invoices-9'),
    ({ status }) => status === 'errored',
  )
  expect(error).toMatchObject({ message: expect.stringContaining('401') })
  expect(turns).toBe(before + 1)
})
