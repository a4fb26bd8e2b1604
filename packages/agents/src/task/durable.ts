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
 * instead. Rejections are not saved: the next attempt calls `fn` again.
 *
 * Names are stable: `step-2/model`, `step-2/tool-1`. The same code asks for them in the same order, and the number of a step is never
 * used again, also not after an undo.
 */
export type Durable = <T extends Json>(name: string, fn: () => Promise<T>) => Promise<T>

/**
 * Calls `fn` every time and saves nothing.
 * @example
 * await passThrough('step-1/model', async () => 'four') // => 'four'
 */
export const passThrough: Durable = (_name, fn) => fn()
