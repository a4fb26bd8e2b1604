/// <reference types="node" />
/**
 * @module
 * Reads JSON files, and writes them atomically.
 */

import { constants } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { JsonTextError, readJsonText } from '@x/core-model'
import { RESTORE, StoreChangedError, StoreReadError, StoreTooLargeError, writing } from './errors.ts'

/** The age in milliseconds after which a temporary file counts as abandoned. */
const longestWriting = 3_600_000
/** The suffix of temporary files after the name of the file. */
const temporaryId = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/
/** The number of characters that are written at once. */
const PIECE = 1 << 20

/** Identifies one version of a file: each write creates a new file. */
export type FileVersion = string

/** The options of {@link writeWhole}. */
export interface WriteOptions {
  /** The version that may be replaced; null if the file must not exist. @defaultValue any version */
  replaces?: FileVersion | null | undefined
  /** The maximum number of characters. @defaultValue the maximum length of a string on this platform */
  longest?: number
}

/**
 * Writes a text file atomically: writes a temporary file in the same directory, flushes it to the disk, and renames it. At any time, even
 * after a crash, `path` contains either the old content or the new content. Creates missing directories. Removes temporary files of this
 * file that are older than an hour, which killed processes left.
 * @param pieces - the text, or its parts in order.
 * @throws {StoreChangedError} if the file is not the version that may be replaced.
 * @throws {StoreTooLargeError} if the text is too long to be read again as one string.
 * @throws {StoreWriteError} if the system refuses to write.
 */
export async function writeWhole(
  path: string,
  pieces: string | Iterable<string>,
  options: WriteOptions = {},
): Promise<FileVersion> {
  const { replace } = await writeBeside(path, pieces, options)
  return replace(options.replaces)
}

/** A file that is written and flushed beside the file that it replaces. */
export interface WrittenFile {
  /** Replaces the file. */
  replace(replaces?: FileVersion | null): Promise<FileVersion>
  /** Removes it, if it has not replaced the file. */
  discard(): Promise<void>
}

/** Writes a temporary file beside `path`. Several files of a folder are replaced once all of them are on the disk. */
export function writeBeside(
  path: string,
  pieces: string | Iterable<string>,
  { longest = constants.MAX_STRING_LENGTH }: WriteOptions = {},
): Promise<WrittenFile> {
  const directory = dirname(path)
  const temporary = join(directory, `.${basename(path)}.${randomUUID()}.tmp`)
  const discard = () => rm(temporary).catch(() => undefined)
  const orDiscard = <T>(work: () => Promise<T>): Promise<T> =>
    writing(path, work).catch(async (error) => {
      await discard()
      throw error
    })
  return orDiscard(async () => {
    await mkdir(directory, { recursive: true })
    await removeLeftBehind(directory, `.${basename(path)}`)
    const file = await open(temporary, 'wx')
    let version: FileVersion
    try {
      for (const piece of joined(path, typeof pieces === 'string' ? [pieces] : pieces, longest))
        await file.writeFile(piece)
      await file.sync()
      version = await versionOf(file)
    } finally {
      await file.close()
    }
    const replace = (replaces?: FileVersion | null) =>
      orDiscard(async () => {
        if (replaces === undefined) await rename(temporary, path)
        else {
          await withLock(path, async () => {
            if ((await versionAt(path)) !== replaces) throw new StoreChangedError(path, replaces !== null)
            await rename(temporary, path)
          })
        }
        await syncDirectory(directory)
        return version
      })
    return { replace, discard }
  })
}

/** Joins short pieces. @throws {StoreTooLargeError} if the text is longer than a string may be. */
function* joined(path: string, pieces: Iterable<string>, longest: number): Generator<string> {
  let total = 0
  let text = ''
  for (const piece of pieces) {
    total += piece.length
    if (total > longest) throw new StoreTooLargeError(path, longest)
    text += piece
    if (text.length < PIECE) continue
    yield text
    text = ''
  }
  yield text
}

async function versionOf(file: FileHandle): Promise<FileVersion> {
  const { ino, size, mtimeNs } = await file.stat({ bigint: true })
  return `${ino} ${size} ${mtimeNs}`
}

/** The version of a file; null if it does not exist. */
async function versionAt(path: string): Promise<FileVersion | null> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

async function removeLeftBehind(directory: string, beginning: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(beginning) || !temporaryId.test(name.slice(beginning.length))) continue
    const leftBehind = join(directory, name)
    try {
      if (Date.now() - (await stat(leftBehind)).mtimeMs > longestWriting) await rm(leftBehind)
    } catch {
      // Another process removed the file first, or it cannot be removed. The store is not affected.
    }
  }
}

/** Makes the rename durable, on platforms that can open directories. */
export async function syncDirectory(directory: string): Promise<void> {
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
 * Returns the value of a JSON file in UTF-8, UTF-16 or UTF-32, with or without a byte-order mark. Accepts `NaN` and infinities, which
 * Python writes.
 * @throws {StoreReadError} if the file cannot be read, or is not JSON; `byte` is the offset of a syntax error.
 * @throws {StoreTooLargeError} if its text does not fit into one string.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  return (await readJsonFileVersion(path)).data
}

/** Returns the value of a JSON file, as `readJsonFile` does, with its text and the version of the file. */
export async function readJsonFileVersion(
  path: string,
  longest: number = constants.MAX_STRING_LENGTH,
): Promise<{ data: unknown; version: FileVersion; text: string }> {
  const { bytes, version } = await readBytes(path, longest)
  const { encoding, start } = encodingOf(bytes)
  if (bytes.length > longest && charactersIn(bytes, encoding) > longest) throw new StoreTooLargeError(path, longest)
  const text = decode(path, bytes.subarray(start), encoding, start)
  try {
    return { data: readJsonText(text, { nonFinite: true }), version, text }
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause
    const before = text.slice(0, cause.position)
    const byte = start + lengthIn(encoding, before)
    throw new StoreReadError(path, `byte ${byte}, ${cause.message}; the file is truncated or not a store; ${RESTORE}`, {
      byte,
      cause,
    })
  }
}

async function readBytes(path: string, longest: number): Promise<{ bytes: Buffer; version: FileVersion }> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const version = await versionOf(file)
    return { bytes: await file.readFile(), version }
  } catch (cause) {
    // Node reads at most 2 GiB at once.
    if ((cause as { code?: string }).code === 'ERR_FS_FILE_TOO_LARGE')
      throw new StoreTooLargeError(path, longest, { cause })
    throw new StoreReadError(path, unreadable[Object(cause).code] ?? 'the file cannot be read', { cause })
  } finally {
    await file?.close()
  }
}

/** Why a file cannot be read, by the code of the system. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this process may not read the file; give it the right to do so (EACCES)',
  EPERM: 'this process may not read the file; give it the right to do so (EPERM)',
  EISDIR: 'the path is a directory; pass the path of a file (EISDIR)',
}

/** Whether a file system error means that the file does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === 'ENOENT'
}

/** The number of bytes of a string. */
function lengthIn(encoding: Encoding, text: string): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text)
  return isUtf32(encoding) ? [...text].length * 4 : text.length * 2
}

/** The length of the decoded string. For UTF-32 and invalid bytes it is a lower bound. */
function charactersIn(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== 'utf-8') return bytes.length / (isUtf32(encoding) ? 4 : 2)
  let characters = 0
  // Continuation bytes add nothing; the first byte of four becomes a surrogate pair.
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) characters += byte >= 0xf0 ? 2 : 1
  return characters
}

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  // The mark of UTF-16 is the start of this one.
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * Returns the encoding of JSON text and the offset at which it starts: recognized by the byte-order mark, otherwise by the zero bytes
 * of the first character, which is always ASCII.
 */
function encodingOf(bytes: Uint8Array): { encoding: Encoding; start: number } {
  for (const [encoding, mark] of marks)
    if (mark.every((byte, index) => bytes[index] === byte)) return { encoding, start: mark.length }
  const [first, second, third, fourth] = bytes
  if (first === 0) return { encoding: second === 0 ? 'utf-32be' : 'utf-16be', start: 0 }
  if (second !== 0) return { encoding: 'utf-8', start: 0 }
  return { encoding: third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le', start: 0 }
}

function isUtf32(encoding: Encoding): boolean {
  return encoding.startsWith('utf-32')
}

/** Returns the text of UTF-32, which `TextDecoder` does not know. @throws {RangeError} for a number that is not a code point. */
function decodeUtf32(bytes: Buffer, isLittleEndian: boolean): string {
  if (bytes.length % 4 > 0) throw new RangeError('the last character is incomplete')
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 4)
    pieces.push(String.fromCodePoint(isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)))
  return pieces.join('')
}

function decode(path: string, bytes: Buffer, encoding: Encoding, start: number): string {
  try {
    if (isUtf32(encoding)) return decodeUtf32(bytes, encoding === 'utf-32le')
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    if (encoding !== 'utf-8')
      throw new StoreReadError(path, `the file is not valid ${encoding.toUpperCase()}`, { cause })
    // An invalid byte is decoded as a replacement character, so the encoded text differs from the file at that byte.
    const again = Buffer.from(bytes.toString())
    const byte = start + bytes.findIndex((value, index) => value !== again[index])
    throw new StoreReadError(path, `byte ${byte}: expected UTF-8, received ${bytes[byte - start]}`, { byte, cause })
  }
}

/** A lock older than this, in milliseconds, belongs to a killed process, because a lock is held for one rename only. */
const MAX_LOCK_AGE = 10_000
const RETRY_DELAY = 5

/** Runs `work` while no other process holds the lock of this file. Waits for the lock. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(path), `.${basename(path)}.lock`)
  while (!(await created(lock))) {
    if (await isAbandoned(lock)) await discard(lock)
    else await setTimeout(RETRY_DELAY)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function created(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx')).close()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > MAX_LOCK_AGE
  } catch {
    // The other process has just released it.
    return false
  }
}

/** Removes an abandoned lock. If several processes try, one of them succeeds. */
async function discard(lock: string): Promise<void> {
  const taken = `${lock}.${randomUUID()}.tmp`
  try {
    await rename(lock, taken)
    await rm(taken)
  } catch {
    // Another process was faster.
  }
}
