/// <reference types="node" />
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJsonFile, writeWhole } from './json-file.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'store-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('writeWhole', () => {
  it('creates directories and leaves nothing but the file', async () => {
    const path = join(directory, 'a', 'b', 'store.json')
    await writeWhole(path, '{"é": "🍎"}')
    await writeWhole(path, '{"é": "🍐"}')
    expect(await readJsonFile(path)).toEqual({ é: '🍐' })
    expect(await readdir(join(directory, 'a', 'b'))).toEqual(['store.json'])
  })

  it('leaves the old text and no temporary file when the new one cannot be put in its place', async () => {
    const path = join(directory, 'taken')
    await mkdir(join(path, 'inside'), { recursive: true })
    await expect(writeWhole(path, '{}')).rejects.toThrow()
    expect(await readdir(directory)).toEqual(['taken'])
  })

  it('gives one of the texts when several are written at once', async () => {
    const path = join(directory, 'store.json')
    const texts = Array.from({ length: 10 }, (_, n) => JSON.stringify({ n, fill: 'x'.repeat(50_000) }))
    await Promise.all(texts.map((text) => writeWhole(path, text)))
    expect(texts).toContain(await readFile(path, 'utf8'))
    expect(await readdir(directory)).toEqual(['store.json'])
  })
})

describe('what a killed process left behind', () => {
  it('goes with the next writing when it is old and ours, and nothing else does', async () => {
    const id = '123e4567-e89b-42d3-a456-426614174000'
    const hourAgo = Date.now() / 1000 - 3601
    const left = ['.store.json.notes.tmp', `.other.json.${id}.tmp`, `.storeXjson.${id}.tmp`, `store.json.${id}.tmp`]
    for (const name of [...left, `.store.json.${id}.tmp`]) {
      await writeFile(join(directory, name), 'x')
      await utimes(join(directory, name), hourAgo, hourAgo)
    }
    // A process may be writing this one just now.
    const young = `.store.json.${id.replace('1', '2')}.tmp`
    await writeFile(join(directory, young), 'x')
    await writeWhole(join(directory, 'store.json'), '{}')
    expect((await readdir(directory)).sort()).toEqual([...left, young, 'store.json'].sort())
  })
})

describe('a process that is killed while it writes', () => {
  it('leaves a whole file', { timeout: 30_000 }, async () => {
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
  it('tells a missing file from a torn one, and leaves it untouched', async () => {
    const path = join(directory, 'store.json')
    await expect(readJsonFile(path)).rejects.toMatchObject({ code: 'store_read', path })
    await writeFile(path, '{"docstore/data": {"a"')
    await expect(readJsonFile(path)).rejects.toMatchObject({ code: 'store_read', path, cause: expect.any(SyntaxError) })
    expect(await readFile(path, 'utf8')).toBe('{"docstore/data": {"a"')
    await expect(readJsonFile(directory)).rejects.toMatchObject({ code: 'store_read' })
  })
})
