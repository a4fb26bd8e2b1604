import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileKeyValueStore } from './node.ts'
import { keyValueStoreChecks } from './testing.ts'

const newPath = async () => join(await mkdtemp(join(tmpdir(), 'values-')), 'values.json')

describe('FileKeyValueStore', () => {
  for (const { name, run } of keyValueStoreChecks(async () => new FileKeyValueStore(await newPath()))) it(name, run)

  it('takes turns with other writers of the file', async () => {
    const path = await newPath()
    const stores = [new FileKeyValueStore(path), new FileKeyValueStore(path)]
    const add = (store: FileKeyValueStore) =>
      store.transaction(async (inside) => inside.put('n', { n: Number((await inside.get('n'))?.['n'] ?? 0) + 1 }))
    await Promise.all(Array.from({ length: 10 }, (_, i) => add(stores[i % 2]!)))
    expect(await stores[0]!.get('n')).toEqual({ n: 10 })
  })

  it('refuses a file that is not a store', async () => {
    const path = await newPath()
    await writeFile(path, '{"data":')
    await expect(new FileKeyValueStore(path).get('a')).rejects.toMatchObject({ code: 'store_read' })
    await expect(new FileKeyValueStore(path).put('a', {})).rejects.toMatchObject({ code: 'store_read' })
    expect(await readFile(path, 'utf8')).toBe('{"data":')
  })
})
