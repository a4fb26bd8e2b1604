/**
 * @module
 * JSON text from strings, bytes and files.
 */
import { ModelValidationError, NotSupportedError } from '../errors.ts'
import { kindOf } from './check-value.ts'
import { parseExactly } from './json-text.ts'

/** How raw text or bytes are read. */
export interface ParseRawOptions {
  /** A JSON content type, or none. Case and parameters do not matter. */
  contentType?: string | null
  /** Name of the encoding of bytes. @defaultValue 'utf8' */
  encoding?: string
  /** Only `json`. */
  proto?: string | null
  /** Pickled data is never read: true is an error. @defaultValue false */
  allowPickle?: boolean
}

/** How a file is read. */
export interface ParseFileOptions extends ParseRawOptions {
  /** Reads the bytes of a file. @defaultValue the file system of the platform */
  readFile?: (path: string | URL) => Promise<Uint8Array>
}

function refuse(title: string, code: string, message: string, cause?: unknown): never {
  throw new ModelValidationError(title, [{ path: '', message, code }], { cause })
}

/** The value of a JSON text. */
export function parseJson(title: string, text: string): unknown {
  if (typeof text !== 'string') refuse(title, 'type', `expected JSON text, received ${kindOf(text)}`)
  try {
    return parseExactly(text)
  } catch (cause) {
    // Only the place and our own words: messages of engines may repeat a user's data.
    const [where] = /position \d+|the number \S+ is too large/.exec((cause as Error).message) ?? []
    return refuse(title, 'json', `the text is not JSON${where ? ` (${where})` : ''}`, cause)
  }
}

/** Refuses anything but JSON, before it is read. */
function assertJson(title: string, { contentType, proto, allowPickle }: ParseRawOptions): void {
  if (!/^\s*($|;|[^;]*(json|javascript)\s*($|;))/i.test(contentType ?? ''))
    refuse(title, 'content_type', 'expected a JSON content type')
  if ((proto ?? 'json') !== 'json') refuse(title, 'proto', 'expected the protocol "json"')
  if (allowPickle) refuse(title, 'pickle', 'pickled data is not supported')
}

/** The text of raw data, after its content type was checked. */
export function rawText(title: string, raw: string | Uint8Array, options: ParseRawOptions): string {
  assertJson(title, options)
  if (typeof raw === 'string') return raw
  try {
    return new TextDecoder(options.encoding, { fatal: true }).decode(raw)
  } catch (cause) {
    return refuse(title, 'encoding', 'the bytes do not fit the encoding', cause)
  }
}

/** The JSON text of a file. */
export async function readTextFile(title: string, path: string | URL, options: ParseFileOptions): Promise<string> {
  assertJson(title, { allowPickle: /\.pkl$/i.test(`${path}`) })
  const read =
    options.readFile ??
    platformModule<{ readFile(path: string | URL): Promise<Uint8Array> }>('node:fs/promises')?.readFile
  if (read === undefined)
    throw new NotSupportedError(`${title}.parseFile: there is no file system here; pass readFile.`)
  return rawText(title, await read(path), options)
}

/** Returns a module that the platform has built in, or undefined when it has none or refuses it; bundlers see no import. */
export function platformModule<T>(name: string): T | undefined {
  try {
    const { process } = globalThis as { process?: { getBuiltinModule?(name: string): T | undefined } }
    return process?.getBuiltinModule?.(name)
  } catch {
    // The edge runtime of Next.js throws on reading the property.
    return undefined
  }
}
