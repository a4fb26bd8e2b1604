/**
 * @module
 * The results of the calls of a step. A repeated step makes no call whose result is known.
 */
import { isToolkitError } from '@x/core-model'
import type { TaskState } from '../task/agent-state.ts'
import { type Durable, HANDLED_ERROR, isHandledError, type Json, type Once, type ResultKind } from '../task/durable.ts'
import { CALL_ERRORS } from '../tool/tool-errors.ts'

/** The results of one step that runs. */
export class StepResults {
  private readonly state: TaskState
  private readonly stepId: string
  private readonly number: number
  private readonly save: (name: string, value: Json) => Promise<void>
  /** Results made in this process, unserialized. */
  readonly live: Map<string, () => unknown>
  private readonly signal: AbortSignal | undefined
  private hasCalledTool = false
  /** Whether an earlier attempt has left results: it may have called tools. */
  private readonly isContinued: boolean
  /** The name of the call that was made or read last. */
  private last = ''

  constructor(
    state: TaskState,
    step: { stepId: string; number: number },
    save: (name: string, value: Json) => Promise<void>,
    signal: AbortSignal | undefined,
  ) {
    this.state = state
    this.stepId = step.stepId
    this.number = step.number
    this.save = save
    this.signal = signal
    this.isContinued = (state.results.get(step.number)?.size ?? 0) > 0
    this.live = state.live.get(step.number) ?? new Map()
    state.live.set(step.number, this.live)
  }

  /**
   * The port for the worker. An abandoned attempt may still return a result. It is kept if it is the first, and the step is not
   * completed.
   */
  readonly durable: Durable = async <T>(name: string, fn: () => Promise<T>): Promise<T> => {
    this.last = name
    if (this.known.has(name)) return this.known.get(name) as T
    this.begin(name)
    const value = await fn()
    if (this.known.has(name)) return this.known.get(name) as T
    if (this.isCurrent) {
      this.known.set(name, value as Json)
      await this.save(name, value as Json)
    }
    return value
  }

  /** Like {@link durable}, but keeps the result itself, in memory. */
  readonly recall: Once = async <T>(call: string, fn: () => Promise<T>, { handles }: ResultKind<T>): Promise<T> => {
    const name = `step-${this.number}/${call}`
    this.last = name
    const earlier = this.live.get(name)
    if (earlier) return earlier() as T
    this.begin(name)
    let read: () => T
    let mark: Json = null
    try {
      const value = await fn()
      read = () => value
    } catch (error) {
      if (!handles?.(error)) throw error
      mark = { [HANDLED_ERROR]: { code: isToolkitError(error) ? error.code : '' } }
      read = () => {
        throw error
      }
    }
    const first = this.live.get(name)
    if (first) return first() as T
    if (this.isCurrent && !this.signal?.aborted) {
      this.known.set(name, mark)
      this.live.set(name, read)
    }
    return read()
  }

  private begin(name: string): void {
    if (name.includes('/tool-')) this.hasCalledTool = true
  }

  /** Whether the step is not completed. */
  private get isCurrent(): boolean {
    return this.state.stepNumbers.get(this.stepId) === this.number
  }

  /** Whether the result of a call is known. */
  readonly has = (name: string): boolean => this.known.has(name)

  /** Deletes the results of a failed attempt if the next one must not reuse them. */
  async dropAfter(error: unknown, save: () => Promise<void>): Promise<void> {
    if (!this.startsAnew(error)) return
    this.state.results.delete(this.number)
    this.live.clear()
    // The error of the step is the one to report.
    await save().catch(() => {})
  }

  /**
   * Whether the next attempt starts from the beginning after a failure. If a tool may have had an effect, the model is not called
   * again, because it could request a different call.
   */
  private startsAnew(error: unknown): boolean {
    const { known } = this
    if (known.size === 0 || Array.from(known).some(([name, value]) => ranTool(name, value))) return false
    if (this.isContinued && !OF_REPLY.test(this.last)) return false
    return !this.hasCalledTool || (isToolkitError(error) && CALL_ERRORS.includes(error.code))
  }

  private get known(): Map<string, Json> {
    const { results } = this.state
    const found = results.get(this.number) ?? new Map<string, Json>()
    results.set(this.number, found)
    return found
  }
}

/** The names of results behind which a step fails because of the reply of its model. */
const OF_REPLY = /\/(?:model|guard-(?:text|answer))/

/** Whether the result is from a tool that ran. Refused calls had no effect. */
function ranTool(name: string, value: Json): boolean {
  if (!name.includes('/tool-')) return false
  const error = isHandledError(value) ? (value[HANDLED_ERROR] as { code?: unknown } | null) : null
  return typeof error?.code !== 'string' || !CALL_ERRORS.includes(error.code)
}
