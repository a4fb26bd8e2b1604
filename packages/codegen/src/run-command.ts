/**
 * @module
 * The command `x-codegen`, without its process.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { generateModels, header } from './generate-models.ts'

/** Where a command prints to, such as `console`. */
export interface CommandOutput {
  log(line: string): void
  error(line: string): void
}

/**
 * Writes `src/generated/` of packages. With `--check` it writes nothing, and prints the files that are not up to date.
 * @param args - `--check`, and the folders of the packages; with no folder, that of the process.
 * @returns the exit code: 1 when a schema is invalid, or `--check` found a file that is not up to date.
 */
export async function runCommand(args: readonly string[], output: CommandOutput): Promise<number> {
  const checkOnly = args.includes('--check')
  const given = args.filter((argument) => argument !== '--check')
  let exitCode = 0
  try {
    for (const folder of given.length > 0 ? given : ['.'])
      if ((await generate(resolve(folder), checkOnly, output)) > 0) exitCode = 1
  } catch (error) {
    output.error((error as Error).message)
    exitCode = 1
  }
  return exitCode
}

/** Returns the existing generated files and their contents. */
function present(target: string): Map<string, string> {
  const files = globSync('*.ts', { cwd: target }).map(
    (file) => [file, readFileSync(join(target, file), 'utf8')] as const,
  )
  return new Map(files.filter(([, text]) => text.startsWith(header)))
}

/** Writes the generated files of a package, or prints those that differ. Returns the number of files that are not up to date. */
async function generate(folder: string, checkOnly: boolean, output: CommandOutput): Promise<number> {
  if (globSync('src/**/*.schema.ts', { cwd: folder }).length === 0) return 0
  const target = join(folder, 'src', 'generated')
  const wanted = await generateModels(folder)
  const found = existsSync(target) ? present(target) : new Map<string, string>()
  const different = [...new Set([...found.keys(), ...wanted.keys()])].filter(
    (file) => found.get(file) !== wanted.get(file),
  )
  for (const file of different) {
    const text = wanted.get(file)
    const path = join(target, file)
    const shown = relative(process.cwd(), path)
    if (checkOnly) output.error(`${shown} is not up to date; run x-codegen`)
    else if (text === undefined) {
      rmSync(path)
      output.log(`removed ${shown}`)
    } else {
      mkdirSync(target, { recursive: true })
      writeFileSync(path, text)
      output.log(`wrote ${shown}`)
    }
  }
  return checkOnly ? different.length : 0
}
