/**
 * @module
 * The command `x-codegen`, without its process.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { CodegenError } from './field-types.ts'
import { generateModels, header } from './generate-models.ts'

/** Where a command prints to, such as `console`. */
export interface CommandOutput {
  log(line: string): void
  error(line: string): void
}

const usage = `x-codegen [--check] [FOLDER…]

Writes src/generated/ of the package in each FOLDER (by default the current one) from its src/**/*.schema.ts files.
  --check   writes nothing, and fails if a file is not up to date
  --help    prints this text`

/**
 * Writes `src/generated/` of packages. With `--check` it writes nothing, and prints the files that are not up to date.
 * @param args - `--check` or `--help`, and the folders of the packages; with no folder, that of the process, which must have schemas.
 * @returns the exit code: 1 when a schema is invalid, `--check` found a file that is not up to date, an option is unknown, or a folder is
 * missing.
 */
export async function runCommand(args: readonly string[], output: CommandOutput): Promise<number> {
  const options = args.filter((argument) => argument.startsWith('-'))
  const given = args.filter((argument) => !argument.startsWith('-'))
  let exitCode = 0
  try {
    const unknown = options.find((option) => !['--check', '--help', '-h'].includes(option))
    if (unknown !== undefined) throw new CodegenError(`${unknown}: there is no such option.\n\n${usage}`)
    const checkOnly = options.includes('--check')
    if (options.length > 0 && !checkOnly) output.log(usage)
    else for (const folder of packages(given)) if ((await generate(folder, checkOnly, output)) > 0) exitCode = 1
  } catch (error) {
    output.error((error as Error).message)
    exitCode = 1
  }
  return exitCode
}

/** Returns the absolute folders of the packages. @throws {CodegenError} for a missing folder, or a current one without schemas. */
function packages(given: readonly string[]): string[] {
  const folders = (given.length > 0 ? given : ['.']).map((folder) => resolve(folder))
  for (const folder of folders)
    if (!existsSync(folder)) throw new CodegenError(`${folder}: expected the folder of a package, found none.`)
  if (given.length === 0 && schemasIn('.').length === 0)
    throw new CodegenError('expected schemas in src/**/*.schema.ts of this package, found none.')
  return folders
}

const schemasIn = (folder: string): string[] => globSync('src/**/*.schema.ts', { cwd: folder })

/** Returns the existing generated files and their contents. */
function present(target: string): Map<string, string> {
  const files = globSync('*.ts', { cwd: target }).map(
    (file) => [file, readFileSync(join(target, file), 'utf8')] as const,
  )
  return new Map(files.filter(([, text]) => text.startsWith(header)))
}

/** Writes the generated files of a package, or prints those that differ. Returns the number of files that are not up to date. */
async function generate(folder: string, checkOnly: boolean, output: CommandOutput): Promise<number> {
  if (schemasIn(folder).length === 0) return 0
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
