/**
 * @module
 * Calls the guards of an agent, which check its input, its tool calls and its answer, and may block or replace them.
 */
import type { ChatMessage } from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { shown } from '../options.ts'
import type { ToolCall } from '../task/agent-event.ts'
import { inputOf, inputText, withInput } from '../task/agent-input.ts'
import { readCallArguments } from '../tool/run-tool-call.ts'
import { jsonCodec, once } from './durable-calls.ts'
import type { Guard, GuardContext } from './hooks.ts'
import { GuardBlockedError } from './loop-errors.ts'
import type { Round } from './round.ts'

/** Returns the input of the step that may be used. @throws {GuardBlockedError} if it is blocked. */
export async function guardInput(round: Round): Promise<ChatMessage> {
  const { guards } = round.worker.options
  const message = inputOf(round.step, round.task)
  if (!guards?.input) return message
  const input = guards.input
  const guard = (text: string, context: GuardContext) => input(text, { ...context, message })
  const verdict = await verdictOf(guard, isContent, inputText(message), 'guard-input', round)
  if (!verdict) return message
  if ('block' in verdict) throw new GuardBlockedError(round.task.taskId, 'input', verdict.block)
  return withInput(message, verdict.replace)
}

/** Returns the answer that may be shown. @throws {GuardBlockedError} if it is blocked. */
export async function guardAnswer(answer: string, round: Round): Promise<string> {
  const { guards } = round.worker.options
  if (!guards?.answer) return answer
  const verdict = await verdictOf(guards.answer, isString, answer, 'guard-answer', round)
  if (!verdict) return answer
  if ('block' in verdict) throw new GuardBlockedError(round.task.taskId, 'answer', verdict.block)
  return verdict.replace
}

/** Returns the call that may run, or the reason why it is blocked. The guard is not called if the arguments cannot be parsed. */
export async function guardCall<Call extends ToolCall>(
  call: Call,
  position: number,
  round: Round,
): Promise<Call | { block: string }> {
  const { guards } = round.worker.options
  if (!guards?.tool) return call
  let args: Record<string, unknown>
  try {
    args = readCallArguments(call)
  } catch {
    return call
  }
  const subject = { id: call.id, toolName: call.name, arguments: args }
  const verdict = await verdictOf(guards.tool, isPlainObject, subject, `guard-tool-${position}`, round)
  if (!verdict) return call
  if ('block' in verdict) return verdict
  const changed = { ...call, arguments: verdict.replace }
  round.worker.protocol.editCall(changed, round.task)
  return changed
}

/** @param fits - whether a replacement can be used. */
async function verdictOf<T, Subject>(
  guard: Guard<T, Subject>,
  fits: (value: unknown) => boolean,
  subject: Subject,
  name: string,
  round: Round,
): Promise<Verdict<T>> {
  const { task, context } = round
  const ask = async () =>
    checked<T>(await guard(subject, { task, context: context.context, signal: context.signal }), fits)
  return once(
    round,
    name,
    ask,
    jsonCodec<Verdict<T>>((verdict) => isVerdict(verdict, fits)),
  )
}

type Verdict<T> = { block: string } | { replace: T } | null

/** Returns a verdict that can be obeyed. Anything else blocks, because the guard may have meant that. */
function checked<T>(verdict: unknown, fits: (value: unknown) => boolean): Verdict<T> {
  if (isVerdict(verdict ?? null, fits)) return (verdict ?? null) as Verdict<T>
  return {
    block: `the guard must return nothing, { block: string } or { replace }, but it returned ${shown(verdict)}.`,
  }
}

/** An object with both keys blocks. */
function isVerdict(verdict: unknown, fits: (value: unknown) => boolean): boolean {
  if (verdict === null) return true
  if (!isPlainObject(verdict)) return false
  const { block, replace, ...others } = verdict
  if (block !== undefined) return typeof block === 'string'
  return Object.keys(others).length === 0 && fits(replace)
}

const isString = (value: unknown): boolean => typeof value === 'string'

const isContent = (value: unknown): boolean =>
  isString(value) || (Array.isArray(value) && value.every((part) => isPlainObject(part) && isString(part['type'])))
