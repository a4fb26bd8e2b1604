/**
 * @module
 * Approvals of served tools, asked of the user of the client by elicitation.
 */
import type { AsyncBaseTool, PendingToolCall } from '@x/agents'
import { callback, checkOptions, milliseconds, unchecked } from '@x/core/options'
import { compactJson, textOrJson } from '@x/core/values'
import { isToolkitError } from '@x/core-model'
import {
  changeOf,
  invalidityOf,
  markUsed,
  processSecret,
  readRecord,
  recordOf,
  type ServedApproval,
  writeRecord,
} from './approval-state.ts'
import type { McpAnswer, McpQuestion, McpServer } from './mcp-types.ts'

/** Options of {@link askUser}. */
export interface AskUserOptions {
  /** Returns the text of the question for a call. @defaultValue the name of the tool and its arguments as JSON */
  message?: ((call: { name: string; arguments: Record<string, unknown> | string }) => string) | undefined
  /** How long the user may take, in milliseconds, where the question is a request. @defaultValue 600000 */
  timeoutMs?: number | undefined
  /**
   * The user who is asked: an approval of one user does not count for another one.
   * @defaultValue the id of the OAuth client, if there is one
   */
  user?: ((context: never) => string | undefined) | undefined
  /**
   * The secret that seals approvals between two requests, at least 32 bytes. Pass the same to all processes that may receive the second
   * request. @defaultValue a random one of this process: another process asks again
   */
  secret?: Uint8Array | undefined
  /** Seals the state between two requests instead, if the server has `requestState: { verify }`: `mint` of its codec. */
  mint?: ((state: string, context: never) => string | Promise<string>) | undefined
}

/** A call of a served tool. */
export interface ServedCall {
  readonly tool: AsyncBaseTool
  readonly args: Record<string, unknown>
  readonly server: Pick<McpServer, 'elicitInput' | 'getClientCapabilities'>
  /** What is read of the context of a request. */
  readonly context: {
    requestId?: string | number
    authInfo?: { clientId?: string } | undefined
    /** In SDK 2 only. */
    http?: { authInfo?: { clientId?: string } | undefined } | undefined
    mcpReq?: {
      inputResponses?: Readonly<Record<string, McpAnswer>> | undefined
      requestState?(): unknown
    }
  }
  readonly signal: AbortSignal | undefined
  /** Makes the call, and returns its result. */
  run(more: { idempotencyKey?: string; decisions?: readonly PendingToolCall[] }): Promise<object>
  /** Returns the result of a call that failed. */
  failed(text: string): object
}

/** Makes calls of served tools, and returns their results. */
export type ServedCaller = (call: ServedCall) => Promise<object>

/** States that this module made: another task of an agent cannot be continued with its id. */
const STATE = /^served-[0-9a-f-]{36}$/

/**
 * Asks the user of the client to approve calls: the value of the option `approvals` of `serveTools`, for tools that need approval and for
 * agents whose tools do. The client must support elicitation; with other clients such a call fails. Questions of the MCP servers that an
 * agent uses (see `waitForUser`) are passed on.
 *
 * An approval is of one call: it is bound to the definition of the tool, the arguments, the user and the time, and is used once, unless the
 * tool has the hint `idempotentHint`. If anything differs when the answer arrives, the user is asked again, with the difference.
 *
 * Between the question and the answer, the task of an agent stays in the agent, and in its task store if it has one.
 * @example
 * import { Server } from '@modelcontextprotocol/server'
 * import { FunctionTool } from '@x/agents'
 *
 * const server = new Server({ name: 'bank', version: '1.0.0' }, { capabilities: { tools: {} } })
 * const pay = FunctionTool.fromDefaults({
 *   name: 'pay',
 *   description: 'Pays an invoice.',
 *   schema: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
 *   needsApproval: ({ euros }) => euros >= 100,
 *   fn: ({ euros }) => `Paid ${euros} EUR.`,
 * })
 * serveTools(server, [pay], { approvals: askUser() })
 */
export function askUser(options: AskUserOptions = {}): ServedCaller {
  checkOptions('askUser', options, {
    message: unchecked,
    timeoutMs: milliseconds(1),
    user: callback,
    secret: (value) =>
      value instanceof Uint8Array && value.length >= 32 ? undefined : 'a Uint8Array of at least 32 bytes',
    mint: unchecked,
  })
  const { timeoutMs: timeout = 600_000, message = approvalText, mint = String } = options
  const user = (options.user ?? clientOf) as (context: ServedCall['context']) => string | undefined
  return async (call) => {
    const { server, context, signal } = call
    const { mcpReq: request, requestId: relatedRequestId } = context
    const secret = options.mint ? undefined : (options.secret ?? processSecret())
    const asking = { message, user: user(context), secret, lifetimeMs: timeout }
    let state = request?.requestState?.()
    let answers = request?.inputResponses
    for (;;) {
      const next = await advance(call, state, answers, asking)
      if (!('questions' in next)) return next.result
      if (request) {
        const inputRequests = Object.entries(next.questions).map(([key, params]) => [
          key,
          { method: 'elicitation/create', params },
        ])
        const requestState = await mint(next.state, context as never)
        return { resultType: 'input_required', inputRequests: Object.fromEntries(inputRequests), requestState }
      }
      if (!canAsk(server))
        return call.failed('This call needs an answer of the user, and the client does not support elicitation.')
      state = next.state
      answers = {}
      for (const [key, question] of Object.entries(next.questions))
        answers = {
          ...answers,
          [key]: (await server.elicitInput!(question as never, { signal, timeout, relatedRequestId })) as McpAnswer,
        }
    }
  }
}

function clientOf({ authInfo, http }: ServedCall['context']): string | undefined {
  return (http?.authInfo ?? authInfo)?.clientId
}

/** Whether the client supports forms. Servers of SDK 2 check it themselves. */
function canAsk(server: ServedCall['server']): boolean {
  const { elicitation } = (server.getClientCapabilities?.() ?? {}) as { elicitation?: object }
  return elicitation !== undefined && ('form' in elicitation || Object.keys(elicitation).length === 0)
}

type Next = { result: object } | { questions: Record<string, McpQuestion>; state: string }

/** How users are asked. */
interface Asking {
  message: NonNullable<AskUserOptions['message']>
  user: string | undefined
  secret: Uint8Array | undefined
  lifetimeMs: number
}

/** Makes the call as far as the answers allow. */
async function advance(
  call: ServedCall,
  state: unknown,
  answers: Readonly<Record<string, McpAnswer>> | undefined,
  asking: Asking,
): Promise<Next> {
  const { tool, run, failed } = call
  // The state of an agent that waits is no approval of the call of the agent itself.
  const needed = await needsApproval(call)
  const approval = needed ? await approve(call, state, answers, asking, needed) : undefined
  if (approval && 'next' in approval) return approval.next
  const isWaiting = approval ? approval.record.isApproved === true : tool.canWait === true && isTaskState(state)
  if (!approval && state !== undefined && !isWaiting) return { result: failed('The state of the request is unknown.') }
  const idempotencyKey = approval ? approval.record.key : isWaiting ? String(state) : `served-${crypto.randomUUID()}`
  const decisions = isWaiting
    ? Object.entries(answers ?? {}).map(([id, answer]) => decisionOf(id, idempotencyKey, answer))
    : []
  try {
    return { result: await run(tool.canWait ? { idempotencyKey, decisions } : {}) }
  } catch (error) {
    if (!isToolkitError(error, 'approval_required')) throw error
    const questions = error.calls.map((waiting) => [keyOf(waiting), questionOf(waiting, asking.message)])
    const next = approval && writeRecord({ ...approval.record, isApproved: true }, asking.secret)
    return { questions: Object.fromEntries(questions), state: next ?? idempotencyKey }
  }
}

const isTaskState = (state: unknown) => typeof state === 'string' && STATE.test(state)

/** Returns the approval of exactly this call, or asks for it. */
async function approve(
  call: ServedCall,
  state: unknown,
  answers: Readonly<Record<string, McpAnswer>> | undefined,
  { message, user, secret, lifetimeMs }: Asking,
  needed: true | string,
): Promise<{ record: ServedApproval } | { next: Next }> {
  const { tool, args, failed } = call
  const asked = { tool, args, user }
  const record = readRecord(state, secret)
  const answer = answers?.['approval']
  // The agent behind the tool waits now, and has used the approval.
  if (record?.isApproved && tool.canWait && !changeOf(record, asked)) return { record }
  const difference = record && answer ? invalidityOf(record, asked, lifetimeMs) : ''
  if (!record || !answer || difference) {
    const problem = difference || (needed === true ? undefined : needed)
    const question = approvalForm(message({ name: tool.metadata.getName(), arguments: args }), problem)
    return { next: { questions: { approval: question }, state: writeRecord(recordOf(asked), secret) } }
  }
  const { decision, reason } = approvalOf(answer)
  if (decision === 'reject')
    return { next: { result: failed(`The user has rejected this call${reason ? `: ${reason}` : '.'}`) } }
  if (!tool.metadata.annotations.idempotentHint) markUsed(record, lifetimeMs)
  return { record }
}

/** Whether a call needs approval, or why that is not known: then it does. */
async function needsApproval({ tool, args }: ServedCall): Promise<boolean | string> {
  const needed = tool.needsApproval ?? false
  if (typeof needed !== 'function') return Boolean(needed)
  try {
    return Boolean(await needed(args as never, { context: undefined }))
  } catch {
    return 'It could not be judged whether this call needs approval.'
  }
}

/** The kinds of answers. A key names the kind, because the next request has nothing but the answers. */
const KINDS = ['approval', 'elicitation', 'result'] as const

function keyOf({ id, name, awaits }: PendingToolCall): string {
  const kind = awaits !== 'result' ? 0 : name === 'elicitation' ? 1 : 2
  return `${KINDS[kind]}:${id}`
}

function approvalText({ name, arguments: args }: Pick<PendingToolCall, 'name' | 'arguments'>): string {
  return `Approve the call of "${name}"?\n${textOrJson(args)}`
}

/** @param problem - why the question is asked, if that is not the need of an approval alone. */
function approvalForm(text: string, problem?: string): McpQuestion {
  const message = problem ? `${text}\n${problem}` : text
  const properties = {
    approve: { type: 'boolean', title: 'Approve', default: false },
    reason: { type: 'string', title: 'Reason', description: 'Why not?' },
  }
  return form(message, properties, 'approve')
}

function form(message: string, properties: object, required: string): McpQuestion {
  return { mode: 'form', message, requestedSchema: { type: 'object', properties, required: [required] } } as McpQuestion
}

/** Returns the question for a call of an agent that waits. */
function questionOf(call: PendingToolCall, message: NonNullable<AskUserOptions['message']>): McpQuestion {
  if (call.awaits !== 'result') return approvalForm(message(call), call.problem)
  if (call.name !== 'elicitation')
    return form(
      `The result of "${call.name}"?\n${compactJson(call.arguments)}`,
      { result: { type: 'string', title: 'Result' } },
      'result',
    )
  const {
    server,
    tool: _tool,
    problem,
    ...question
  } = call.arguments as unknown as McpQuestion & Record<string, string>
  const parts = [server, question.message, problem].filter((part) => part !== undefined)
  return { mode: 'form', ...question, message: parts.join(': ') }
}

/** Only an explicit approval counts. */
function approvalOf({ action, content }: McpAnswer): { decision: 'approve' | 'reject'; reason?: string } {
  if (action === 'accept' && content?.['approve'] === true) return { decision: 'approve' }
  const reason = content?.['reason']
  return { decision: 'reject', ...(typeof reason === 'string' && reason !== '' && { reason }) }
}

type Result = Extract<PendingToolCall, { decision: 'result' }>['result']

function decisionOf(key: string, taskId: string, answer: McpAnswer): PendingToolCall {
  const kind = key.slice(0, key.indexOf(':'))
  // The agent has the name and the arguments.
  const call = { id: key.slice(kind.length + 1), taskId, name: '', arguments: '', needsApproval: true }
  if (kind === 'approval') return { ...call, ...approvalOf(answer) }
  if (kind === 'elicitation') return { ...call, decision: 'result', result: { ...answer } as Result }
  const isError = answer.action !== 'accept'
  const result = isError ? `the user has chosen: ${answer.action}.` : (answer.content?.['result'] as Result)
  return { ...call, decision: 'result', result, isError }
}
