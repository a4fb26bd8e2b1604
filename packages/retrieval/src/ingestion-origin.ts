/**
 * @module
 * Whose documents a pipeline writes, and which model embeds them: parts of the hashes that it stores.
 */
import { ConfigurationError } from '@x/core-model'
import { sha256 } from '@x/core-model/data'

const ORIGIN = /^@([\da-f]{32}):/

/** Returns what stored hashes of an origin begin with; nothing for documents without one. */
export function originPrefix(origin: string | undefined): string {
  return origin === undefined || origin === '' ? '' : `@${sha256(origin).slice(0, 32)}:`
}

/** Whether a stored document belongs to an origin. A document that is not stored belongs to everybody. */
export function isOfOrigin(prefix: string, hash: string | null): boolean {
  return hash === null || (ORIGIN.exec(hash)?.[0] ?? '') === prefix
}

/** Whether a hash has any origin. */
export const hasOrigin = (hash: string): boolean => ORIGIN.test(hash)

/** Returns what stored hashes contain, behind their origin, of a model that is named. */
export function modelMark(embedName: string | undefined): string {
  return embedName === undefined || embedName === '' ? '' : `%${sha256(embedName).slice(0, 16)}:`
}

/** Whether the nodes of a stored document were embedded by the model that is named; also unless either is named. */
export function isOfModel(mark: string, hash: string): boolean {
  return (/^%[\da-f]{16}:/.exec(hash.replace(ORIGIN, ''))?.[0] ?? '') === mark
}

/** @throws {ConfigurationError} if a stored document belongs to another origin. */
export function checkOrigin(id: string, prefix: string, hash: string | null): void {
  if (isOfOrigin(prefix, hash)) return
  throw new ConfigurationError(
    `IngestionPipeline: the document ${JSON.stringify(id)} was ingested by a pipeline with another origin; it stays as it is. Give the documents of different sources different ids.`,
  )
}
