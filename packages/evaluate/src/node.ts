/// <reference types="node" />
/**
 * @module
 * Results of models in a file, for Node. Entry `@x/evaluate/node`.
 */

import { appendFile, mkdir, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { jsonOr } from '@x/core/values'
import type { Durable, Json } from '@x/core-model'
import { TestSetError } from './errors.ts'

/**
 * Returns a port that saves each result as a line of a file, before the work continues: pass it as `durable`. A run that was killed
 * continues with the saved results when it is started again with the same file; a line that was not written to its end is dropped. For one
 * process at a time. Delete the file, or use another one, when the model, the prompts or the documents have changed.
 * @throws {TestSetError} with the line of a result that cannot be read.
 * @example
 * import { mkdtempSync } from 'node:fs'
 * import { tmpdir } from 'node:os'
 * import { join } from 'node:path'
 * import { fileJournal } from '@x/evaluate/node'
 * const path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'answers.jsonl')
 * await (await fileJournal(path))('answer/1', async () => 'Paris')
 * await (await fileJournal(path))('answer/1', async () => 'not called') // => 'Paris'
 */
export async function fileJournal(path: string): Promise<Durable> {
  const saved = await readJournal(path)
  const running = new Map<string, Promise<unknown>>()
  await mkdir(dirname(path), { recursive: true })
  let writing: Promise<unknown> = Promise.resolve()
  const run = async (name: string, fn: () => Promise<Json>) => {
    const result = await fn()
    writing = writing.then(() => appendFile(path, `${JSON.stringify([name, result])}\n`))
    await writing
    saved.set(name, result)
    return result
  }
  return async <T extends Json>(name: string, fn: () => Promise<T>): Promise<T> => {
    if (saved.has(name)) return saved.get(name) as T
    const known = running.get(name) ?? run(name, fn).finally(() => running.delete(name))
    running.set(name, known)
    return known as Promise<T>
  }
}

async function readJournal(path: string): Promise<Map<string, Json>> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return new Map()
    throw error
  }
  const end = bytes.lastIndexOf('\n') + 1
  // The process was killed while it wrote this line.
  if (end < bytes.length) await truncate(path, end)
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  return new Map(
    lines.map((line, i): [string, Json] => {
      const entry = jsonOr(line)
      if (!Array.isArray(entry) || typeof entry[0] !== 'string' || entry.length !== 2)
        throw new TestSetError(i + 1, `expected a saved result, received ${line.slice(0, 80)}`)
      return entry as [string, Json]
    }),
  )
}
