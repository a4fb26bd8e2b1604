/// <reference types="node" />

import { appendFile, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileTaskStore } from '@x/storage/node'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from './saved-task.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tasks-'))
const result = (n: number, value: number): JournalEntry => ({ type: 'result', n, at: 0, step: 1, name: 'x', value })

describe('a store in files', () => {
  it('lets one of two concurrent processes append', async () => {
    const folder = await newFolder()
    for (let round = 0; round < 50; round++) {
      const [one, two] = [new FileTaskStore(folder), new FileTaskStore(folder)]
      const id = `task ${round}`
      await one.append(id, [result(0, 0)], 0)
      await two.load(id)
      const wins = await Promise.all([one.append(id, [result(1, 1)], 1), two.append(id, [result(1, 2)], 1)])
      expect(wins.filter(Boolean)).toHaveLength(1)
      expect(await two.load(id)).toEqual([result(0, 0), result(1, wins[0] ? 1 : 2)])
      const winner = wins[0] ? one : two
      expect(await winner.append(id, [result(2, 3)], 2)).toBe(true)
      expect(await (wins[0] ? two : one).append(id, [result(2, 3)], 2)).toBe(false)
    }
  })

  it('continues after an incomplete last line', async () => {
    const folder = await newFolder()
    await new FileTaskStore(folder).append('t', [result(0, 0)], 0)
    const path = join(folder, (await readdir(folder))[0]!)
    await appendFile(path, '{"r":1,"w":"x","e":[{"type":"res')
    const store = new FileTaskStore(folder)
    expect(await store.load('t')).toEqual([result(0, 0)])
    expect(await store.append('t', [result(1, 1)], 1)).toBe(true)
    expect(await store.append('t', [result(2, 2)], 2)).toBe(true)
    expect(await new FileTaskStore(folder).load('t')).toEqual([result(0, 0), result(1, 1), result(2, 2)])
  })

  it('refuses a file whose entries are missing', async () => {
    const folder = await newFolder()
    const store = new FileTaskStore(folder)
    for (let n = 0; n < 3; n++) await store.append('t', [result(n, n)], n)
    const path = join(folder, (await readdir(folder))[0]!)
    const line = (n: number) => JSON.stringify({ r: n, w: 'x', e: [result(n, n)] })
    await writeFile(path, `${line(0)}\n${line(2)}\n`)
    await expect(new FileTaskStore(folder).load('t')).rejects.toMatchObject({ code: 'store_read', path })
  })
})
