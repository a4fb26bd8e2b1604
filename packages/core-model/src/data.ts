/**
 * @module
 * Ids, hashes, base64, data URLs and the cosine of vectors. Entry `@x/core-model/data`.
 */
export { type DataUrl, fromBase64, readDataUrl, toBase64 } from './base64.ts'
export { cosine } from './embedding/similarity.ts'
export { idSeries, newId } from './new-id.ts'
export { sha256 } from './nodes/sha256.ts'
export { safeName } from './safe-name.ts'
