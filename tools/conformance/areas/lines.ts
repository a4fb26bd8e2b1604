/** The cases of `lines.json`: folders that real releases of LlamaIndex for Python wrote. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileChatStore, StorageFolder } from '@x/storage/node'
import { defineArea } from '../case.ts'
import { writeSamples } from '../sample-folders.ts'

const samples = writeSamples()

/** Reads the folder of a release and writes it again. Returns the names of the files that have the same bytes. */
async function rewritten({ release }: { release: string }): Promise<string[]> {
  const sample = join(samples, release)
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'))
  try {
    await (await StorageFolder.read(sample)).write(directory)
    const chats = await FileChatStore.fromPersistPath(join(sample, 'chat_store.json'))
    await chats.persist(join(directory, 'chat_store.json'))
    const same: string[] = []
    for (const name of (await readdir(sample)).sort()) {
      const [one, other] = await Promise.all([sample, directory].map((at) => readFile(join(at, name))))
      if (one!.equals(other!)) same.push(name)
    }
    return same
  } finally {
    await rm(directory, { recursive: true })
  }
}

export const area = defineArea([{ 'sample.rewrite': rewritten }])
