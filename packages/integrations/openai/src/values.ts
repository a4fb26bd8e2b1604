/**
 * @module
 * Values in the data of a server, which may have any form.
 */
import type { ServerData } from '@x/llm/server'

/** A JSON object of the server. */
export type Json = ServerData

/** Returns an object; null for other values. */
export function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null ? (value as Json) : null
}

/** Returns the objects of an array; none for other values. */
export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => object(item) !== null) : []
}

/** Returns a string; an empty one for other values. */
export function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
