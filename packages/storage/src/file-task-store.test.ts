/// <reference types="node" />
import { appendFile, mkdir, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FileTaskStore } from './file-task-store.ts'

const makeStore = async () => new FileTaskStore(await mkdtemp(join(tmpdir(), 'tasks-')))

it('stores tasks with any ids separately, even on file systems that ignore case', async () => {
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
  for (const [input, taskId] of ids.entries()) await store.append(taskId, [{ input }], 0)
  for (const [input, taskId] of ids.entries()) expect(await store.load(taskId)).toEqual([{ input }])
  const files = await readdir(store.folder)
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(ids.length)
})

it('appends and deletes in the order of the calls', async () => {
  const store = await makeStore()
  const appended = await Promise.all([store.append('t', [{ step: 1 }], 0), store.append('t', [{ step: 2 }], 1)])
  expect([appended, await store.load('t')]).toEqual([
    [true, true],
    [{ step: 1 }, { step: 2 }],
  ])
  expect(await readdir(store.folder)).toEqual(['t.jsonl'])
  await Promise.all([store.append('t', [{}], 2), store.delete('t')])
  expect([await store.load('t'), await readdir(store.folder)]).toEqual([null, []])
})

it('stores nothing if the revision differs', async () => {
  const store = await makeStore()
  await store.append('t', [{ step: 1 }, { step: 2 }], 0)
  const again = new FileTaskStore(store.folder)
  expect(await again.append('t', [{ step: 2 }], 1)).toBe(false)
  expect(await again.append('t', [{ step: 3 }], 2)).toBe(true)
  expect(await store.append('t', [{ step: 3 }], 2)).toBe(false)
  expect(await store.load('t')).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }])
  await again.delete('t')
  expect(await store.append('t', [{ step: 4 }], 3)).toBe(false)
  expect(await store.append('t', [{ step: 1 }], 0)).toBe(true)
})

it('does not read a journal again that no other process has written', async () => {
  const store = await makeStore()
  await store.append('t', [{ step: 1 }, { step: 2 }], 0)
  await store.append('t', [{ step: 3 }], 2)
  const path = join(store.folder, 't.jsonl')
  const { size } = await stat(path)
  await writeFile(path, '-'.repeat(size))
  expect(await store.append('t', [{ step: 4 }], 3)).toBe(true)
  await writeFile(path, '-'.repeat(size))
  await expect(store.append('t', [{ step: 4 }], 3)).rejects.toMatchObject({ code: 'store_read' })
})

it('makes its folder, and lists nothing before', async () => {
  const store = new FileTaskStore(join(await mkdtemp(join(tmpdir(), 'tasks-')), 'a', 'b'))
  expect(await store.list()).toEqual([])
  expect(await store.append('t', [{ step: 1 }], 0)).toBe(true)
  expect(await store.load('t')).toEqual([{ step: 1 }])
})

it('says which of the processes that write at the same time has written', async () => {
  for (let round = 0; round < 10; round++) {
    const { folder } = await makeStore()
    const stores = Array.from({ length: 4 }, () => new FileTaskStore(folder))
    const wrote = await Promise.all(stores.map((store, by) => store.append('t', [{ by }], 0)))
    expect(await stores[0]!.load('t')).toEqual([{ by: wrote.indexOf(true) }])
    expect(wrote.filter(Boolean)).toHaveLength(1)
  }
})

it('lists the tasks that a worker has to run', async () => {
  const store = await makeStore()
  const task = (taskId: string) => ({ task: { task: { task_id: taskId } } })
  await store.append('runs', [{ type: 'submitted', ...task('runs') }], 0)
  await store.append('waits', [{ type: 'submitted', ...task('waits') }, { type: 'waiting' }], 0)
  await store.append('none', [{ type: 'other' }], 0)
  const listed = async (filter: object) => (await store.list(filter)).map(({ taskId }) => taskId).sort()
  expect(await listed({})).toEqual(['runs', 'waits'])
  expect(await listed({ active: true })).toEqual(['runs'])
})

it('skips lines that are not entries', async () => {
  const store = await makeStore()
  await store.append('t', [{ step: 1 }], 0)
  await appendFile(join(store.folder, 't.jsonl'), '{"r":1}\n{"e":[{"step":9}]}\nnull\n')
  expect(await new FileTaskStore(store.folder).load('t')).toEqual([{ step: 1 }])
})

it('ignores an incomplete last line', async () => {
  const store = await makeStore()
  await store.append('t', [{ step: 1 }], 0)
  const path = join(store.folder, 't.jsonl')
  await appendFile(path, '{"r":1,"w":"x","e":[{"st')
  const again = new FileTaskStore(store.folder)
  expect(await again.load('t')).toEqual([{ step: 1 }])
  expect(await again.append('t', [{ step: 2 }], 1)).toBe(true)
  expect(await again.load('t')).toEqual([{ step: 1 }, { step: 2 }])
  await writeFile(path, '{"r":0,"w"')
  expect(await new FileTaskStore(store.folder).load('t')).toBeNull()
})

it('uses the first of two lines that processes wrote at the same revision', async () => {
  const store = await makeStore()
  await store.append('t', [{ step: 1 }], 0)
  const line = (step: number) => `${JSON.stringify({ r: 1, w: 'x', e: [{ step }] })}\n`
  await appendFile(join(store.folder, 't.jsonl'), line(2) + line(3))
  expect(await store.load('t')).toEqual([{ step: 1 }, { step: 2 }])
})

it('lists what other processes wrote and deleted, and reads only the files that have changed', async () => {
  const store = await makeStore()
  const other = new FileTaskStore(store.folder)
  const begin = (taskId: string) =>
    other.append(taskId, [{ type: 'task', n: 0, task: { task: { task_id: taskId } } }], 0)
  const listed = async () => (await store.list({ unfinished: true })).map(({ taskId, revision }) => [taskId, revision])
  for (const taskId of ['a', 'b', 'c']) await begin(taskId)
  expect(await listed()).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  await other.append('a', [{ type: 'finalized' }], 1)
  await other.append('b', [{ type: 'undo' }], 1)
  await other.delete('c')
  expect(await listed()).toEqual([['b', 2]])
  await other.delete('a')
  await begin('a')
  expect(new Set(await listed())).toEqual(
    new Set([
      ['a', 1],
      ['b', 2],
    ]),
  )
  // The same size and time: the file counts as unchanged, and its content is not read.
  const path = join(store.folder, (await readdir(store.folder)).find((name) => name.startsWith('b'))!)
  const { size, atime, mtime } = await stat(path)
  await utimes(path, atime, new Date(1e12))
  await listed()
  await writeFile(path, 'x'.repeat(size))
  await utimes(path, atime, new Date(1e12))
  expect((await listed()).length).toBe(2)
  await utimes(path, atime, mtime)
  expect(await listed()).toContainEqual(['b', 0])
})

it('lists tasks', async () => {
  const store = await makeStore()
  expect(await new FileTaskStore(join(store.folder, 'none')).list()).toEqual([])
  const first = (task_id: string, conversation_id: string | null) => ({
    type: 'task',
    task: { task: { task_id }, conversation_id },
  })
  await store.append('a', [first('a', 'ann'), { type: 'finalized' }], 0)
  await store.append('b', [first('b', null)], 0)
  const a = { taskId: 'a', conversationId: 'ann', isFinished: true, revision: 2 }
  const b = { taskId: 'b', conversationId: null, isFinished: false, revision: 1 }
  expect(await store.list()).toEqual([a, b])
  expect(await store.list({ unfinished: true })).toEqual([b])
  expect(await store.list({ conversationId: 'ann' })).toEqual([a])
})

it('rejects a file that is not a journal or lacks entries, and names the file', async () => {
  const store = await makeStore()
  const path = join(store.folder, 't.jsonl')
  await writeFile(path, '{ torn')
  await expect(store.load('t')).rejects.toMatchObject({ code: 'store_read', path })
  await writeFile(path, '{"r":1,"w":"x","e":[1]}\n')
  await expect(store.load('t')).rejects.toMatchObject({
    code: 'store_read',
    path,
    message: expect.stringContaining('line 1'),
  })
  await expect(new FileTaskStore(path).load('t')).rejects.toMatchObject({ code: 'store_read' })
})

it('keeps the blobs of tasks as files that they share, until the last of them is deleted', async () => {
  const store = await makeStore()
  const shared = () => readdir(join(store.folder, 'blobs'))
  const blobs = new Map([
    ['aa', '"one"'],
    ['bb', '"two"'],
  ])
  await store.blobs.put('t', blobs)
  await store.blobs.put('t', blobs)
  await new FileTaskStore(store.folder).blobs.put('u', new Map([['aa', '"one"']]))
  expect((await stat(join(store.folder, 'blobs', 'aa'))).nlink).toBe(3)
  expect(await store.blobs.get('t', ['aa', 'bb', 'cc'])).toEqual(blobs)
  expect(await store.blobs.get('u', ['aa', 'bb'])).toEqual(new Map([['aa', '"one"']]))
  await store.delete('t')
  expect([await shared(), await store.blobs.get('t', ['aa'])]).toEqual([['aa'], new Map()])
  await store.delete('u')
  await store.delete('u')
  expect(await shared()).toEqual([])
})

it('refuses a blob that cannot be read, and stores one that has no second name', async () => {
  const store = await makeStore()
  // The name of the shared file is taken.
  await mkdir(join(store.folder, 'blobs', 'aa'), { recursive: true })
  await store.blobs.put('t', new Map([['aa', '"one"']]))
  expect(await store.blobs.get('t', ['aa'])).toEqual(new Map([['aa', '"one"']]))
  const path = join(store.folder, 't.blobs', 'bb')
  await mkdir(path)
  await expect(store.blobs.get('t', ['bb'])).rejects.toMatchObject({ code: 'store_read', path })
})

it('refuses a hash of a blob that is a path', async () => {
  const store = new FileTaskStore(await mkdtemp(join(tmpdir(), 'blobs-')))
  for (const hash of ['../../x', '..', '/etc/passwd', 'AA', '']) {
    await expect(store.blobs.put('t', new Map([[hash, '1']]))).rejects.toMatchObject({ code: 'model_validation' })
    await expect(store.blobs.get('t', [hash])).rejects.toMatchObject({ code: 'model_validation' })
  }
})

it.each([undefined, 5, {}])('refuses %j as id of a task', async (id) => {
  const store = new FileTaskStore(await mkdtemp(join(tmpdir(), 'ids-')))
  for (const call of [
    () => store.load(id as never),
    () => store.append(id as never, [{}], 0),
    () => store.delete(id as never),
  ])
    await expect((async () => call())()).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining('taskId: expected a string, received '),
    })
  await expect((async () => store.append('t', {} as never, 0))()).rejects.toMatchObject({ code: 'model_validation' })
})
