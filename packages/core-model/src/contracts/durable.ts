/**
 * @module
 * The port through which work calls models, tools and stores, so that the results can be saved before the work continues.
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
 * Runs `fn` once per name within a piece of work, such as the task of an agent or the ingestion of a document. When the work runs again,
 * for example after a crash, it returns the saved result instead. A rejection ends the work, so it need not be saved.
 */
export type Durable = <T extends Json>(name: string, fn: () => Promise<T>) => Promise<T>
