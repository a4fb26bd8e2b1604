import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileKeyValueStore } from './node.ts'

const newPath = async () => join(await mkdtemp(join(tmpdir(), 'values-')), 'values.json')

describe('FileKeyValueStore', () => {
  it('keeps what it wrote, for other objects too', async () => {
    const path = await newPath()
    const value = { b: 1, a: 2n ** 70n, c: 'a\u0000b' }
    await new FileKeyValueStore(path).putAll([
      ['__proto__', value],
      ['gone', {}],
    ])
    const store = new FileKeyValueStore(path)
    expect(await store.delete('gone')).toBe(true)
    expect(await store.getMany(['__proto__', 'gone'])).toEqual([value, null])
    expect(Object.keys(await store.getAll())).toEqual(['__proto__'])
    await store.deleteMany(['__proto__'])
    expect(await store.get('__proto__')).toBeNull()
  })

  it('undoes a transaction that fails', async () => {
    const store = new FileKeyValueStore(await newPath())
    const failing = store.transaction(async (inside) => {
      await inside.put('a', { n: 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.get('a')).toBeNull()
  })

  it('writes nothing for a value that has no JSON form', async () => {
    const store = new FileKeyValueStore(await newPath())
    await store.put('a', { n: 1 })
    await expect(store.put('b', { n: Number.NaN })).rejects.toMatchObject({ code: 'serialization' })
    await store.put('c', { n: 2 }, 'other')
    expect([await store.getAll(), await store.getAll('other')]).toEqual([{ a: { n: 1 } }, { c: { n: 2 } }])
  })

  it('takes turns with other writers of the file', async () => {
    const path = await newPath()
    const stores = [new FileKeyValueStore(path), new FileKeyValueStore(path)]
    const add = (store: FileKeyValueStore) =>
      store.transaction(async (inside) => inside.put('n', { n: Number((await inside.get('n'))?.['n'] ?? 0) + 1 }))
    await Promise.all(Array.from({ length: 10 }, (_, i) => add(stores[i % 2]!)))
    expect(await stores[0]!.get('n')).toEqual({ n: 10 })
  })

  it.each([
    'null',
    '5',
    '"text"',
    '[]',
    '[1]',
    '{"data": 5}',
    '{"data": []}',
    '{"data": {"a": 5}}',
    '{"data": {"a": null}}',
    '{"docstore/metadata": {"a": {"doc_hash": "h"}}}',
    '{"format": "key-value store", "collections": {"data": {"a": 5}}}',
    '{"format": "key-value store"}',
  ])('refuses the JSON %s, which is not a store', async (text) => {
    const path = await newPath()
    await writeFile(path, text)
    const store = new FileKeyValueStore(path)
    const refused = { code: 'store_read', path, message: expect.stringContaining('key-value store') }
    await expect(store.get('a')).rejects.toMatchObject(refused)
    await expect(store.put('b', {})).rejects.toMatchObject(refused)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('refuses a file that is not a store', async () => {
    const path = await newPath()
    await writeFile(path, '{"data":')
    const damaged = {
      code: 'store_read',
      path,
      message: expect.stringMatching(/byte 8, .*; restore a copy of the file, or move it away/),
    }
    await expect(new FileKeyValueStore(path).get('a')).rejects.toMatchObject(damaged)
    await expect(new FileKeyValueStore(path).put('a', {})).rejects.toMatchObject(damaged)
    await expect(new FileKeyValueStore(path).delete('a')).rejects.toMatchObject(damaged)
    expect(await readFile(path, 'utf8')).toBe('{"data":')
  })
})
