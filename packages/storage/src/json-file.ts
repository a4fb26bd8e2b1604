/// <reference types="node" />
/**
 * @module
 * JSON files that are written whole or not at all.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { StoreReadError } from './errors.ts'

/** After this time a temporary file is taken for one that nobody writes any more. */
const longestWriting = 3_600_000
/** What stands between the name of a file and the end of its temporary files. */
const temporaryId = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/**
 * Writes a text file whole: into a temporary file beside it, flushed to the disk, then renamed over it.
 * Whatever goes wrong, `path` holds the old text or the new one. Directories are created, and temporary files of this file that a
 * killed process left behind are removed, when they are older than an hour.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const directory = dirname(path)
  await mkdir(directory, { recursive: true })
  await removeLeftBehind(directory, `.${basename(path)}`)
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

async function removeLeftBehind(directory: string, beginning: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(beginning) || !temporaryId.test(name.slice(beginning.length))) continue
    const leftBehind = join(directory, name)
    try {
      if (Date.now() - (await stat(leftBehind)).mtimeMs > longestWriting) await rm(leftBehind, { force: true })
    } catch {
      // Another process was faster, or the file belongs to somebody else: it harms no store.
    }
  }
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
