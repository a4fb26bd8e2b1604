/// <reference types="node" />
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileTaskStore } from './file-task-store.ts'

const makeStore = async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))

it('keeps tasks apart, whatever their ids, also on file systems that ignore case', async () => {
  const store = await makeStore()
  const long = 'x'.repeat(300)
  const ids = [
    'a',
    'A',
    '',
    '..',
    '\ud800',
    '\ud801',
    '\ufffd',
    '%0041',
    'con fig/\0',
    long,
    `${long}y`,
    'ü'.repeat(60),
  ]
  ids.push(`${'x'.repeat(100)}=${'0'.repeat(64)}`)
  for (const [input, taskId] of ids.entries()) await store.save(taskId, { input })
  for (const [input, taskId] of ids.entries()) expect(await store.load(taskId)).toEqual({ input })
  const files = await readdir(store.folder)
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length)
})

it('writes and deletes in the order of the calls, and leaves no temporary file', async () => {
  const store = await makeStore()
  await Promise.all([store.save('t', { step: 1 }), store.save('t', { step: 2 })])
  expect([await store.load('t'), await readdir(store.folder)]).toEqual([{ step: 2 }, ['t.json']])
  await Promise.all([store.save('t', {}), store.delete('t')])
  expect([await store.load('t'), await readdir(store.folder)]).toEqual([null, []])
})

it('refuses a file that is not JSON, and says which', async () => {
  const store = await makeStore()
  const path = join(store.folder, 't.json')
  await writeFile(path, '{ torn')
  await expect(store.load('t')).rejects.toMatchObject({ code: 'store_read', path })
})
