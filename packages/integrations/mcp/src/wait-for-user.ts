/**
 * @module
 * Questions that an MCP server asks the user during a call (elicitation), as calls of a task that wait.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
import type { PendingToolCall } from '@x/agents'
import { ApprovalRequiredError } from '@x/agents/errors'
import { checkArguments } from '@x/core/arguments'
import { checkOptions, unchecked } from '@x/core/options'
import { deepEqual, isPlainObject } from '@x/core/values'
import { pause, raceAbort } from '@x/core-model/async'
import type { McpAnswer, McpCall, McpCaller, McpClient, McpQuestion } from './mcp-types.ts'
import { bytesOf } from './tool-list.ts'

/** Options of {@link waitForUser}. */
interface WaitForUserOptions {
  /**
   * `ElicitRequestSchema`, which clients of `@modelcontextprotocol/sdk` require.
   * @defaultValue the name of the request, for clients of `@modelcontextprotocol/client`
   */
  request?: unknown
}

/** A question of a call. */
interface Asked {
  /** Unique within the call. */
  id: string
  /** The name of the server for the question; the first id where it has none. An answer that is refused gets a new id. */
  key: string
  question: McpQuestion
  answer?: McpAnswer
  /** Why the last answer was refused. */
  problem?: string
}

/** What a call that waits needs to continue, as JSON. It is saved with the task. */
interface Waiting {
  /** The number of questions so far. */
  count: number
  asked: Asked[]
  /** What the server wants back with the answers. */
  requestState?: string
  /** Whether the server refused the call until the user has visited the addresses. */
  isRefused?: true
}

const METHOD = 'elicitation/create'
/** The code of the error of a server that wants the user to visit an address before the call. */
const ADDRESS_REQUIRED = -32042
/** The largest question, in bytes of JSON. */
const QUESTION_BYTES = 100_000
/** The longest time of an SDK: a call that waits for a person has no time limit of its own. */
const UNLIMITED = 2 ** 31 - 1

/**
 * Lets the calls of an agent wait when an MCP server asks the user: the value of the option `elicitation` of `mcpTools`. Declare the
 * capability `elicitation` when you create the client.
 *
 * A question is a pending call named `elicitation` of the task, with the arguments `server`, `tool`, `message`, and `requestedSchema` or
 * `url`. Answer it by `provideResult(taskId, callId, { action: 'accept', content })`; `reject` declines, and the result
 * `{ action: 'cancel' }` cancels. An answer that does not match the schema is asked again, with a `problem`. Questions of calls that no
 * agent makes are declined.
 *
 * The connection stays open while the user thinks. If it is lost, or another process continues the task, the call is repeated with the same
 * `_meta.idempotencyKey`, and the answers so far are used again. Servers of the protocol revision 2026-07-28 need no connection for this.
 * Before that revision a question does not name its call, so that the calls of a client run one after another.
 * @example
 * import { Client } from '@modelcontextprotocol/client'
 *
 * const client = new Client({ name: 'my-program', version: '1.0.0' }, { capabilities: { elicitation: { form: {}, url: {} } } })
 * const connect = () => mcpTools(client, { elicitation: waitForUser() })
 */
export function waitForUser(options: WaitForUserOptions = {}): (client: McpClient) => McpCaller {
  checkOptions('waitForUser', options, { request: unchecked })
  const { request = METHOD } = options
  return (client) => {
    const { setRequestHandler, getProtocolEra, getServerVersion } = client as Partial<AskedClient>
    const calls = new PushedQuestions()
    const handle = ({ params }: { params: McpQuestion }) => calls.ask(questionOf(params))
    setRequestHandler?.call(client, request as never, handle as never)
    return async (call) => {
      const about = { server: getServerVersion?.call(client)?.name ?? '', tool: call.tool }
      const waiting = decided(call)
      const open = waiting.asked.filter(({ answer }) => !answer)
      if (open.length > 0) throw waits(call, waiting, about)
      const isInBand = getProtocolEra?.call(client) === 'modern'
      return isInBand ? inRounds(call, waiting, about) : calls.make(call, waiting, about)
    }
  }
}

/** The methods of a client that are called here. */
interface AskedClient {
  setRequestHandler(request: never, handler: never): void
  getProtocolEra(): string | undefined
  getServerVersion(): { name: string } | undefined
}

interface About {
  server: string
  tool: string
}

/** The result of a server that asks in its result. */
interface InputRequired {
  resultType: 'input_required'
  inputRequests?: Record<string, { method: string; params?: McpQuestion }>
  requestState?: string
}

/** Makes a call whose questions are results of the server, until it has a result. */
async function inRounds(call: McpCall, from: Waiting, about: About): Promise<unknown> {
  let { count, asked, requestState } = from
  for (let round = 0; ; round++) {
    if (round === 10) throw new Error('The server asks again after ten rounds.')
    const inputResponses = Object.fromEntries(asked.map(({ key, answer }) => [key, answer]))
    const params = {
      ...(asked.length > 0 && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    }
    const send = (signal: AbortSignal | undefined) => call.sendCall(signal, params, { allowInputRequired: true })
    const result = (await call.inTime(send)) as Partial<InputRequired> | undefined
    if (result?.resultType !== 'input_required') return result
    const requests = Object.entries(result.inputRequests ?? {})
    const other = requests.find(([, { method }]) => method !== METHOD)
    if (other) throw new Error(`The server requests ${other[1].method}, which this client does not answer.`)
    asked = requests.map(([key, { params = { message: '' } }]) => ({
      id: `elicitation-${++count}`,
      key,
      question: questionOf(params),
    }))
    requestState = result.requestState
    if (asked.length === 0) await pause(250, call.context.signal)
    else if (canWait(call))
      throw waits(call, { count, asked, ...(requestState !== undefined && { requestState }) }, about)
    else asked = asked.map((one) => ({ ...one, answer: { action: 'decline' } }))
  }
}

/** A call of a connection on which the server sends its questions as requests. */
class OpenCall {
  readonly controller = new AbortController()
  readonly waiting: Waiting
  readonly canWait: boolean
  readonly result: Promise<unknown>
  private readonly answers = new Map<string, (answer: McpAnswer) => void>()
  /** Answers for a repeated call, whose server asks the same questions again. */
  private readonly known: Asked[]
  private onAsked = () => {}

  constructor(call: McpCall, waiting: Waiting) {
    this.waiting = waiting
    this.canWait = canWait(call)
    this.known = [...waiting.asked]
    this.result = call.sendCall(this.controller.signal, {}, { timeout: UNLIMITED })
    this.result.catch(() => {})
  }

  ask(question: McpQuestion): Promise<McpAnswer> {
    const { waiting, known } = this
    const i = known.findIndex((one) => isSame(one.question, question))
    if (i >= 0) return Promise.resolve(known.splice(i, 1)[0]!.answer!)
    const id = `elicitation-${++waiting.count}`
    waiting.asked.push({ id, key: id, question })
    this.onAsked()
    return new Promise((resolve) => this.answers.set(id, resolve))
  }

  answer({ asked, count }: Waiting): void {
    this.waiting.count = Math.max(this.waiting.count, count)
    for (const { key, answer } of asked) {
      const own = this.waiting.asked.find((one) => one.key === key)
      if (!own || !answer) continue
      own.answer = answer
      this.answers.get(key)?.(answer)
    }
  }

  /** Waits for the result. Returns undefined when the server asks. */
  async next(signal: AbortSignal | undefined): Promise<{ result: unknown } | undefined> {
    const abort = () => this.controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const isAsked = new Promise<undefined>((resolve) => {
        this.onAsked = () => resolve(undefined)
      })
      if (this.waiting.asked.some(({ answer }) => !answer)) return undefined
      return await raceAbort(Promise.race([this.result.then((result) => ({ result })), isAsked]), signal)
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

/** The calls of a connection on which the server sends its questions as requests, one after another. */
class PushedQuestions {
  /** The call that runs. */
  private running: OpenCall | undefined
  /** The calls that wait for answers, by their keys. */
  private readonly open = new Map<string, OpenCall>()
  /** Settles when no call runs. */
  private idle: Promise<void> = Promise.resolve()

  ask(question: McpQuestion): Promise<McpAnswer> {
    const others = [...this.open.values()]
    const call = this.running ?? (others.length === 1 ? others[0] : undefined)
    if (!call?.canWait || bytesOf(question) > QUESTION_BYTES) return Promise.resolve({ action: 'decline' })
    return call.ask(question)
  }

  async make(call: McpCall, waiting: Waiting, about: About): Promise<unknown> {
    const { signal, idempotencyKey: key = '' } = call.context
    const before = this.idle
    let release = () => {}
    this.idle = new Promise((resolve) => {
      release = resolve
    })
    try {
      await raceAbort(before, signal)
    } catch (error) {
      void before.then(release)
      throw error
    }
    try {
      const own = this.continued(call, waiting, key)
      this.running = own
      const outcome = await call.inTime((limited) => own.next(limited))
      if (outcome) return outcome.result
      this.open.set(key, own)
      const forget = () => this.open.get(key) === own && this.open.delete(key)
      own.result.then(forget, forget)
      throw waits(call, own.waiting, about)
    } catch (error) {
      const { code, data } = error as { code?: unknown; data?: { elicitations?: McpQuestion[] } }
      if (code !== ADDRESS_REQUIRED || !data?.elicitations?.length || !canWait(call)) throw error
      let { count } = waiting
      const asked = data.elicitations.map((one) => ({
        id: `elicitation-${++count}`,
        key: `${count}`,
        question: questionOf(one),
      }))
      throw waits(call, { count, asked, isRefused: true }, about)
    } finally {
      this.running = undefined
      release()
    }
  }

  /** Returns the call that waited for these answers, or a new one if its connection is lost. */
  private continued(call: McpCall, waiting: Waiting, key: string): OpenCall {
    const known = this.open.get(key)
    this.open.delete(key)
    const { asked } = waiting
    if (known && asked.some(({ answer }) => answer)) {
      known.answer(waiting)
      return known
    }
    known?.controller.abort(new Error('The call starts again.'))
    if (waiting.isRefused && asked.some(({ answer }) => answer?.action !== 'accept'))
      throw new Error('The user has not opened the address that the server requires.')
    return new OpenCall(call, waiting.isRefused ? { count: waiting.count, asked: [] } : waiting)
  }
}

/** Returns the fields of a question, without what belongs to its request. */
function questionOf({ message, mode, requestedSchema, url, elicitationId }: McpQuestion): McpQuestion {
  // Undefined fields have no JSON.
  return JSON.parse(JSON.stringify({ message, mode, requestedSchema, url, elicitationId }))
}

/** Whether a call is made by an agent whose task can wait. */
function canWait({ context }: McpCall): boolean {
  return context.decisions !== undefined && context.idempotencyKey !== undefined
}

/** Returns the state of a call, with the answers of the user. */
function decided({ context: { agentTask, decisions = [] } }: McpCall): Waiting {
  const { asked, ...waiting } = structuredClone((agentTask ?? { count: 0, asked: [] }) as Waiting)
  const own: Waiting = { ...waiting, asked: [] }
  for (const one of asked) {
    const decision = one.answer ? undefined : decisions.find(({ id }) => id === one.id)
    if (!decision || decision.decision === null) own.asked.push(one)
    else {
      const answer = answerOf(one.question, decision)
      // The same id would have its old decision.
      own.asked.push(
        typeof answer === 'string' ? { ...one, id: `elicitation-${++own.count}`, problem: answer } : { ...one, answer },
      )
    }
  }
  return own
}

/** Returns the answer of the user, or what is wrong with it. */
function answerOf(question: McpQuestion, decision: PendingToolCall): McpAnswer | string {
  if (decision.decision === 'reject') return { action: 'decline' }
  if (decision.decision !== 'result') return accepted(question, {})
  const { result, isError } = decision
  if (isError) return { action: 'cancel' }
  const { action, content } = (isPlainObject(result) ? result : {}) as Partial<McpAnswer>
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept') return 'action: expected accept, decline or cancel'
  return accepted(question, content ?? {})
}

function accepted({ requestedSchema: schema }: McpQuestion, given: unknown): McpAnswer | string {
  if (!schema) return { action: 'accept' }
  const properties = Object.entries(schema.properties ?? {})
  const defaults = properties.filter(([, property]) => property.default !== undefined)
  const content = {
    ...Object.fromEntries(defaults.map(([name, property]) => [name, property.default])),
    ...(given as object),
  }
  const { value, issues } = checkArguments({ additionalProperties: false, ...schema }, content)
  if (issues.length > 0) return issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
  return { action: 'accept', content: value as Record<string, unknown> }
}

/** Whether a repeated call asks the same question. Ids of questions are new for each call. */
function isSame({ elicitationId: _, ...one }: McpQuestion, { elicitationId: _other, ...other }: McpQuestion): boolean {
  return deepEqual({ mode: 'form', ...one }, { mode: 'form', ...other })
}

/** Returns the error with which a call waits. */
function waits({ context }: McpCall, waiting: Waiting, about: About): ApprovalRequiredError {
  const open = waiting.asked.filter(({ answer }) => !answer)
  const calls = open.map(({ id, question, problem }): PendingToolCall => {
    const given = { ...about, ...question, ...(problem !== undefined && { problem }) }
    return {
      id,
      name: 'elicitation',
      arguments: given,
      awaits: 'result',
      needsApproval: false,
      decision: null,
    }
  })
  return new ApprovalRequiredError(context.idempotencyKey!, calls, structuredClone(waiting))
}
