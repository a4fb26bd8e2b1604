/**
 * @module
 * Files in a key-value store, with their versions.
 */
import { checkGiven, text as string } from '@x/core/options'
import type { KeyValueOperations, KeyValueStore, StoredValue } from '@x/storage'
import { FileError } from './errors.ts'
import { clearAll } from './steady-store.ts'

/** A file in a list. */
export interface FileEntry {
  /** Relative to the root, such as `notes/plan.md`. */
  path: string
  /** The length of the text, in characters. */
  size: number
  /** Whether the text comes from outside, or was written by a model that had read such text. */
  untrusted: boolean
  /** The task that wrote the text; absent if the application did. */
  by?: string
}

/** The files as a task sees them: of its own versions, those that its state lists. @internal */
export interface FileView {
  taskId: string
  versions: Readonly<Record<string, string>>
}

/** Versions of a file. */
interface FoundVersions {
  versions: readonly Version[]
  files: StoredFiles
  stored: readonly Version[]
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
  private readonly root: string
  private readonly heads: string
  private readonly texts: string
  /** Of a fork: the files that it shares with the other tasks. */
  private readonly shared: StoredFiles | undefined

  /**
   * @param root - names the files, such as the id of a user or of a conversation.
   * @param fork - the id of a task that was forked: its own versions of the files. @defaultValue '', those of all other tasks
   */
  constructor(store: KeyValueStore, root = '', fork = '') {
    const names = fork === '' ? [root] : [root, fork]
    this.store = store
    this.root = root
    this.heads = JSON.stringify(['files', ...names])
    this.texts = JSON.stringify(['texts of files', ...names])
    this.shared = fork === '' ? undefined : new StoredFiles(store, root)
  }

  /** Returns the text of a file. @throws {FileError} if it does not exist, or the path is not valid. */
  async read(path: string): Promise<string> {
    return (await this.find(path)).content
  }

  /** Returns the files, ordered by path. */
  list(): Promise<FileEntry[]> {
    return this.entries()
  }

  /** Returns the files as a task sees them, or those below a folder. @internal */
  async entries(view?: FileView, folder = ''): Promise<FileEntry[]> {
    const prefix = [...partsOf(folder), ''].join('/')
    const found = new Map((await this.shared?.entries(undefined, folder))?.map((entry) => [entry.path, entry]))
    for (const [path, head] of Object.entries(await this.store.getAll(this.heads))) {
      const version = path.startsWith(prefix) && versionsIn(head, path, view).at(-1)
      if (!version) continue
      const { by, size, untrusted } = version
      if (version.isMissing) found.delete(path)
      else found.set(path, { path, size, untrusted, ...(by !== '' && { by }) })
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Returns a file as a task sees it. @internal */
  async find(given: string, view?: FileView): Promise<{ content: string; untrusted: boolean }> {
    const path = pathInside(given)
    const { versions, files } = await this.versionsOf(this.store, path, view)
    const last = versions.at(-1)
    return { content: await files.textIn(this.store, path, last), untrusted: last?.untrusted === true }
  }

  /**
   * Writes a file, or replaces its content. Returns the path.
   * @param options.untrusted - whether the text comes from outside, such as a mail. @defaultValue false
   * @throws {FileError} if the path is not valid.
   */
  async write(given: string, text: string | ((before: string) => string), options: WriteOptions = {}): Promise<string> {
    const { untrusted = false, id = globalThis.crypto.randomUUID(), view } = options
    const path = pathInside(given)
    const by = view?.taskId ?? ''
    await this.change(async (store) => {
      const { versions: known, files, stored } = await this.versionsOf(store, path, view)
      const last = known.at(-1)
      const isEdit = typeof text === 'function'
      const after = isEdit ? text(await files.textIn(store, path, last)) : text
      const version = { id, by, size: after.length, untrusted: untrusted || (isEdit && last!.untrusted) }
      // What the task may undo, and the version before it. The application undoes nothing.
      const before =
        by === ''
          ? known.length
          : Math.max(
              0,
              known.findLastIndex((one) => one.by !== by),
            )
      if (files === this) await this.keepForForks(store, path, known, before)
      const kept = files === this ? known.slice(before) : []
      await store.put(keyOf(path, id), { text: after }, this.texts)
      await this.keep(store, path, stored, [...kept, version])
    })
    return path
  }

  /** Removes the last versions of a file that a task has undone. @internal */
  async restore(path: string, view: FileView): Promise<void> {
    await this.change(async (store) => {
      const { versions, files, stored } = await this.versionsOf(store, path, view)
      const kept = files === this ? versions : []
      if (kept.length < stored.length) await this.keep(store, path, stored, kept)
    })
  }

  /**
   * Makes a file that a task has written a file of its fork, as the task had written it last, with the versions of which the fork may undo
   * steps. @internal
   */
  async take(path: string, { taskId: by, versions }: FileView, origin: string, from: StoredFiles): Promise<void> {
    await this.change(async (store) => {
      const { versions: known, files } = await from.versionsOf(store, path)
      const [own, file] = [ownFiles(store, origin), { root: this.root, path }]
      const all = [...(await own.earlier(file)), ...(files === from ? known : [])]
      const first = all.findIndex((one) => one.by === origin)
      // What it wrote was undone. The files of a fork are not those of others then either.
      if (first < 0 && !(from.shared && all.length > 0)) return
      const written = all.filter((one) => one.by === origin)
      const last = written.findLastIndex(({ id }) => id === versions[path])
      const before = all[first < 0 ? all.length - 1 : first - 1]
      const taken = [before ?? MISSING, ...written.slice(0, last + 1)]
      for (const one of taken) {
        if (one.isMissing) continue
        const text = (await own.textOf(file, one.id)) ?? (await from.textIn(store, path, one))
        await store.put(keyOf(path, one.id), { text }, this.texts)
      }
      const mine = taken.map((one) => (one.by === origin ? { ...one, by } : one))
      await this.keep(store, path, [], mine)
    })
  }

  /**
   * Keeps versions of tasks that are replaced, and those before their first ones. @param end - the number of versions that are replaced.
   */
  private async keepForForks(store: KeyValueOperations, path: string, known: readonly Version[], end: number) {
    const file = { root: this.root, path }
    const keep = async (version: Version, taskId: string) => {
      if (taskId !== '' && !version.isMissing)
        await ownFiles(store, taskId).keep(file, version, await this.textIn(store, path, version))
    }
    for (const [i, version] of known.slice(0, end).entries()) {
      await keep(version, version.by)
      const { by } = known[i + 1] ?? version
      if (by !== version.by && by !== '' && (await ownFiles(store, by).earlier(file)).length === 0)
        await keep(version, by)
    }
  }

  /** Deletes all files. @internal */
  async clear(): Promise<void> {
    await clearAll(this.store, this.heads, this.texts)
  }

  private async change(write: (store: KeyValueOperations) => Promise<void>): Promise<void> {
    await (this.store.transaction?.(write) ?? write(this.store))
  }

  /** Returns the versions of a file that a task sees, where they are, and all that are stored here. */
  private async versionsOf(store: KeyValueOperations, path: string, view?: FileView): Promise<FoundVersions> {
    const head = await store.get(path, this.heads)
    const [versions, stored] = [versionsIn(head, path, view), versionsIn(head, path)]
    if (versions.length > 0 || !this.shared) return { versions, files: this, stored }
    return { ...(await this.shared.versionsOf(store, path)), stored }
  }

  /** Replaces the stored versions of a file, and deletes the contents of the others. */
  private async keep(
    store: KeyValueOperations,
    path: string,
    stored: readonly Version[],
    kept: readonly Version[],
  ): Promise<void> {
    if (kept.length > 0) await store.put(path, { versions: kept }, this.heads)
    else await store.delete(path, this.heads)
    const gone = stored.filter((one) => kept.every((other) => other.id !== one.id))
    await store.deleteMany(
      gone.map((one) => keyOf(path, one.id)),
      this.texts,
    )
  }

  private async textIn(
    store: KeyValueOperations,
    path: string,
    version: Pick<Version, 'id'> | undefined,
  ): Promise<string> {
    const found = version && (await store.get(keyOf(path, version.id), this.texts))
    if (!found) throw new FileError(path, 'it does not exist')
    return found['text'] as string
  }
}

/** Stands in the files of a fork for a file that did not exist. */
const MISSING: Version = { id: '', by: '', size: 0, untrusted: false, isMissing: true }

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
  checkGiven('StoredFiles', { path: given }, string)
  const parts = partsOf(given.normalize('NFC'))
  const isOutside = /^\/|^[A-Za-z]:|[\\\p{Cc}]/u.test(given) || parts.some((part) => /^\.\.|^__proto__$/.test(part))
  if (isOutside || parts.length === 0 || given.length > 500)
    throw new FileError(
      given,
      'expected a relative path of 1 to 500 characters without "..", "\\" and control characters',
    )
  return parts.join('/')
}

/** A version of a file. */
interface Version {
  id: string
  /** The task that wrote it; empty for the application. */
  by: string
  /** The length of the text, in characters. */
  size: number
  untrusted: boolean
  /** Whether there is no file: in the files of a fork, before its original wrote the file. */
  isMissing?: boolean
}

/** A file that a task has written. */
type OwnFile = { root: string; path: string }

/**
 * What a task has written, also in steps that were undone. `earlier` returns its versions of a file that others have replaced, and the one
 * before its first, which a fork of the task needs.
 */
export function ownFiles(store: KeyValueOperations, taskId: string) {
  const [files, versions, texts] = ['files of task', 'earlier versions of task', 'earlier texts of task'].map((name) =>
    JSON.stringify([name, taskId]),
  )
  const keyOf = ({ root, path }: OwnFile, ...more: string[]) => JSON.stringify([root, path, ...more])
  const earlier = async (file: OwnFile) =>
    ((await store.get(keyOf(file), versions))?.['versions'] ?? []) as readonly Version[]
  return {
    note: (file: OwnFile) => store.put(keyOf(file), { ...file }, files),
    all: async () => Object.values(await store.getAll(files)) as OwnFile[],
    earlier,
    async keep(file: OwnFile, version: Version, text: string) {
      await store.put(keyOf(file, version.id), { text }, texts)
      await store.put(keyOf(file), { versions: [...(await earlier(file)), version] }, versions)
    },
    textOf: async (file: OwnFile, id: string) =>
      (await store.get(keyOf(file, id), texts))?.['text'] as string | undefined,
    clear: () => clearAll(store, files!, versions!, texts!),
  }
}
