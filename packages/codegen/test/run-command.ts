import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs the command for the package of a folder; returns what it printed and the generated files. */
export function runCommand(folder: string, ...options: string[]) {
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@x/source', main, ...options, folder], {
    encoding: 'utf8',
  })
  const target = join(folder, 'src', 'generated')
  const files = existsSync(target) ? globSync('*.ts', { cwd: target }) : []
  const texts = Object.fromEntries(files.map((file) => [file, readFileSync(join(target, file), 'utf8')]))
  return { status, output: stdout + stderr, texts }
}
