/**
 * @module
 * The port through which a step calls models, tools and retrievers, so that what they returned is saved before the step goes on.
 *
 * Names are stable: `step-2/model`, `step-2/tool-1`. The same code asks for them in the same order, and the number of a step is never
 * used again, also not after an undo. Errors that the step handles itself are results.
 */
import type { Durable, Json } from '@x/core-model'

export type { Durable, Json }

/** The key of a result that is an error which the step handles. */
export const HANDLED_ERROR = '$error'

/**
 * Whether a result of a durable call is an error that the step handles, such as a refusal of the model. A run that ended with it receives
 * it again, unless the engine forgets the call.
 * @example
 * isHandledError({ content: '4' }) // => false
 */
export function isHandledError(result: unknown): result is { readonly [HANDLED_ERROR]: Json } {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, HANDLED_ERROR)
}

/** A port for the durable calls inside a call of a tool. Their names start with its name. */
export class InnerPort {
  private readonly outer: Durable
  private readonly name: string
  private failure: { error: unknown } | undefined

  constructor(outer: Durable, name: string) {
    this.outer = outer
    this.name = name
  }

  readonly durable: Durable = async (name, fn) => {
    try {
      return await this.outer(`${this.name}/${name}`, fn)
    } catch (error) {
      this.failure ??= { error }
      throw error
    }
  }

  /** Throws the rejection of the port, if there was one: it ends the step, whatever the tool has made of it. */
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
