/**
 * @module
 * The port through which a step calls models, tools and retrievers, so that their results are saved before the step continues.
 *
 * Names are stable: `step-2/model`, `step-2/tool-1`. The same code makes its calls in the same order, and the number of a step is never
 * reused, not even after an undo. Errors that the step handles itself are saved as results.
 */
import type { Durable, Json, TaskStore } from '@x/core-model'

export type { Durable, Json }

/** The key that marks a result as an error that the step handles. */
export const HANDLED_ERROR = '$error'

/**
 * Whether a result of a durable call is an error that the step handles, such as a refusal of the model. A run that ended with it
 * ends with it again in a replay, unless the engine drops the call.
 * @example
 * isHandledError({ content: '4' }) // => false
 */
export function isHandledError(result: unknown): result is { readonly [HANDLED_ERROR]: Json } {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, HANDLED_ERROR)
}

/** The part of a journal that belongs to the agent behind a tool call: a port if an engine has the journal, otherwise a store. */
export interface JournalPart {
  readonly durable?: Durable | undefined
  readonly taskStore?: TaskStore | undefined
  /** Throws the error of the journal if there was one. It ends the step, even if the tool caught the error. */
  check(): void
}

/** A port for the durable calls inside the call of a tool. Their names start with the name of that call. */
export class InnerPort implements JournalPart {
  private readonly outer: Durable
  private readonly name: string
  private failure: { error: unknown } | undefined

  /** @param place - `<step>/<position>` of the call. */
  constructor(outer: Durable, place: string) {
    this.outer = outer
    this.name = `step-${place.replace('/', '/tool-')}`
  }

  readonly durable: Durable = async (name, fn) => {
    try {
      return await this.outer(`${this.name}/${name}`, fn)
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }

  check(): void {
    if (this.failure) throw this.failure.error
  }
}

/**
 * Calls `fn` every time and saves nothing.
 * @example
 * await passThrough('step-1/model', async () => 'four') // => 'four'
 */
export const passThrough: Durable = (_name, fn) => fn()
