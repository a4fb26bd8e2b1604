/**
 * @module
 * Operations of LlamaIndex for Python that TypeScript programs seldom need, as functions, so that other bundles do not contain them: entry
 * `@x/core-model/python`.
 */

import type { Dict, Model, ModelConstructor, ReadOptions } from '@x/core'
import { NotSupportedError } from '@x/core'
import { checkOption, type OptionCheck } from '@x/core/options'
import type { AnyModelClass } from '@x/core/reading'
import { fieldsOf, invalid, refuse } from '@x/core/reading'
import { type Platform, platformModule } from './platform-module.ts'

export { asRead } from './python/as-read.ts'
export { lineOf, newerLine, type PythonLine, type PythonLineName, pythonLine, pythonLines } from './python/lines.ts'
export { isPythonText, pythonPieces, pythonText, pythonVector } from './python-text.ts'

/** Options of `parseRaw`. */
export interface ParseRawOptions {
  /** The content type, which must be JSON if present. Case and parameters do not matter. */
  contentType?: string | null
  /** Name of the encoding of bytes. @defaultValue 'utf8' */
  encoding?: string
  /** The protocol; only `json` is supported. */
  proto?: string | null
  /** Pickled data is not supported: true throws. @defaultValue false */
  allowPickle?: boolean
}

/** Options of `parseFile`. */
export interface ParseFileOptions extends ParseRawOptions {
  /** Reads the bytes of a file. @defaultValue the file system of the platform */
  readFile?: (path: string | URL) => Promise<Uint8Array>
  /** Has the file system. @defaultValue globalThis */
  platform?: Platform
}

/**
 * Reads an instance from raw JSON text or bytes (`parse_raw`).
 * @throws {ModelValidationError} for bytes that are invalid in the encoding, text that is not JSON, or a different content type.
 * @example
 * const bytes = new TextEncoder().encode('{"content": "Hello"}')
 * const message = parseRaw(ChatMessage, bytes)
 * message.content // => 'Hello'
 */
export function parseRaw<T extends Model>(
  modelClass: ModelConstructor<T>,
  raw: string | Uint8Array,
  options: ParseRawOptions & ReadOptions = {},
): T {
  checkOption('parseRaw', 'modelClass', modelClass, isModelClass)
  return modelClass.fromJson(rawText(modelClass.spec().name, raw, options), {}, options)
}

/**
 * Reads an instance from a JSON file (`parse_file`). Errors of the file system are thrown unchanged.
 * Pass `readFile` on platforms without a file system (browsers, edge workers).
 * @throws {NotSupportedError} without a file system and without `readFile`.
 */
export async function parseFile<T extends Model>(
  modelClass: ModelConstructor<T>,
  path: string | URL,
  options: ParseFileOptions & ReadOptions = {},
): Promise<T> {
  checkOption('parseFile', 'modelClass', modelClass, isModelClass)
  return modelClass.fromJson(await readTextFile(modelClass.spec().name, path, options), {}, options)
}

/**
 * Reads an instance from the properties of any object, by API name, else by wire name (`from_orm`).
 * @throws {ModelValidationError} if a property is not valid, or `object` is not an object.
 * @example
 * const message = fromOrm(ChatMessage, { content: 'Hello', other: 1 })
 * message.toDict() // => { role: 'user', content: 'Hello', additional_kwargs: {} }
 */
export function fromOrm<T extends Model>(modelClass: ModelConstructor<T>, object: object): T {
  checkOption('fromOrm', 'modelClass', modelClass, isModelClass)
  if (typeof object !== 'object' || object === null) throw invalid(modelClass.spec().name, 'an object', object)
  const source = object as Dict
  const options: Dict = {}
  for (const { name, wire } of fieldsOf(modelClass as unknown as AnyModelClass))
    options[name] = source[name] === undefined ? source[wire] : source[name]
  return modelClass.fromDict({}, options)
}

/** Does nothing and returns null: nested classes need no late binding here (`update_forward_refs`). */
export function updateForwardRefs(): null {
  return null
}

/** Throws if the options request a format other than JSON. */
function assertJson(title: string, { contentType, proto, allowPickle }: ParseRawOptions): void {
  const [type = ''] = (contentType ?? '').split(';')
  if (type.trim() !== '' && !/(?:json|javascript)$/i.test(type.trim()))
    refuse(title, 'content_type', 'expected a JSON content type')
  if ((proto ?? 'json') !== 'json') refuse(title, 'proto', 'expected the protocol "json"')
  if (allowPickle) refuse(title, 'pickle', 'pickled data is not supported')
}

/** Checks the content type of raw data and returns the data as a string. */
function rawText(title: string, raw: string | Uint8Array, options: ParseRawOptions): string {
  assertJson(title, options)
  if (typeof raw === 'string') return raw
  try {
    return new TextDecoder(options.encoding, { fatal: true }).decode(raw)
  } catch (cause) {
    return refuse(title, 'encoding', 'the bytes are invalid in this encoding', cause)
  }
}

/** Returns the content of a JSON file as a string. */
async function readTextFile(title: string, path: string | URL, options: ParseFileOptions): Promise<string> {
  assertJson(title, { allowPickle: /\.pkl$/i.test(`${path}`) })
  const read =
    options.readFile ??
    platformModule<{ readFile(path: string | URL): Promise<Uint8Array> }>('node:fs/promises', options.platform)
      ?.readFile
  if (read === undefined)
    throw new NotSupportedError(`parseFile(${title}): this platform has no file system; pass readFile.`)
  return rawText(title, await read(path), options)
}

const isModelClass: OptionCheck = (value) =>
  typeof value === 'function' && 'spec' in value ? undefined : 'a model class'
