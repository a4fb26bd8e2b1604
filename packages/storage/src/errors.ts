/**
 * @module
 * The errors of the stores. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */

import { checkGiven, list } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { ToolkitError, type ToolkitErrorOptions, UnknownNodeTypeError } from '@x/core-model'

/** The store contains no node of this source document. Use the id of a document that was added, or check for it first. */
export class RefDocNotFoundError extends ToolkitError {
  readonly refDocId: string

  constructor(refDocId: string) {
    super(
      'RefDocNotFoundError',
      'ref_doc_not_found',
      `The document store contains no nodes of the source document "${refDocId}".`,
    )
    this.refDocId = refDocId
  }
}

/** The store already contains a node with this id, and `allowUpdate` is false. */
export class NodeExistsError extends ToolkitError {
  readonly nodeId: string

  constructor(nodeId: string) {
    super(
      'NodeExistsError',
      'node_exists',
      `The document store already contains a node "${nodeId}"; set allowUpdate to replace it.`,
    )
    this.nodeId = nodeId
  }
}

/** Where a record is stored, and what it is of, for errors. */
export interface RecordPlace {
  /** The path of the database, or the table or the collection of the store. */
  path: string
  nodeId?: string | null | undefined
  taskId?: string | null | undefined
  /** Of a conversation or a value. */
  key?: string | null | undefined
}

/**
 * A store file does not exist, is truncated, or is not a file of this store; or the record of a node, a task, a conversation or a value is
 * damaged. Nothing is changed. All others are read; `delete` of the damaged one deletes it. `docs` and `nodes` leave such nodes out with
 * `onUnreadable`.
 */
export class StoreReadError extends ToolkitError {
  /** The path of the file; for a record, the database, the table or the collection of the store. */
  readonly path: string
  /** The offset in bytes of the JSON syntax error; null for other reasons. */
  readonly byte: number | null
  /** The id of the node whose record is damaged; null if it is something else. */
  readonly nodeId: string | null
  /** The id of the task of which an entry, an event or a large string is damaged; null if it is something else. */
  readonly taskId: string | null
  /** The key of the conversation or the value that is damaged; null if it is something else. */
  readonly key: string | null

  constructor(
    path: string,
    reason: string,
    {
      byte = null,
      nodeId = null,
      taskId = null,
      key = null,
      ...options
    }: ToolkitErrorOptions & Omit<RecordPlace, 'path'> & { byte?: number | null } = {},
  ) {
    super('StoreReadError', 'store_read', `${path}: ${reason}.`, options)
    this.path = path
    this.byte = byte
    this.nodeId = nodeId
    this.taskId = taskId
    this.key = key
  }
}

/**
 * Returns what `read` returns, for your own stores: `read` parses one record, and does nothing else.
 * @throws {StoreReadError} with the position of the record, if `read` throws. An unknown class is thrown unchanged.
 * @example
 * readingRecord({ path: 'tasks.db', taskId: 't1' }, () => JSON.parse('{"type":')) // => throws store_read
 */
export function readingRecord<T>(place: RecordPlace | (() => RecordPlace), read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnknownNodeTypeError || error instanceof StoreReadError) throw error
    const at = typeof place === 'function' ? place() : place
    checkGiven('readingRecord', { place: at }, 'the place of a record', 'path')
    throw damagedRecord(at, errorMessage(error), error)
  }
}

/**
 * Checks that a task has as many entries as its row says, for your own stores: a worker could never append to one that has lost its last
 * entries.
 * @throws {StoreReadError} with the position, if the numbers are different.
 */
export function checkEntryCount(place: RecordPlace, expected: number, received: number): void {
  if (received !== expected) throw damagedRecord(place, `expected ${expected} entries, received ${received}`)
}

/**
 * Returns what `read` returns for each record, without those for which it throws, for your own stores: what is left of a deleted
 * conversation.
 */
export function readableRecords<Record, T>(records: readonly Record[], read: (record: Record) => T): T[] {
  checkGiven('readableRecords', { records }, list)
  return records.flatMap((record) => {
    try {
      return [read(record)]
    } catch {
      return []
    }
  })
}

export function damagedRecord({ path, ...of }: RecordPlace, reason: string, cause?: unknown): StoreReadError {
  const [kind, id] = Object.entries(of).find(([, value]) => typeof value === 'string') ?? []
  const what = `the record of the ${kind?.replace(/Id$/, '')} ${JSON.stringify(id)}`
  return new StoreReadError(path, `${what} cannot be read: ${reason.replace(/\.$/, '')}`, { ...of, cause })
}

/**
 * The system refused to write a file, such as on a full disk or without the right to do so, or a browser to write a database. It has its
 * old content, and no part of the new one; the error of the system is the `cause`.
 */
export class StoreWriteError extends ToolkitError {
  /** The path of the file; the name of the database. */
  readonly path: string
  /** The code of the system, such as `ENOSPC`, `EACCES` or `EROFS`; of a browser, `QuotaExceededError`. */
  readonly systemCode: string

  constructor(path: string, systemCode: string, options?: ToolkitErrorOptions) {
    const reason = remedies[systemCode] ?? 'the file cannot be written; the cause says why'
    super('StoreWriteError', 'store_write', `${path}: ${reason} (${systemCode}). Nothing was changed.`, options)
    this.path = path
    this.systemCode = systemCode
  }
}

const noRight =
  'this process may not write here; give it the right to write the file and its directory, or choose another path'
const full = 'the disk is full; free space, and write again'
const noDirectory = 'a part of the path is a file; choose another path'

/** What happened, and what to do, by the code of the system. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: full,
  QuotaExceededError: 'the browser gives this site no more space; delete data of the site, and write again',
  EDQUOT: 'the quota of the disk is used up; free space, and write again',
  EFBIG: 'the file is larger than this system allows; use a store in a database, such as @x/sqlite',
  EACCES: noRight,
  EPERM: noRight,
  EROFS: 'the file system is read-only; choose a path on one that may be written',
  EISDIR: 'the path is a directory; choose the path of a file',
  ENOTDIR: noDirectory,
  EEXIST: noDirectory,
  ENAMETOOLONG: 'the name of the file is too long; choose a shorter one',
  EMFILE: 'this process has too many open files; close some, and write again',
}

/**
 * Returns what work that writes a file returns.
 * @throws {StoreWriteError} if the system refuses a call. Other errors are thrown unchanged.
 */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { code, syscall } = Object(cause) as { code?: unknown; syscall?: unknown }
    if (typeof code !== 'string' || typeof syscall !== 'string') throw cause
    throw new StoreWriteError(path, code, { cause })
  }
}

/** What to do about a damaged file. */
export const RESTORE = 'restore a copy of the file, or move it away to begin with an empty store'

/** Returns the error for a file whose JSON is not that of a store. Its message contains that of the cause. */
export function notAStore(path: string, what: string, cause: unknown): StoreReadError {
  // The stack ends in copies of data that are nested thousands of levels deep.
  const reason =
    cause instanceof RangeError
      ? 'the data is nested too deeply'
      : `the file does not contain a readable ${what}: ${errorMessage(cause).replace(/\.$/, '')}`
  return new StoreReadError(path, `${reason}; ${RESTORE}`, { cause })
}

/** A store file was changed by a different store or process since this store read or wrote it. The file is not changed. */
export class StoreChangedError extends ToolkitError {
  /** The path of the file. */
  readonly path: string

  /** @param isKnown - whether this store has read or written the file before */
  constructor(path: string, isKnown: boolean) {
    const reason = isKnown
      ? 'the file has changed since this store read or wrote it; read it again'
      : 'the file exists, and this store has not read it; read it with fromPersistPath'
    super('StoreChangedError', 'store_changed', `${path}: ${reason}, or set overwrite to replace it.`)
    this.path = path
  }
}

/** A store does not fit into one string of this platform, so its file cannot be read or written. The file is not changed. */
export class StoreTooLargeError extends ToolkitError {
  /** The path of the file. */
  readonly path: string

  /** @param longest - the largest number of characters of a string */
  constructor(path: string, longest: number, options?: ToolkitErrorOptions) {
    super(
      'StoreTooLargeError',
      'store_too_large',
      `${path}: expected at most ${longest} characters of JSON, because a file is read as one string; use a store in a database, such as @x/sqlite.`,
      options,
    )
    this.path = path
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    node_exists: NodeExistsError
    ref_doc_not_found: RefDocNotFoundError
    store_changed: StoreChangedError
    store_read: StoreReadError
    store_too_large: StoreTooLargeError
    store_write: StoreWriteError
  }
}
