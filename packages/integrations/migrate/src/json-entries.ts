/**
 * @module
 * Finds the entries of a large JSON file, such as the records of a document store, without reading the file into memory.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { readJsonText } from '@x/core-model'
import { MigrateError } from './errors.ts'

/** The place of a value in a file. */
export type Place = readonly [start: number, length: number]

/** An entry of an object inside of the object of a file: `{ collection: { key: value } }`. */
export interface JsonEntry {
  collection: string
  key: string
  place: Place
}

const CHUNK = 1 << 20
const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]

/**
 * Yields the entries of the collections of a JSON file in UTF-8, in their order. The values are not checked.
 * @throws {MigrateError} if the file cannot be read, is truncated, or is not an object.
 */
export function* jsonEntries(path: string): Generator<JsonEntry> {
  const scan = new Scan()
  const file = opened(path)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (let base = 0; ; ) {
      const size = readSync(file, chunk, 0, CHUNK, base)
      if (size === 0) break
      if (base === 0 && chunk.subarray(0, Math.min(size, 4)).includes(0))
        throw new MigrateError(`${path}: expected UTF-8, received UTF-16`)
      yield* scan.chunk(chunk.subarray(0, size), base)
      base += size
    }
  } finally {
    closeSync(file)
  }
  if (!scan.isComplete) throw new MigrateError(`${path}: the file is truncated or does not contain a JSON object`)
}

/** The state of a scan between two chunks. */
class Scan {
  private depth = 0
  private hasBegun = false
  private inString = false
  private isEscaped = false
  /** Whether the next string is a key. */
  private isKey = false
  private collection = ''
  private key = ''
  /** Where the value of the entry starts; -1 outside of a value. */
  private start = -1
  /** The pieces of a key in earlier chunks; null outside of a key. */
  private pieces: Buffer[] | null = null

  get isComplete(): boolean {
    return this.hasBegun && this.depth === 0 && !this.inString
  }

  *chunk(bytes: Buffer, base: number): Generator<JsonEntry> {
    let keyStart = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (this.inString) {
        if (this.isEscaped) this.isEscaped = false
        else if (byte === BACKSLASH) this.isEscaped = true
        else if (byte === QUOTE) {
          this.inString = false
          if (this.pieces) this.endKey(bytes.subarray(keyStart, at + 1))
        }
        continue
      }
      if (byte === QUOTE) {
        this.inString = true
        if (this.isKey && this.depth <= 2) {
          this.pieces = []
          keyStart = at
        } else this.beginValue(base + at)
      } else if (byte === OPEN || byte === OPEN_LIST) {
        this.beginValue(base + at)
        this.depth++
        this.hasBegun = true
        this.isKey = byte === OPEN
      } else if (byte === CLOSE || byte === CLOSE_LIST || byte === COMMA) {
        const entry = this.depth === 2 ? this.entryEndingAt(base + at) : null
        if (entry) yield entry
        if (byte !== COMMA) this.depth--
        else if (this.depth <= 2) this.isKey = true
      } else if (byte === COLON) this.isKey = false
      else if (byte > 32) this.beginValue(base + at)
    }
    this.pieces?.push(Buffer.from(bytes.subarray(keyStart)))
  }

  private endKey(last: Buffer): void {
    const text = JSON.parse(Buffer.concat([...this.pieces!, last]).toString()) as string
    this.pieces = null
    this.isKey = false
    if (this.depth === 1) this.collection = text
    else this.key = text
  }

  private beginValue(at: number): void {
    if (this.depth === 2 && this.start < 0 && !this.isKey) this.start = at
  }

  private entryEndingAt(end: number): JsonEntry | null {
    const { start, collection, key } = this
    if (start < 0) return null
    this.start = -1
    return { collection, key, place: [start, end - start] }
  }
}

/** Reads values of a file by their places. */
export class JsonFile {
  readonly path: string
  private readonly file: number

  constructor(path: string) {
    this.path = path
    this.file = opened(path)
  }

  /** Returns the value at a place. `NaN` and infinities, which Python writes, are numbers. */
  read([start, length]: Place): unknown {
    const bytes = Buffer.allocUnsafe(length)
    readSync(this.file, bytes, 0, length, start)
    try {
      return readJsonText(bytes.toString(), { nonFinite: true })
    } catch (cause) {
      throw new MigrateError(`${this.path}: byte ${start}: expected JSON`, { cause })
    }
  }

  close(): void {
    closeSync(this.file)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new MigrateError(`${path}: the file cannot be read`, { cause })
  }
}
