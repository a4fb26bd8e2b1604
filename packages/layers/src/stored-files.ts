/**
 * @module
 * Files in a key-value store, with their versions.
 */
import type { KeyValueOperations, KeyValueStore, StoredValue } from '@x/storage'
import { FileError } from './errors.ts'

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

/** Options of the method `write`. */
interface WriteOptions {
  untrusted?: boolean | undefined
  /** Of the version. @internal */
  id?: string | undefined
  /** @internal */
  view?: FileView | undefined
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
    return (await this.find(path)).content
  }

  /** Returns the files as a task sees them, or those below a folder. @internal */
  async entries(view?: FileView, folder = ''): Promise<FileEntry[]> {
    const prefix = [...partsOf(folder), ''].join('/')
    const entries = Object.entries(await this.store.getAll(this.heads)).flatMap(([path, head]) => {
      const version = path.startsWith(prefix) && versionsIn(head, path, view).at(-1)
      return version ? [{ path, size: version.size, untrusted: version.untrusted }] : []
    })
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Returns a file as a task sees it. @internal */
  async find(given: string, view?: FileView): Promise<{ content: string; untrusted: boolean }> {
    const path = pathInside(given)
    const version = versionsIn(await this.store.get(path, this.heads), path, view).at(-1)
    return { content: await this.textIn(this.store, path, version), untrusted: version?.untrusted === true }
  }

  /**
   * Writes a text, or replaces it. Returns the path.
   * @param options.untrusted - whether the text comes from outside, such as a mail. @defaultValue false
   * @throws {FileError} if the path is not valid.
   */
  async write(given: string, text: string | ((before: string) => string), options: WriteOptions = {}): Promise<string> {
    const { untrusted = false, id = globalThis.crypto.randomUUID(), view } = options
    const path = pathInside(given)
    const { heads, texts } = this
    const by = view?.taskId ?? ''
    const write = async (store: KeyValueOperations) => {
      const head = await store.get(path, heads)
      const known = versionsIn(head, path, view)
      const last = known.at(-1)
      const isEdit = typeof text === 'function'
      const after = isEdit ? text(await this.textIn(store, path, last)) : text
      const version = { id, by, size: after.length, untrusted: untrusted || (isEdit && last!.untrusted) }
      // What the task may undo, and the version before it.
      const kept = [
        ...known.slice(
          Math.max(
            0,
            known.findLastIndex((one) => one.by !== by),
          ),
        ),
        version,
      ]
      await store.put(keyOf(path, id), { text: after }, texts)
      await store.put(path, { versions: kept }, heads)
      const gone = versionsIn(head, path).filter((one) => kept.every((other) => other.id !== one.id))
      await store.deleteMany(
        gone.map((one) => keyOf(path, one.id)),
        texts,
      )
    }
    await (this.store.transaction?.(write) ?? write(this.store))
    return path
  }

  private async textIn(store: KeyValueOperations, path: string, version: Version | undefined): Promise<string> {
    const found = version && (await store.get(keyOf(path, version.id), this.texts))
    if (!found) throw new FileError(path, 'it does not exist')
    return found['text'] as string
  }
}

const keyOf = (path: string, id: string) => `${path}\n${id}`
const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.')

/** Returns the versions of a file, newest last, without those of the task that were undone or belong to a step that is repeated. */
function versionsIn(head: StoredValue | null, path: string, view?: FileView): readonly Version[] {
  const versions = (head?.['versions'] ?? []) as readonly Version[]
  const end = versions.findLastIndex(({ by, id }) => by !== view?.taskId || id === view.versions[path])
  return versions.slice(0, end + 1)
}

/**
 * Returns a path relative to its root, without `.` and empty parts.
 * @throws {FileError} if the path is absolute or leaves the root, or has characters that file systems read as something else.
 */
export function pathInside(given: string): string {
  const parts = partsOf(given.normalize('NFC'))
  const outside = parts.find((part) => /^\.\.|^__proto__$/.test(part))
  const problem = /^\/|^[A-Za-z]:/.test(given)
    ? 'expected a path relative to the root, such as "notes/plan.md"'
    : /[\\\p{Cc}]/u.test(given)
      ? 'expected a path without backslashes and control characters'
      : parts.length === 0 || given.length > 500
        ? 'expected a path of 1 to 500 characters'
        : outside && `a part of a path must not be "${outside}"`
  if (problem) throw new FileError(given, problem)
  return parts.join('/')
}
