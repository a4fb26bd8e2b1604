/// <reference types="node" />
/**
 * @module
 * A chat store with file operations.
 */
import { constants } from 'node:buffer'
import { resolve } from 'node:path'
import { checkOption, checkOptions, choice, type OptionTable } from '@x/core/options'
import { readJsonText, SimpleChatStore, writeJsonText } from '@x/core-model'
import { isPythonText, lineOf, type PythonLineName, pythonLine, pythonText } from '@x/core-model/python'
import { notAStore, StoreReadError, StoreTooLargeError } from './errors.ts'
import { type FileVersion, isMissing, readJsonFileVersion, writeWhole } from './json-file.ts'
import { aPath, type OverwriteOptions, persistOptions } from './simple-document-store-file.ts'

const defaultPath = 'chat_store.json'

/** The options of `persist`. */
interface PersistOptions extends OverwriteOptions {
  /**
   * `python` is the format of LlamaIndex for Python: a JSON string that contains JSON text. @defaultValue that of the file that was read,
   * else 'json'
   */
  format?: 'json' | 'python' | undefined
  /** The line of LlamaIndex for Python. @defaultValue that of each conversation that was read, else of the file, else 0.10 */
  line?: PythonLineName | undefined
}

const chatOptions: OptionTable<PersistOptions> = { ...persistOptions, format: choice('json', 'python') }

/**
 * A chat store in memory that can be saved to a JSON file and read from it. Every `persist` writes all conversations, and damage of the
 * file is damage of all: it is not read, and replaced only with `overwrite`.
 * @example
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { FileChatStore } from '@x/storage/node'
 * const path = `${await mkdtemp(`${tmpdir()}/chat-`)}/chat.json`
 * const store = new FileChatStore()
 * store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
 * await store.persist(path, { format: 'python' })
 * const again = await FileChatStore.fromPersistPath(path)
 * again.getMessages('ann').map(String) // => ['user: Hello']
 */
export class FileChatStore extends SimpleChatStore {
  private lastWriting: Promise<void> = Promise.resolve()
  /** The versions of the files that this store has read or written, by path. */
  private readonly versions = new Map<string, FileVersion>()
  /** The form of the file that this store was read from. */
  private form: { format: 'json' | 'python'; line: PythonLineName; isPython: boolean } = {
    format: 'json',
    line: '0.10',
    isPython: false,
  }
  /** The lines of the conversations that were read, where they differ from that of the file. */
  private readonly lines = new Map<string, PythonLineName>()

  /**
   * Reads a store from a file of this package or of LlamaIndex for Python. Returns an empty store if the file does not exist.
   * @throws {StoreReadError} if the file is truncated or not a chat store; the file is not changed.
   */
  static async fromPersistPath(path = defaultPath): Promise<FileChatStore> {
    checkOption('FileChatStore.fromPersistPath', 'path', path, aPath)
    try {
      const { data, version, text } = await readJsonFileVersion(path)
      const isText = typeof data === 'string'
      const content = isText ? readJsonText(data, { nonFinite: true }) : data
      const store = FileChatStore.fromDict(content)
      const line = lineOf(content) ?? '0.10'
      store.form = { format: isText ? 'python' : 'json', line, isPython: isPythonText(isText ? data : text) }
      for (const [key, messages] of Object.entries(Object(Object(content)['store']))) {
        const own = lineOf(messages)
        if (own !== null && own !== line) store.lines.set(key, own)
      }
      store.versions.set(resolve(path), version)
      return store
    } catch (cause) {
      if (cause instanceof StoreTooLargeError) throw cause
      if (!(cause instanceof StoreReadError)) throw notAStore(path, 'chat store', cause)
      if (isMissing(cause.cause)) return new FileChatStore()
      throw cause
    }
  }

  /**
   * Writes the current messages to a file, atomically and after all earlier calls of `persist`. Creates missing directories.
   * @throws {ModelValidationError} if an option is unknown or invalid.
   * @throws {StoreChangedError} if the file was changed since this store read or wrote it, or this store has never read it.
   * @throws {StoreWriteError} if the system refuses to write, such as on a full disk.
   * @throws {StoreTooLargeError} if the file would be too large to be read again.
   * @throws {SerializationError} naming the message and the key of a value that has no JSON form.
   */
  async persist(path = defaultPath, options: PersistOptions = {}): Promise<void> {
    checkOption('FileChatStore.persist', 'path', path, aPath)
    checkOptions('FileChatStore.persist', options, chatOptions)
    const { format = this.form.format, line, overwrite = false } = options
    const text = this.textIn(format, line, path)
    const written = this.lastWriting.then(async () => {
      const replaces = overwrite ? undefined : (this.versions.get(resolve(path)) ?? null)
      this.versions.set(resolve(path), await writeWhole(path, text, { replaces }))
    })
    this.lastWriting = written.catch(() => {})
    await written
  }

  /** @param line - the line of all conversations. @defaultValue that of each conversation */
  private textIn(format: 'json' | 'python', line: PythonLineName | undefined, path: string): string {
    const data = this.toDict({ line: pythonLine(line ?? this.form.line) })
    for (const [key, own] of line === undefined ? this.lines : []) {
      const messages = this.getMessages(key)
      if (messages.length > 0) data.store[key] = messages.map((message) => message.toDict({ line: pythonLine(own) }))
    }
    try {
      const compact = writeJsonText(data)
      const json = this.form.isPython ? pythonText(compact) : compact
      return format === 'python' ? JSON.stringify(json) : json
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      throw new StoreTooLargeError(path, constants.MAX_STRING_LENGTH, { cause })
    }
  }
}
