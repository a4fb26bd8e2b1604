/// <reference types="node" />
/**
 * @module
 * JSON files that are written whole or not at all.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoreReadError } from './errors.ts'

/**
 * Writes a text file whole: into a temporary file beside it, flushed to the disk, then renamed over it.
 * Whatever goes wrong, `path` holds the old text or the new one. Directories are created.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const directory = dirname(path)
  await mkdir(directory, { recursive: true })
  const temporary = join(directory, `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(directory)
}

/** Makes the renaming itself durable, where the platform lets directories be opened. */
async function syncDirectory(directory: string): Promise<void> {
  let handle: Awaited<ReturnType<typeof open>> | undefined
  try {
    handle = await open(directory)
    await handle.sync()
  } catch {
    // Windows and some network file systems refuse; the renaming is complete all the same.
  } finally {
    await handle?.close()
  }
}

/**
 * The value of a JSON file.
 * @throws {StoreReadError} when the file cannot be read or its text is no JSON.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const missing = (cause as { code?: string }).code === 'ENOENT'
    throw new StoreReadError(path, missing ? 'there is no such file' : 'the file cannot be read', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreReadError(path, 'the text is no JSON; the file is torn or not a store', { cause })
  }
}
