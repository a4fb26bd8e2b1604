/// <reference types="node" />
/**
 * @module
 * The chat store in memory that can be kept in a JSON file.
 */
import { SimpleChatStore as InMemoryChatStore, readJsonText, writeJsonText } from '@x/core-model'
import { isPlainObject } from '@x/core-model/internal'
import { StoreReadError } from './errors.ts'
import { isMissing, readJsonFile, writeWhole } from './json-file.ts'

const defaultPath = 'chat_store.json'

/** How a chat store is written to a file. */
export interface PersistOptions {
  /** `python` is the form of the Python library: a JSON string that contains the JSON text. @defaultValue 'json' */
  format?: 'json' | 'python'
}

/**
 * The chat store in memory, with operations on files.
 * @example
 * import { tmpdir } from 'node:os'
 * import { SimpleChatStore } from '@x/storage/node'
 * const path = `${tmpdir()}/chat-store-example.json`
 * const store = new SimpleChatStore()
 * store.addMessage('ann', new ChatMessage({ content: 'Hello' }))
 * await store.persist(path, { format: 'python' })
 * const again = await SimpleChatStore.fromPersistPath(path)
 * again.getMessages('ann').map(String) // => ['user: Hello']
 */
export class SimpleChatStore extends InMemoryChatStore {
  private lastWriting: Promise<void> = Promise.resolve()

  /**
   * Reads a store from a file of this or of the Python library. A file that does not exist is an empty store.
   * @throws {StoreReadError} when the file is torn or contains something else; it is left as it is.
   */
  static async fromPersistPath(path = defaultPath): Promise<SimpleChatStore> {
    try {
      const data = await readJsonFile(path)
      return SimpleChatStore.fromDict(named(typeof data === 'string' ? readJsonText(data, { nonFinite: true }) : data))
    } catch (cause) {
      if (!(cause instanceof StoreReadError))
        throw new StoreReadError(path, 'the file does not contain a chat store', { cause })
      if (isMissing(cause.cause)) return new SimpleChatStore()
      throw cause
    }
  }

  /**
   * Writes the current messages to a file, whole or not at all, after all writings called before. Directories are created.
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

/** The Python library needs no class name. */
function named(data: unknown): unknown {
  return isPlainObject(data) && 'store' in data ? { class_name: InMemoryChatStore.className(), ...data } : data
}
