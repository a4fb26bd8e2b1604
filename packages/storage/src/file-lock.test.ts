/// <reference types="node" />
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withLock } from './file-lock.ts'

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
  await expect(withLock(join(directory, 'none', 'store.json'), async () => 1)).rejects.toMatchObject({ code: 'ENOENT' })
})
