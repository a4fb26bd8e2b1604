/**
 * @module
 * Reads JSON from strings, bytes and files.
 */
import { ModelValidationError, NotSupportedError } from '../errors.ts'
import { kindOf } from './check-value.ts'
import { parseExactly } from './json-text.ts'

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
}

function refuse(title: string, code: string, message: string, cause?: unknown): never {
  throw new ModelValidationError(title, [{ path: '', message, code }], { cause })
}

/** Returns the value of a JSON string. */
export function parseJson(title: string, text: string): unknown {
  if (typeof text !== 'string') refuse(title, 'type', `expected a JSON string, received ${kindOf(text)}`)
  try {
    return parseExactly(text)
  } catch (cause) {
    // The message of the engine may quote private data of a user, so only the position is copied from it.
    const [where] = /position \d+|the number \S+ is too large/.exec((cause as Error).message) ?? []
    return refuse(title, 'json', `invalid JSON${where ? ` (${where})` : ''}`, cause)
  }
}

/** Throws unless the options describe JSON. */
function assertJson(title: string, { contentType, proto, allowPickle }: ParseRawOptions): void {
  if (!/^\s*($|;|[^;]*(json|javascript)\s*($|;))/i.test(contentType ?? ''))
    refuse(title, 'content_type', 'expected a JSON content type')
  if ((proto ?? 'json') !== 'json') refuse(title, 'proto', 'expected the protocol "json"')
  if (allowPickle) refuse(title, 'pickle', 'pickled data is not supported')
}

/** Checks the content type of raw data and returns the data as a string. */
export function rawText(title: string, raw: string | Uint8Array, options: ParseRawOptions): string {
  assertJson(title, options)
  if (typeof raw === 'string') return raw
  try {
    return new TextDecoder(options.encoding, { fatal: true }).decode(raw)
  } catch (cause) {
    return refuse(title, 'encoding', 'the bytes are invalid in this encoding', cause)
  }
}

/** Returns the content of a JSON file as a string. */
export async function readTextFile(title: string, path: string | URL, options: ParseFileOptions): Promise<string> {
  assertJson(title, { allowPickle: /\.pkl$/i.test(`${path}`) })
  const read =
    options.readFile ??
    platformModule<{ readFile(path: string | URL): Promise<Uint8Array> }>('node:fs/promises')?.readFile
  if (read === undefined)
    throw new NotSupportedError(`${title}.parseFile: this platform has no file system; pass readFile.`)
  return rawText(title, await read(path), options)
}

/** Returns a built-in module of the platform, or undefined if it is not available. Bundlers do not see an import. */
export function platformModule<T>(name: string): T | undefined {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } }
    return process?.getBuiltinModule?.(name)
  } catch {
    // The edge runtime of Next.js throws on reading the property.
    return undefined
  }
}
