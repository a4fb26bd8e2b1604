/**
 * @module
 * Guards check the input, the tool calls and the answer, and may block or replace them.
 */
import { checkOptions } from '@x/core/options'
import { isPlainObject, kindOf } from '@x/core/values'
import { type ChatMessage, isTextPart } from '@x/core-model'
import { anySignal, raceAbort } from '@x/core-model/async'
import { GUARD_OPTIONS, type Guard, type GuardContext, type Guards, type InputGuardContext } from '../loop/hooks.ts'
import { readableArguments } from '../loop/json-arguments.ts'
import type { Layer, ModelReply, Scope } from '../loop/layer.ts'
import { placeOf, positionOf } from '../loop/loop.ts'
import { GuardBlockedError } from '../loop/loop-errors.ts'
import type { StepEvent } from '../task/agent-event.ts'
import { inputText, withInput } from '../task/task.ts'
import { errorOutput } from '../tool/base-tool.ts'

/**
 * Calls guards. A verdict other than undefined, `{ block }` and `{ replace }` blocks.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function guards<Context = unknown>(given: Guards<Context>): readonly Layer[] {
  checkOptions('guards', given, GUARD_OPTIONS)
  const { input, parallelInput, tool, answer } = given as Guards
  const own: Layer = {
    rank: 44,
    ...(input && { input: inputGuard(input), holdsInput: true }),
    ...(tool && { tool: toolGuard(tool) }),
    ...(answer && { ...answerGuard(answer), holdsText: true, holdsReasoning: true }),
  }
  return parallelInput
    ? [own, { rank: 49, input: startGuard(parallelInput), holdsInput: true }, { rank: 43, model: besideGuard }]
    : [own]
}

const inputGuard =
  (guard: NonNullable<Guards['input']>): Layer['input'] =>
  (next) =>
  async (message, scope) => {
    const verdict = await inputVerdict(guard, isContent, message, 'guard-input', scope)
    if (!verdict) return next(message, scope)
    if ('block' in verdict) throw new GuardBlockedError(scope.task.taskId, 'input', verdict.block)
    return next(withInput(message, verdict.replace), scope)
  }

function inputVerdict<T>(
  guard: Guard<T, string, InputGuardContext>,
  fits: (value: unknown) => boolean,
  message: ChatMessage,
  name: string,
  scope: Scope,
): Promise<Verdict<T>> {
  const withMessage = (text: string, context: GuardContext) => guard(text, { ...context, message })
  return verdictOf(withMessage, fits, inputText(message), name, scope)
}

const PARALLEL = Symbol('guards')

/** Begins the guard of the text that the model receives. */
const startGuard =
  (guard: NonNullable<Guards['parallelInput']>): Layer['input'] =>
  (next) =>
  async (message, scope) => {
    const { taskId } = scope.task
    const check = async () => {
      const verdict = await inputVerdict(guard, fitsNothing, message, 'guard-parallel', scope)
      if (verdict) throw new GuardBlockedError(taskId, 'input', verdict.block)
    }
    const passed = check()
    passed.catch(() => {})
    if (scope.inOrder) await passed
    else scope.ids.notes[PARALLEL] = passed
    const onInput = (accepted: ChatMessage) =>
      void passed.then(
        () => scope.onInput?.(accepted),
        () => {},
      )
    return next(message, { ...scope, onInput })
  }

/** Calls the model while the guard decides. Its reply is held back until then; a refusal stops the model. */
const besideGuard: Layer['model'] = (next) => async (request, scope) => {
  const passed = scope.ids.notes[PARALLEL] as Promise<void> | undefined
  if (!passed) return next(request, scope)
  const { signal, emit, onLive } = scope
  const stop = new AbortController()
  const either = anySignal(signal, stop.signal)
  let held: (() => void)[] | undefined = []
  const hold = (show: () => void) => {
    if (held) held.push(show)
    else show()
  }
  const released = passed.then(
    () => {
      // Showing may add more.
      for (const show of held!) show()
      held = undefined
    },
    (error: unknown) => {
      stop.abort(error)
      throw error
    },
  )
  released.catch(() => {})
  const inner: Scope = {
    ...scope,
    hold,
    signal: either.signal,
    emit: emit && ((event) => hold(() => emit(event))),
    onLive: onLive && ((live) => hold(() => onLive(live))),
  }
  let reply: ModelReply | undefined
  try {
    reply = await next(request, inner)
    return reply
  } finally {
    either.release()
    try {
      // The error of a model may be that it was stopped, or repeat text that is refused.
      await raceAbort(released, signal)
    } catch (error) {
      if (reply) scope.onBroken?.(reply)
      // biome-ignore lint/correctness/noUnsafeFinally: a refusal wins over a reply and over an error of the model.
      throw error
    }
  }
}

/** The guard is not called if the arguments cannot be parsed. */
const toolGuard =
  (guard: NonNullable<Guards['tool']>): Layer['tool'] =>
  (next) =>
  async (call, scope) => {
    const { loop, saving } = scope
    const args = readableArguments(call, loop.argumentsOf)
    const place = placeOf(call, scope)
    // A guard that is new does not refuse what has run.
    const isOver = saving?.isSaved(place) && !saving.isSaved(place, 'guard-tool')
    if (!args || isOver) return next(call, scope)
    const subject = { id: call.id, toolName: call.name, arguments: args }
    const position = positionOf(call, scope)
    const verdict = await verdictOf(guard, isPlainObject, subject, `guard-tool-${position}`, scope)
    if (!verdict) return next(call, scope)
    if ('block' in verdict) return errorOutput(call.name, `this call was blocked: ${verdict.block}`, call.arguments)
    const changed = { ...call, arguments: verdict.replace }
    loop.protocol.editCall(changed, scope.task)
    return next(changed, scope)
  }

/** What users see of a turn that no answer guard checks. */
const UNCHECKED: readonly StepEvent['type'][] = ['reasoning', 'reasoning_delta', 'partial_output']

function answerGuard(guard: NonNullable<Guards['answer']>): Pick<Layer, 'step' | 'read' | 'record'> {
  const checked = async <Turn extends { text?: string }>(turn: Turn, name: string, scope: Scope): Promise<Turn> => {
    const verdict = await verdictOf(guard, isString, turn.text ?? '', name, scope)
    if (!verdict) return turn
    if ('block' in verdict) throw new GuardBlockedError(scope.task.taskId, 'answer', verdict.block)
    return { ...turn, text: verdict.replace }
  }
  return {
    step: (next) => (input, scope) => {
      const { emit } = scope
      return next(input, {
        ...scope,
        emit: emit && ((event) => (UNCHECKED.includes(event.type) ? undefined : emit(event))),
      })
    },
    read: (next) => async (message, scope) => {
      const turn = await next(message, scope)
      if (turn.kind !== 'calls' || !turn.text?.trim()) return turn
      const after = await checked(turn, 'guard-text', scope)
      return after === turn ? turn : { ...after, message: withText(turn.message, after.text ?? '') }
    },
    record: (next) => async (turn, outputs, scope) =>
      next(turn.kind === 'answer' ? await checked(turn, 'guard-answer', scope) : turn, outputs, scope),
  }
}

/** Returns a message with other text, and everything else that its model has sent. */
function withText(message: ChatMessage, text: string): ChatMessage {
  const inParts = <Part>(parts: readonly Part[]): Part[] => {
    const first = parts.find(isTextPart)
    return parts.flatMap((part) => (part === first ? [{ ...part, text }] : isTextPart(part) ? [] : [part]))
  }
  const { content, parts } = message
  const update = { content: Array.isArray(content) ? inParts(content) : text, ...(parts && { parts: inParts(parts) }) }
  return message.copy({ update })
}

/** @param fits - whether a replacement can be used. */
async function verdictOf<T, Subject>(
  guard: Guard<T, Subject>,
  fits: (value: unknown) => boolean,
  subject: Subject,
  name: string,
  { task, context, signal, remember }: Scope,
): Promise<Verdict<T>> {
  // A runner's task is whole; guards of a small loop read the parts that all tasks have.
  const surroundings = { task, context, signal } as GuardContext
  const ask = async () => checked<T>(await guard(subject, surroundings), fits)
  return remember ? remember(name, ask, (verdict) => isVerdict(verdict, fits)) : ask()
}

type Verdict<T> = { block: string } | ([T] extends [never] ? never : { replace: T }) | null

/** Returns a verdict that can be obeyed. Anything else blocks, because the guard may have meant that. */
function checked<T>(verdict: unknown, fits: (value: unknown) => boolean): Verdict<T> {
  if (isVerdict(verdict ?? null, fits)) return (verdict ?? null) as Verdict<T>
  const forms = fits === fitsNothing ? 'nothing or { block: string }' : 'nothing, { block: string } or { replace }'
  return { block: `the guard must return ${forms}, but it returned ${kindOf(verdict)}.` }
}

/** An object with both keys blocks. */
function isVerdict(verdict: unknown, fits: (value: unknown) => boolean): boolean {
  if (verdict === null) return true
  if (!isPlainObject(verdict)) return false
  const { block, replace, ...others } = verdict
  if (block !== undefined) return typeof block === 'string'
  return Object.keys(others).length === 0 && fits(replace)
}

const fitsNothing = (): boolean => false

const isString = (value: unknown): boolean => typeof value === 'string'

const isContent = (value: unknown): boolean =>
  isString(value) || (Array.isArray(value) && value.every((part) => isPlainObject(part) && isString(part['type'])))
