/// <reference types="node" />
/**
 * @module
 * The chat store in memory that can be kept in a JSON file.
 */
import { join } from 'node:path'
import { SimpleChatStore as InMemoryChatStore } from '@x/core-model'
import { StoreReadError } from './errors.ts'
import { readJsonFile, writeWhole } from './json-file.ts'

/** The chat store in memory, with operations on files. */
export class SimpleChatStore extends InMemoryChatStore {
  private lastWriting: Promise<void> = Promise.resolve()

  /** Reads a store from a file. @throws {StoreReadError} when the file is missing, torn or holds something else; it is left as it is. */
  static async fromPersistPath(path: string): Promise<SimpleChatStore> {
    const data = await readJsonFile(path)
    try {
      return SimpleChatStore.fromDict(data)
    } catch (cause) {
      throw new StoreReadError(path, 'the file holds something else than a chat store', { cause })
    }
  }

  /** Writes the messages there are now to a file, whole or not at all, after all writings called before. Directories are created. */
  async persist(path = join('./storage', 'chat_store.json')): Promise<void> {
    const text = JSON.stringify(this.toDict())
    const written = this.lastWriting.then(() => writeWhole(path, text))
    this.lastWriting = written.catch(() => {})
    await written
  }
}
