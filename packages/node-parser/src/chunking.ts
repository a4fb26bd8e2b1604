/**
 * @module
 * What parsers that cut texts share: the check of their sizes, the event, and line numbers out of sight.
 */
import { type CallbackManager, ModelValidationError, type TextNode } from '@x/core-model'
import type { Chunk } from './chunk-text.ts'

/** @throws {ModelValidationError} when chunks would overlap as a whole. */
export function requireOverlapBelowSize(
  className: string,
  { chunkSize, chunkOverlap }: { chunkSize: number | null; chunkOverlap: number },
): void {
  if (chunkSize === null || chunkOverlap < chunkSize) return
  throw new ModelValidationError(className, [
    {
      path: 'chunkOverlap',
      message: `expected less than chunkSize (${chunkSize}), got ${chunkOverlap}`,
      code: 'bound',
    },
  ])
}

/** Tells that a text was cut. */
export function emitChunking(
  manager: CallbackManager | null,
  text: string,
  start: number,
  end: number,
  chunks: readonly Chunk[],
): void {
  manager
    ?.startEvent('chunking', () => ({ chunks: [text.slice(start, end)] }))
    .end({ chunks: chunks.map((chunk) => text.slice(chunk.start, chunk.end)) })
}

const LINE_KEYS = ['start_line', 'end_line']

/** Line numbers are for people who follow a citation, not for embeddings and models. */
export function hideLineNumbers(node: TextNode): void {
  node.excludedEmbedMetadataKeys = [...new Set([...node.excludedEmbedMetadataKeys, ...LINE_KEYS])]
  node.excludedLlmMetadataKeys = [...new Set([...node.excludedLlmMetadataKeys, ...LINE_KEYS])]
}
