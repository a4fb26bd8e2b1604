import { InMemoryKeyValueStore } from '@x/storage'
import { describe, expect, it } from 'vitest'
import { type FileView, ownFiles, StoredFiles } from './stored-files.ts'

const texts = async (files: StoredFiles, view?: FileView) =>
  Object.fromEntries(
    await Promise.all(
      (await files.entries(view)).map(async ({ path }) => [path, (await files.find(path, view)).content]),
    ),
  )

/** A task that writes files, and knows the versions that it has written. */
function taskOf(taskId: string) {
  const view = { taskId, versions: {} as Record<string, string> }
  let count = 0
  const write = async (files: StoredFiles, path: string, text: string | ((before: string) => string)) => {
    const id = `${taskId}${++count}`
    await files.write(path, text, { id, view })
    view.versions[path] = id
    return id
  }
  return { view, write }
}

describe('the files of a root', () => {
  it('are ordered by path, and those of other roots are others', async () => {
    const store = new InMemoryKeyValueStore()
    const [ann, bob] = [new StoredFiles(store, 'ann'), new StoredFiles(store, 'bob')]
    for (const path of ['b.md', 'notes/c.md', 'a.md', 'notes.md']) await ann.write(path, path)
    await bob.write('b.md', 'of bob')
    expect((await ann.list()).map(({ path }) => path)).toEqual(['a.md', 'b.md', 'notes.md', 'notes/c.md'])
    expect((await ann.entries(undefined, './notes/')).map(({ path }) => path)).toEqual(['notes/c.md'])
    expect(await ann.read('./b.md')).toBe('b.md')
    await ann.clear()
    expect([await texts(ann), await texts(bob)]).toEqual([{}, { 'b.md': 'of bob' }])
    await bob.clear()
    expect(store.toDict()).toEqual({})
  })

  it('have paths of at most 500 characters', async () => {
    const files = new StoredFiles(new InMemoryKeyValueStore(), 'ann')
    await files.write('a'.repeat(500), 'text')
    expect(await files.read('a'.repeat(500))).toBe('text')
    await expect(files.write('a'.repeat(501), 'text')).rejects.toMatchObject({ code: 'file' })
  })

  it('keep one version of what the application writes', async () => {
    const store = new InMemoryKeyValueStore()
    const files = new StoredFiles(store)
    for (const text of ['one', 'two', 'three']) await files.write('a.md', text)
    expect(await files.list()).toEqual([{ path: 'a.md', size: 5, untrusted: false }])
    expect(JSON.stringify(store.toDict())).not.toMatch(/one|two/)
  })

  it('are untrusted if their text is, or an edited one was', async () => {
    const files = new StoredFiles(new InMemoryKeyValueStore())
    await files.write('a.md', 'mail', { untrusted: true })
    await files.write('a.md', (before) => `${before}!`)
    expect(await files.find('a.md')).toEqual({ content: 'mail!', untrusted: true })
    await files.write('a.md', 'own')
    expect(await files.find('a.md')).toEqual({ content: 'own', untrusted: false })
    await expect(files.write('b.md', (before) => before)).rejects.toThrow('it does not exist')
  })
})

describe('the versions of a task', () => {
  it('are those that its state lists: others were undone', async () => {
    const store = new InMemoryKeyValueStore()
    const files = new StoredFiles(store)
    const { view, write } = taskOf('t')
    await files.write('a.md', 'app')
    const first = await write(files, 'a.md', 'one')
    await write(files, 'a.md', (before) => `${before} two`)
    expect(await texts(files, view)).toEqual({ 'a.md': 'one two' })
    const undone = { ...view, versions: { 'a.md': first } }
    expect(await texts(files, undone)).toEqual({ 'a.md': 'one' })
    expect(await files.read('a.md')).toBe('one two')
    await files.restore('a.md', undone)
    expect(await files.read('a.md')).toBe('one')
    await files.restore('a.md', { taskId: 't', versions: {} })
    expect(await files.read('a.md')).toBe('app')
    expect(JSON.stringify(store.toDict())).not.toMatch(/one|two/)
  })

  it('are deleted if all of them are undone', async () => {
    const store = new InMemoryKeyValueStore()
    const files = new StoredFiles(store)
    await taskOf('t').write(files, 'a.md', 'one')
    await files.restore('a.md', { taskId: 't', versions: {} })
    expect(store.toDict()).toEqual({})
  })

  it('are kept for its forks when others replace them, with the version before them', async () => {
    const store = new InMemoryKeyValueStore()
    const files = new StoredFiles(store, 'r')
    const file = { root: 'r', path: 'a.md' }
    const [ann, bob] = [taskOf('ann'), taskOf('bob')]
    await files.write('a.md', 'app')
    await ann.write(files, 'a.md', 'of ann')
    await bob.write(files, 'a.md', 'of bob')
    await files.write('a.md', 'app again')
    const kept = async (taskId: string) => {
      const own = ownFiles(store, taskId)
      return Promise.all((await own.earlier(file)).map(({ id }) => own.textOf(file, id)))
    }
    expect(await kept('ann')).toEqual(['app', 'of ann'])
    expect(await kept('bob')).toEqual(['of ann', 'of bob'])
    expect(await kept('')).toEqual([])
    await bob.write(files, 'a.md', 'of bob again')
    await files.write('a.md', 'end')
    expect(await kept('bob')).toEqual(['of ann', 'of bob', 'of bob again'])
  })
})

describe('the files of a fork', () => {
  it('are those of the other tasks until it writes its own', async () => {
    const store = new InMemoryKeyValueStore()
    const [shared, fork] = [new StoredFiles(store, 'r'), new StoredFiles(store, 'r', 'f')]
    await shared.write('a.md', 'shared a')
    await shared.write('b.md', 'shared b')
    const { view, write } = taskOf('f')
    await write(fork, 'a.md', (before) => `${before} and own`)
    await shared.write('b.md', 'changed b')
    expect(await texts(fork, view)).toEqual({ 'a.md': 'shared a and own', 'b.md': 'changed b' })
    expect(await texts(shared)).toEqual({ 'a.md': 'shared a', 'b.md': 'changed b' })
    await fork.restore('a.md', { taskId: 'f', versions: {} })
    expect(await texts(fork)).toEqual({ 'a.md': 'shared a', 'b.md': 'changed b' })
  })

  it('have what its original had written until then, also if others have replaced it', async () => {
    const store = new InMemoryKeyValueStore()
    const [shared, fork] = [new StoredFiles(store), new StoredFiles(store, '', 'f')]
    const origin = taskOf('t')
    await shared.write('a.md', 'app')
    const first = await origin.write(shared, 'a.md', 'one')
    await origin.write(shared, 'a.md', 'two')
    await shared.write('a.md', 'app again')
    await fork.take('a.md', { taskId: 'f', versions: { 'a.md': first } }, 't', shared)
    expect(await fork.read('a.md')).toBe('one')
    await fork.restore('a.md', { taskId: 'f', versions: {} })
    expect(await fork.read('a.md')).toBe('app')
    expect(await shared.read('a.md')).toBe('app again')
  })

  it('lack a file that its original wrote later, and one that it never wrote is shared', async () => {
    const store = new InMemoryKeyValueStore()
    const [shared, fork] = [new StoredFiles(store), new StoredFiles(store, '', 'f')]
    await taskOf('t').write(shared, 'new.md', 'later')
    await shared.write('app.md', 'app')
    for (const path of ['new.md', 'app.md']) await fork.take(path, { taskId: 'f', versions: {} }, 't', shared)
    expect(await texts(fork)).toEqual({ 'app.md': 'app' })
    expect(await texts(shared)).toEqual({ 'app.md': 'app', 'new.md': 'later' })
  })

  it('are passed on to a fork of the fork, also if it wrote nothing itself', async () => {
    const store = new InMemoryKeyValueStore()
    const [shared, fork, second] = ['', 'f', 'g'].map((id) => new StoredFiles(store, '', id)) as [
      StoredFiles,
      StoredFiles,
      StoredFiles,
    ]
    await shared.write('a.md', 'app')
    await taskOf('t').write(shared, 'a.md', 'later')
    await fork.take('a.md', { taskId: 'f', versions: {} }, 't', shared)
    await shared.write('a.md', 'changed')
    await second.take('a.md', { taskId: 'g', versions: {} }, 'f', fork)
    expect([await fork.read('a.md'), await second.read('a.md')]).toEqual(['app', 'app'])
  })
})
