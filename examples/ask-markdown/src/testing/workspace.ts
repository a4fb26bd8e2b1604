/**
 * @module
 * Runs the program in a temporary folder with files, for tests.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ask } from '../ask.ts'

/** The result of a run of the program. */
export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** The options of a run. */
export interface RunOptions {
  env?: Record<string, string>
  isTTY?: boolean
  signal?: AbortSignal
  stdin?: AsyncIterable<Uint8Array>
}

/** A folder that is deleted when the test ends. */
export interface Workspace {
  folder: string
  run(args: readonly string[], options?: RunOptions): Promise<Ran>
}

/** Creates a folder with these files. */
export async function workspace(files: Readonly<Record<string, string | Uint8Array>>): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'ask-markdown-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return { folder, run: (args, options = {}) => run(folder, args, options) }
}

async function run(
  folder: string,
  args: readonly string[],
  { env = {}, isTTY = false, signal, stdin }: RunOptions,
): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const exitCode = await ask(['--runs', '.runs', ...args], {
    stdout: { isTTY, write: (text) => (stdout += text) },
    stderr: { isTTY, write: (text) => (stderr += text) },
    env,
    folder,
    project: folder,
    signal,
    stdin,
    wait: async () => {},
  })
  return { exitCode, stdout, stderr }
}
