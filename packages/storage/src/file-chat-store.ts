/// <reference types="node" />
/**
 * @module
 * A chat store with file operations.
 */
import { readJsonText, SimpleChatStore, writeJsonText } from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { StoreReadError } from './errors.ts'
import { isMissing, readJsonFile, writeWhole } from './json-file.ts'

const defaultPath = 'chat_store.json'

/** The options of `persist`. */
export interface PersistOptions {
  /** `python` is the format of LlamaIndex for Python: a JSON string that contains JSON text. @defaultValue 'json' */
  format?: 'json' | 'python'
}

/**
 * A chat store in memory that can be saved to a JSON file and read from it.
 * @example
 * import { tmpdir } from 'node:os'
 * import { FileChatStore } from '@x/storage/node'
 * const path = `${tmpdir()}/chat-store-example.json`
 * const store = new FileChatStore()
 * store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
 * await store.persist(path, { format: 'python' })
 * const again = await FileChatStore.fromPersistPath(path)
 * again.getMessages('ann').map(String) // => ['user: Hello']
 */
export class FileChatStore extends SimpleChatStore {
  private lastWriting: Promise<void> = Promise.resolve()

  /**
   * Reads a store from a file of this package or of LlamaIndex for Python. Returns an empty store if the file does not exist.
   * @throws {StoreReadError} when the file is truncated or not a chat store; the file is not changed.
   */
  static async fromPersistPath(path = defaultPath): Promise<FileChatStore> {
    try {
      const data = await readJsonFile(path)
      return FileChatStore.fromDict(named(typeof data === 'string' ? readJsonText(data, { nonFinite: true }) : data))
    } catch (cause) {
      if (!(cause instanceof StoreReadError))
        throw new StoreReadError(path, 'the file does not contain a chat store', { cause })
      if (isMissing(cause.cause)) return new FileChatStore()
      throw cause
    }
  }

  /**
   * Writes the current messages to a file, atomically and after all earlier calls of `persist`. Creates missing directories.
   * @throws {SerializationError} naming the message and the key of a value that has no JSON form.
   */
  async persist(path = defaultPath, { format = 'json' }: PersistOptions = {}): Promise<void> {
    const json = writeJsonText(this.toDict())
    const text = format === 'python' ? JSON.stringify(json) : json
    const written = this.lastWriting.then(() => writeWhole(path, text))
    this.lastWriting = written.catch(() => {})
    await written
  }
}

/** Adds the class name, which files of the Python library may omit. */
function named(data: unknown): unknown {
  return isPlainObject(data) && 'store' in data ? { class_name: SimpleChatStore.className(), ...data } : data
}
