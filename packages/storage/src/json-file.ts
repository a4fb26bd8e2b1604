/// <reference types="node" />
/**
 * @module
 * Reads JSON files, and writes them atomically.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { JsonTextError, readJsonText } from '@x/core-model'
import { StoreReadError } from './errors.ts'

/** The age in milliseconds after which a temporary file counts as abandoned. */
const longestWriting = 3_600_000
/** The suffix of temporary files after the name of the file. */
const temporaryId = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/**
 * Writes a text file atomically: writes a temporary file in the same directory, flushes it to the disk, and renames it.
 * Whatever fails, `path` contains either the old content or the new content. Creates missing directories. Removes temporary files
 * of this file that killed processes left behind, once they are older than an hour.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const directory = dirname(path)
  await mkdir(directory, { recursive: true })
  await removeLeftBehind(directory, `.${basename(path)}`)
  const temporary = join(directory, `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(directory)
}

async function removeLeftBehind(directory: string, beginning: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(beginning) || !temporaryId.test(name.slice(beginning.length))) continue
    const leftBehind = join(directory, name)
    try {
      if (Date.now() - (await stat(leftBehind)).mtimeMs > longestWriting) await rm(leftBehind, { force: true })
    } catch {
      // Another process removed the file first, or it cannot be removed. The store is not affected.
    }
  }
}

/** Makes the rename durable, on platforms that can open directories. */
async function syncDirectory(directory: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>> | undefined
  try {
    handle = await open(directory)
    await handle.sync()
  } catch {
    // Windows and some network file systems reject this; the rename is complete anyway.
  } finally {
    await handle?.close()
  }
}

/**
 * Returns the value of a JSON file in UTF-8 or UTF-16, with or without a byte-order mark. Accepts `NaN` and infinities, which Python
 * writes.
 * @throws {StoreReadError} when the file cannot be read, or is not JSON: then with the offset of the error in bytes.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    throw new StoreReadError(path, isMissing(cause) ? 'the file does not exist' : 'the file cannot be read', { cause })
  }
  const { encoding, start } = encodingOf(bytes)
  const text = decode(path, bytes.subarray(start), encoding, start)
  try {
    return readJsonText(text, { nonFinite: true })
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause
    const before = text.slice(0, cause.position)
    const byte = start + (encoding === 'utf-8' ? Buffer.byteLength(before) : before.length * 2)
    throw new StoreReadError(path, `byte ${byte}, ${cause.message}; the file is truncated or not a store`, {
      byte,
      cause,
    })
  }
}

/** Whether a file system error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'ENOENT'
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Returns the encoding of JSON text and the offset at which it starts: by its byte-order mark, otherwise by the zero bytes of its
 * first character, which is always ASCII.
 */
function encodingOf(bytes: Uint8Array): { encoding: Encoding; start: number } {
  for (const [encoding, mark] of marks)
    if (mark.every((byte, index) => bytes[index] === byte)) return { encoding, start: mark.length }
  const encoding = bytes[0] === 0 ? 'utf-16be' : bytes[1] === 0 ? 'utf-16le' : 'utf-8'
  return { encoding, start: 0 }
}

function decode(path: string, bytes: Buffer, encoding: Encoding, start: number): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    if (encoding !== 'utf-8')
      throw new StoreReadError(path, `the file is not valid ${encoding.toUpperCase()}`, { cause })
    // An invalid byte is decoded as a replacement character, so encoding the text again differs from that byte on.
    const again = Buffer.from(bytes.toString())
    const byte = start + bytes.findIndex((value, index) => value !== again[index])
    throw new StoreReadError(path, `byte ${byte}: expected UTF-8, received ${bytes[byte - start]}`, { byte, cause })
  }
}
