/**
 * @module
 * Decisions about tool calls as JSON, for callers in another process.
 */
import { checkNames } from '@x/core/options'
import { ConfigurationError } from '@x/core-model'
import type { Approval } from '../task/approval-record.ts'
import type { Json } from '../task/durable.ts'

/** A decision about a tool call that waits, or its result from outside. */
export type ToolDecision = {
  /** The id of the call. */
  callId: string
  /** Who decided, for the journal and for the option `approvals.user` of the agent. */
  by?: string | undefined
  /**
   * The `approval.id` of the call that the person was shown. An approval that names another one does not count, and the call waits again.
   */
  approvalId?: string | undefined
} & (
  | {
      type: 'approve'
      /** Whether later calls of the same tool need no approval in this task. */
      always?: boolean | undefined
    }
  | { type: 'reject'; reason?: string | undefined }
  | {
      type: 'edit'
      arguments: Record<string, unknown>
      /** Whether these arguments are refused if the schema of the tool makes others of them, as by a default value. @defaultValue false */
      exact?: boolean | undefined
    }
  | {
      type: 'result'
      result: Json
      /** Whether the result is the message of a failure. */
      isError?: boolean | undefined
    }
)

/** The part of an agent that decides about calls. All runners have it. */
export interface DecidingAgent {
  approve(taskId: string, callId: string, options: Omit<Approval, 'arguments' | 'exact'>): Promise<void>
  reject(taskId: string, callId: string, reason: string | undefined, options: { by?: string }): Promise<void>
  edit(
    taskId: string,
    callId: string,
    args: Record<string, unknown>,
    options: Pick<Approval, 'by' | 'approvalId' | 'exact'>,
  ): Promise<void>
  provideResult(
    taskId: string,
    callId: string,
    result: Json,
    options: { isError?: boolean; by?: string },
  ): Promise<void>
}

/** The fields of decisions, by their types. */
const FIELDS: Readonly<Record<ToolDecision['type'], readonly string[]>> = {
  approve: ['always'],
  reject: ['reason'],
  edit: ['arguments', 'exact'],
  result: ['result', 'isError'],
}

/**
 * Checks a decision from another process.
 * @throws {ConfigurationError} naming the field that is missing or has the wrong type.
 * @throws {ModelValidationError} naming a field that does not exist: a wrong `approvalId` would protect nothing.
 * @example
 * readToolDecision({ callId: 'call_1', type: 'approve' }).type // => 'approve'
 * readToolDecision({ callId: 'call_1' }) // => throws configuration
 */
export function readToolDecision(data: unknown): ToolDecision {
  const { callId, type, by, approvalId, ...rest } = (data ?? {}) as Record<string, unknown>
  const { always, reason, arguments: args, exact, isError } = rest
  const isOptional = (value: unknown, kind: string) => value === undefined || typeof value === kind
  const expect = (isValid: boolean, field: string, expected: string, value: unknown) => {
    if (isValid) return
    const received = value === undefined ? 'nothing' : JSON.stringify(value)
    throw new ConfigurationError(`ToolDecision.${field}: expected ${expected}, received ${received}.`)
  }
  expect(typeof callId === 'string', 'callId', 'the id of a call', callId)
  const types = Object.keys(FIELDS)
  expect(types.includes(type as string), 'type', `one of ${types.join(', ')}`, type)
  expect(isOptional(by, 'string'), 'by', 'a string', by)
  expect(isOptional(approvalId, 'string'), 'approvalId', 'a string', approvalId)
  if (type === 'approve') expect(isOptional(always, 'boolean'), 'always', 'a boolean', always)
  // The call would run with its own ones.
  if (type === 'approve') expect(args === undefined, 'arguments', 'the type edit for other arguments', args)
  if (type === 'reject') expect(isOptional(reason, 'string'), 'reason', 'a string', reason)
  if (type === 'edit')
    expect(typeof args === 'object' && args !== null && !Array.isArray(args), 'arguments', 'an object', args)
  if (type === 'edit') expect(isOptional(exact, 'boolean'), 'exact', 'a boolean', exact)
  if (type === 'result') expect(rest['result'] !== undefined, 'result', 'a JSON value', rest['result'])
  if (type === 'result') expect(isOptional(isError, 'boolean'), 'isError', 'a boolean', isError)
  const decision = data as ToolDecision
  checkNames('ToolDecision', decision, ['callId', 'type', 'by', 'approvalId', ...FIELDS[decision.type]])
  return decision
}

/**
 * Applies a decision from JSON: calls `approve`, `reject`, `edit` or `provideResult` of the agent.
 * @throws {ConfigurationError} if the decision is malformed. Errors of the called method are thrown unchanged.
 */
export async function applyToolDecision(agent: DecidingAgent, taskId: string, decision: ToolDecision): Promise<void> {
  const checked = readToolDecision(decision)
  const { callId } = checked
  const by = checked.by === undefined ? {} : { by: checked.by }
  const shown = checked.approvalId === undefined ? by : { ...by, approvalId: checked.approvalId }
  if (checked.type === 'approve')
    return agent.approve(taskId, callId, { ...(checked.always !== undefined && { always: checked.always }), ...shown })
  if (checked.type === 'reject') return agent.reject(taskId, callId, checked.reason, by)
  if (checked.type === 'edit')
    return agent.edit(taskId, callId, checked.arguments, { ...(checked.exact && { exact: true }), ...shown })
  const isError = checked.isError === undefined ? {} : { isError: checked.isError }
  return agent.provideResult(taskId, callId, checked.result, { ...isError, ...by })
}
