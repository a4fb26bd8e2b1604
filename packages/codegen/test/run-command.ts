import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '../src/run-command.ts'

/** What a command printed, and the generated files. */
export interface CommandResult {
  status: number | null
  output: string
  texts: Record<string, string>
}

/** Runs the command for the package of a folder. A schema file is loaded once per process. */
export async function run(folder: string, ...options: string[]): Promise<CommandResult> {
  const lines: string[] = []
  const print = (line: string) => lines.push(`${line}\n`)
  const status = await runCommand([...options, folder], { log: print, error: print })
  return { status, output: lines.join(''), texts: textsIn(folder) }
}

/** Runs the command in a process of its own. */
export function spawnCommand(folder: string, ...options: string[]): CommandResult {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const args = ['--conditions=@x/source', main, ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr, texts: textsIn(folder) }
}

function textsIn(folder: string): Record<string, string> {
  const target = join(folder, 'src', 'generated')
  const files = existsSync(target) ? globSync('*.ts', { cwd: target }) : []
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(target, file), 'utf8')]))
}
