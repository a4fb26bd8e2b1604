/**
 * @module
 * The port through which a step calls models, tools and retrievers, so that what they returned is saved before the step goes on.
 */

/** A value in JSON. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/**
 * Runs `fn` once per name within a task. When the same name runs again, for example after a crash, it returns the saved result
 * instead. A rejection ends the step, so it need not be saved: errors that the step handles itself are results.
 *
 * Names are stable: `step-2/model`, `step-2/tool-1`. The same code asks for them in the same order, and the number of a step is never
 * used again, also not after an undo.
 */
export type Durable = <T extends Json>(name: string, fn: () => Promise<T>) => Promise<T>

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
