/// <reference types="node" />

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writing } from './errors.ts'
import { readJsonFile, readJsonFileVersion, withLock, writeWhole } from './json-file.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('writeWhole', () => {
  it('creates directories and leaves no temporary file', async () => {
    const path = join(directory, 'a', 'b', 'store.json')
    await writeWhole(path, '{"é": "🍎"}')
    await writeWhole(path, '{"é": "🍐"}')
    expect(await readJsonFile(path)).toEqual({ é: '🍐' })
    expect(await readdir(join(directory, 'a', 'b'))).toEqual(['store.json'])
  })

  it('keeps the old content and leaves no temporary file when the rename fails', async () => {
    const path = join(directory, 'taken')
    await mkdir(join(path, 'inside'), { recursive: true })
    await expect(writeWhole(path, '{}')).rejects.toMatchObject({ code: 'store_write' })
    expect(await readdir(directory)).toEqual(['taken'])
  })

  it('leaves one complete version if several are written at the same time', async () => {
    const path = join(directory, 'store.json')
    const versions = Array.from({ length: 10 }, (_, n) => JSON.stringify({ n, fill: 'x'.repeat(50_000) }))
    await Promise.all(versions.map((version) => writeWhole(path, version)))
    expect(versions).toContain(await readFile(path, 'utf8'))
    expect(await readdir(directory)).toEqual(['store.json'])
  })
})

describe('a system that refuses', () => {
  it.each([
    ['ENOSPC', 'the disk is full; free space, and write again'],
    ['EACCES', 'give it the right to write the file and its directory, or choose another path'],
    ['EROFS', 'the file system is read-only; choose a path on one that may be written'],
    ['EIO', 'the file cannot be written; the cause says why'],
  ])('is named with its code, the path and what to do: %s', async (code, advice) => {
    const cause = Object.assign(new Error('refused'), { code, syscall: 'write' })
    const failed = writing('/data/store.json', () => Promise.reject(cause))
    await expect(failed).rejects.toMatchObject({
      code: 'store_write',
      path: '/data/store.json',
      systemCode: code,
      cause,
    })
    await expect(failed).rejects.toThrow(`${advice} (${code}). Nothing was changed.`)
  })

  it('leaves other errors as they are', async () => {
    const error = new TypeError('ours')
    await expect(writing('a', () => Promise.reject(error))).rejects.toBe(error)
  })

  it('keeps what was there', async () => {
    const file = join(directory, 'file')
    await writeFile(file, 'old')
    const below = join(file, 'store.json')
    await expect(writeWhole(below, '{}')).rejects.toMatchObject({ code: 'store_write', path: below })
    await mkdir(join(directory, 'taken', 'inside'), { recursive: true })
    const taken = join(directory, 'taken')
    await expect(writeWhole(taken, '{}')).rejects.toMatchObject({ code: 'store_write', path: taken })
    await expect(readJsonFile(taken)).rejects.toThrow('the path is a directory')
    expect(await readFile(file, 'utf8')).toBe('old')
    expect((await readdir(directory)).sort()).toEqual(['file', 'taken'])
  })
})

describe('the option replaces', () => {
  it('accepts the version of the last write or read, or null for no file', async () => {
    const path = join(directory, 'store.json')
    const first = await writeWhole(path, '{"n": 1}', { replaces: null })
    await expect(writeWhole(path, '{}', { replaces: null })).rejects.toMatchObject({ code: 'store_changed', path })
    const { version } = await readJsonFileVersion(path)
    expect(version).toBe(first)
    const second = await writeWhole(path, ['{"n"', ': 2}'], { replaces: version })
    await expect(writeWhole(path, '{}', { replaces: first })).rejects.toMatchObject({ code: 'store_changed', path })
    await rm(path)
    await expect(writeWhole(path, '{}', { replaces: second })).rejects.toMatchObject({ code: 'store_changed', path })
    expect(await readdir(directory)).toEqual([])
  })

  it('lets one of several concurrent writers succeed', async () => {
    const path = join(directory, 'store.json')
    const version = await writeWhole(path, '{}')
    const writing = Array.from({ length: 8 }, (_, n) => writeWhole(path, `{"n": ${n}}`, { replaces: version }))
    const results = await Promise.allSettled(writing)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readJsonFile(path)).toEqual({ n: results.findIndex(({ status }) => status === 'fulfilled') })
    expect(await readdir(directory)).toEqual(['store.json'])
  })
})

describe('content that does not fit into one string', () => {
  const tooLarge = (path: string) => ({ code: 'store_too_large', path })

  it('is rejected by writeWhole, which keeps the old file', async () => {
    const path = join(directory, 'store.json')
    await writeWhole(path, '{"n": 1}')
    function* pieces() {
      for (let n = 0; ; n++) yield `${n}`.padStart(2 ** 20)
    }
    await expect(writeWhole(path, pieces())).rejects.toMatchObject(tooLarge(path))
    await expect(writeWhole(path, ['12345', '678901'], { longest: 10 })).rejects.toMatchObject(tooLarge(path))
    await writeWhole(path, ['12345', '67890'], { longest: 10 })
    expect(await readFile(path, 'utf8')).toBe('1234567890')
    expect(await readdir(directory)).toEqual(['store.json'])
  })

  it('is rejected by readJsonFile', async () => {
    const path = join(directory, 'store.json')
    const text = '["🍎🍎é"]' // 9 characters, 15 bytes
    for (const encoding of ['utf8', 'utf16le'] as const) {
      await writeFile(path, text, encoding)
      expect((await readJsonFileVersion(path, 9)).data).toEqual(['🍎🍎é'])
      await expect(readJsonFileVersion(path, 8)).rejects.toMatchObject(tooLarge(path))
    }
  })
})

describe('a temporary file of a killed process', () => {
  it('is removed by the next write if it is old and belongs to this file; other files are kept', async () => {
    const id = '123e4567-e89b-42d3-a456-426614174000'
    const hourAgo = Date.now() / 1000 - 3601
    const left = ['.store.json.notes.tmp', `.other.json.${id}.tmp`, `.storeXjson.${id}.tmp`, `store.json.${id}.tmp`]
    for (const name of [...left, `.store.json.${id}.tmp`]) {
      await writeFile(join(directory, name), 'x')
      await utimes(join(directory, name), hourAgo, hourAgo)
    }
    // Another process may be writing this file.
    const young = `.store.json.${id.replace('1', '2')}.tmp`
    await writeFile(join(directory, young), 'x')
    await writeWhole(join(directory, 'store.json'), '{}')
    expect((await readdir(directory)).sort()).toEqual([...left, young, 'store.json'].sort())
  })
})

describe('a process that is killed during a write', () => {
  it('leaves a complete file', { timeout: 30_000 }, async () => {
    const path = join(directory, 'store.json')
    const module = new URL('./json-file.ts', import.meta.url).href
    const program = `
      const { writeWhole } = await import(${JSON.stringify(module)})
      for (let n = 0; ; n++) {
        await writeWhole(${JSON.stringify(path)}, JSON.stringify({ n, fill: 'x'.repeat(2_000_000) }))
        if (n === 0) process.stdout.write('started')
      }`
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, ['--conditions=@x/source', '--input-type=module', '--eval', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, 5 + round * 7))
      child.kill('SIGKILL')
      await once(child, 'close')
      expect(await readJsonFile(path)).toMatchObject({ fill: 'x'.repeat(2_000_000) })
    }
  })
})

describe('readJsonFile', () => {
  let path: string
  beforeEach(() => {
    path = join(directory, 'store.json')
  })
  const utf16 = (text: string, { bigEndian = false } = {}) => {
    const bytes = Buffer.from(text, 'utf16le')
    return bigEndian ? bytes.swap16() : bytes
  }

  const utf32 = (text: string, { bigEndian = false } = {}) => {
    const bytes = Buffer.from(Uint32Array.from(text, (character) => character.codePointAt(0)!).buffer)
    return bigEndian ? bytes.swap32() : bytes
  }

  it('rejects missing and truncated files, and does not change them', async () => {
    await expect(readJsonFile(path)).rejects.toMatchObject({ code: 'store_read', path, byte: null })
    await writeFile(path, '{"docstore/data": {"a"')
    await expect(readJsonFile(path)).rejects.toMatchObject({ code: 'store_read', path, cause: expect.any(SyntaxError) })
    expect(await readFile(path, 'utf8')).toBe('{"docstore/data": {"a"')
    await expect(readJsonFile(directory)).rejects.toMatchObject({ code: 'store_read' })
  })

  it.each<[string, Buffer]>([
    ['UTF-8 with a byte-order mark', Buffer.from('\ufeff{"é": "🍎"}')],
    ['UTF-16', utf16('{"é": "🍎"}')],
    ['UTF-16 with a byte-order mark', utf16('\ufeff{"é": "🍎"}')],
    ['big-endian UTF-16', utf16('{"é": "🍎"}', { bigEndian: true })],
    ['big-endian UTF-16 with a byte-order mark', utf16('\ufeff{"é": "🍎"}', { bigEndian: true })],
    ['UTF-32', utf32('{"é": "🍎"}')],
    ['UTF-32 with a byte-order mark', utf32('\ufeff{"é": "🍎"}')],
    ['big-endian UTF-32', utf32('{"é": "🍎"}', { bigEndian: true })],
    ['big-endian UTF-32 with a byte-order mark', utf32('\ufeff{"é": "🍎"}', { bigEndian: true })],
  ])('reads %s', async (_, bytes) => {
    await writeFile(path, bytes)
    expect(await readJsonFile(path)).toEqual({ é: '🍎' })
  })

  it.each<[string, Buffer, number, string]>([
    ['UTF-8', Buffer.from('{"é🍎": }'), 11, 'byte 11, position 8 (line 1, column 9): expected a value, received "}"'],
    ['UTF-8 with a byte-order mark', Buffer.from('\ufeff["é" 1]'), 9, 'expected "," or "]", received "1"'],
    ['UTF-16 with a byte-order mark', utf16('\ufeff["é" 1]'), 12, 'expected "," or "]", received "1"'],
    ['UTF-32', utf32('["🍎" 1]'), 20, 'expected "," or "]", received "1"'],
    ['a torn file', Buffer.from('{"a": "b'), 8, 'expected the rest of a string, received the end of the text'],
    ['a bad byte', Buffer.from([0x5b, 0x22, 0xc3, 0xa9, 0xe4, 0x22, 0x5d]), 4, 'expected UTF-8, received 228'],
    ['a bad byte at the end', Buffer.from([0xef, 0xbb, 0xbf, 0x22, 0xf0, 0x9f]), 4, 'expected UTF-8, received 240'],
    [
      'a number that is too large',
      Buffer.from('[1e400]'),
      1,
      'expected a finite number of at most 4300 digits, received 1e400',
    ],
  ])('states the byte at which %s is not JSON', async (_, bytes, byte, reason) => {
    await writeFile(path, bytes)
    await expect(readJsonFile(path)).rejects.toMatchObject({
      code: 'store_read',
      byte,
      message: expect.stringContaining(reason),
    })
  })

  it.each<[string, Buffer, RegExp]>([
    ['UTF-16', utf16('["\ud800"]'), /is not valid UTF-16LE/],
    ['UTF-32', utf32('["x"]').subarray(0, 18), /is not valid UTF-32LE/],
    ['UTF-32 beyond the last code point', Buffer.from([0, 0, 0, 0x5b, 0, 0x11, 0, 0]), /is not valid UTF-32BE/],
  ])('rejects bytes that are not %s', async (_, bytes, reason) => {
    await writeFile(path, bytes)
    await expect(readJsonFile(path)).rejects.toThrow(reason)
  })

  it('reads a file of one digit', async () => {
    await writeFile(path, '7')
    expect(await readJsonFile(path)).toBe(7)
  })

  it('reads the infinities and NaN that Python writes, and integers beyond 2^53', async () => {
    await writeFile(path, '[NaN, Infinity, -Infinity, 12345678901234567890]')
    const infinity = Number.POSITIVE_INFINITY
    expect(await readJsonFile(path)).toEqual([Number.NaN, infinity, -infinity, 12345678901234567890n])
  })
})

describe('file lock', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lock-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('runs one function at a time, and returns its result', async () => {
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await setImmediate()
      running--
      return most
    }
    const path = join(directory, 'store.json')
    expect(await Promise.all(Array.from({ length: 10 }, () => withLock(path, work)))).toEqual(Array(10).fill(1))
    expect(await readdir(directory)).toEqual([])
  })

  it('is released after the function throws', async () => {
    const path = join(directory, 'store.json')
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withLock(path, async () => 1)).toBe(1)
  })

  it('can be taken over from a killed process', async () => {
    const lock = join(directory, '.store.json.lock')
    await writeFile(lock, '')
    const past = Date.now() / 1000 - 60
    await utimes(lock, past, past)
    expect(await Promise.all([1, 2, 3].map((n) => withLock(join(directory, 'store.json'), async () => n)))).toEqual([
      1, 2, 3,
    ])
    expect(await readdir(directory)).toEqual([])
  })

  it('throws if the directory cannot be written', async () => {
    await expect(withLock(join(directory, 'none', 'store.json'), async () => 1)).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})
