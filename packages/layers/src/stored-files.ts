/**
 * @module
 * Files in a key-value store, with their versions.
 */
import type { KeyValueOperations, KeyValueStore, StoredValue } from '@x/storage'
import { FileError } from './errors.ts'
import { pathInside } from './paths.ts'

/** A file in a list. */
export interface FileEntry {
  /** Relative to the root, such as `notes/plan.md`. */
  path: string
  /** The length of the text, in characters. */
  size: number
  /** Whether the text comes from outside, or was written by a model that had read such text. */
  untrusted: boolean
}

interface Version extends Omit<FileEntry, 'path'> {
  id: string
  /** The task that wrote it; empty for the application. */
  by: string
}

/** The files as a task sees them: of its own versions, those that its state lists. @internal */
export interface FileView {
  taskId: string
  versions: Readonly<Record<string, string>>
}

/**
 * The files of one root in a store, for the application: to list, read and write what agents see. Roots share nothing.
 * @example
 * import { InMemoryKeyValueStore } from '@x/storage'
 * const drive = new StoredFiles(new InMemoryKeyValueStore(), 'ann')
 * await drive.write('notes/plan.md', 'Buy pears.')
 * await drive.read('notes/./plan.md') // => 'Buy pears.'
 * await drive.list() // => [{ path: 'notes/plan.md', size: 10, untrusted: false }]
 */
export class StoredFiles {
  private readonly store: KeyValueStore
  private readonly heads: string
  private readonly texts: string

  /** @param root - names the files, such as the id of a user or of a conversation. */
  constructor(store: KeyValueStore, root = '') {
    this.store = store
    this.heads = JSON.stringify(['files', root])
    this.texts = JSON.stringify(['texts of files', root])
  }

  /** Returns the files, ordered by path. */
  list(): Promise<FileEntry[]> {
    return this.entries()
  }

  /** Returns the text of a file. @throws {FileError} if it does not exist, or the path is not valid. */
  async read(path: string): Promise<string> {
    return (await this.find(path)).text
  }

  /** Returns the files as a task sees them, or those below a folder. @internal */
  async entries(view?: FileView, folder = ''): Promise<FileEntry[]> {
    const start = folder.split('/').filter((part) => part !== '' && part !== '.')
    const prefix = [...start, ''].join('/')
    const heads = Object.entries(await this.store.getAll(this.heads))
    const entries = heads.flatMap(([path, head]) => {
      if (!path.startsWith(prefix)) return []
      const version = chainOf(head, path, view).at(-1)
      return version ? [{ path, size: version.size, untrusted: version.untrusted }] : []
    })
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Returns a file as a task sees it. @internal */
  async find(path: string, view?: FileView): Promise<{ text: string; untrusted: boolean }> {
    const own = pathInside(path)
    const version = chainOf(await this.store.get(own, this.heads), own, view).at(-1)
    const found = version && (await this.store.get(keyOf(own, version.id), this.texts))
    if (!found) throw new FileError(path, 'it does not exist')
    return { text: found['text'] as string, untrusted: version.untrusted }
  }

  /**
   * Writes a text, or replaces it. Returns the path.
   * @param options.untrusted - whether the text comes from outside, such as a mail. @defaultValue false
   * @throws {FileError} if the path is not valid.
   */
  write(
    path: string,
    text: string | ((before: string) => string),
    { untrusted = false }: { untrusted?: boolean } = {},
  ): Promise<string> {
    return this.writeAs(path, text, { untrusted })
  }

  /** Writes a text for a task. @internal */
  async writeAs(
    path: string,
    text: string | ((before: string) => string),
    { untrusted = false, id, view }: { untrusted?: boolean; id?: string; view?: FileView },
  ): Promise<string> {
    const own = pathInside(path)
    const by = view?.taskId ?? ''
    const write = async (store: KeyValueOperations) => {
      const head = await store.get(own, this.heads)
      const chain = chainOf(head, own, view)
      const last = chain.at(-1)
      const before = last && (await store.get(keyOf(own, last.id), this.texts))
      if (typeof text === 'function' && !before) throw new FileError(path, 'it does not exist')
      const after = typeof text === 'function' ? text(before!['text'] as string) : text
      const isOutside = untrusted || (typeof text === 'function' && last!.untrusted)
      const version = { id: id ?? globalThis.crypto.randomUUID(), by, size: after.length, untrusted: isOutside }
      // What the task may undo, and the version before it.
      const base = chain.findLastIndex((one) => one.by !== by)
      const kept = [...chain.slice(Math.max(0, base)), version]
      await store.put(keyOf(own, version.id), { text: after }, this.texts)
      await store.put(own, { versions: kept }, this.heads)
      const gone = versionsOf(head).filter((one) => !kept.some((other) => other.id === one.id))
      await store.deleteMany(
        gone.map((one) => keyOf(own, one.id)),
        this.texts,
      )
    }
    await (this.store.transaction ? this.store.transaction(write) : write(this.store))
    return own
  }
}

const keyOf = (path: string, id: string) => `${path}\n${id}`
const versionsOf = (head: StoredValue | null) => (head?.['versions'] ?? []) as readonly Version[]

/** Returns the versions of a file, newest last, without those of the task that were undone or belong to a step that is repeated. */
function chainOf(head: StoredValue | null, path: string, view: FileView | undefined): readonly Version[] {
  const versions = versionsOf(head)
  const listed = view?.versions[path]
  let end = versions.length
  while (view && end > 0 && versions[end - 1]!.by === view.taskId && versions[end - 1]!.id !== listed) end--
  return versions.slice(0, end)
}
