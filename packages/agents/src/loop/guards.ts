/**
 * @module
 * Hooks that look at what goes into an agent, at the calls of its tools, and at its answer, and may stop or change it.
 */
import { GuardBlockedError } from '../errors.ts'
import type { ToolCall } from '../task/agent-event.ts'
import { readCallArguments } from '../tool/run-tool-call.ts'
import { jsonCodec, once } from './durable-calls.ts'
import type { Guard } from './hooks.ts'
import type { Round } from './round.ts'

/** Returns the input that may be used. @throws {GuardBlockedError} if it is blocked. */
export async function guardInput(input: string, round: Round): Promise<string> {
  const { guards } = round.worker.options
  return guards?.input
    ? textAfter('input', input, await verdictOf(guards.input, input, 'guard-input', round), round)
    : input
}

/** Returns the answer that may be shown. @throws {GuardBlockedError} if it is blocked. */
export async function guardAnswer(answer: string, round: Round): Promise<string> {
  const { guards } = round.worker.options
  if (!guards?.answer) return answer
  return textAfter('answer', answer, await verdictOf(guards.answer, answer, 'guard-answer', round), round)
}

/** Returns the call that may run, or why it is blocked. Calls whose arguments cannot be parsed fail without a guard. */
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
  const verdict = await verdictOf(guards.tool, subject, `guard-tool-${position}`, round)
  if (!verdict) return call
  if ('block' in verdict) return verdict
  const changed = { ...call, arguments: verdict.replace }
  round.worker.protocol.editCall(changed, round.task)
  return changed
}

async function verdictOf<T, Subject>(
  guard: Guard<T, Subject>,
  subject: Subject,
  name: string,
  round: Round,
): Promise<{ block: string } | { replace: T } | null> {
  const { task, context } = round
  const ask = async () => (await guard(subject, { task, context: context.context, signal: context.signal })) ?? null
  return once(round, name, ask, jsonCodec<{ block: string } | { replace: T } | null>())
}

function textAfter(
  stage: 'input' | 'answer',
  text: string,
  verdict: { block: string } | { replace: string } | null,
  { task }: Round,
): string {
  if (!verdict) return text
  if ('block' in verdict) throw new GuardBlockedError(task.taskId, stage, verdict.block)
  return verdict.replace
}
