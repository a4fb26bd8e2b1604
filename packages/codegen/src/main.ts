#!/usr/bin/env node
/**
 * Writes `src/generated/` of packages from the schemas in their `*.schema.ts` files. Rejects schemas that ajv rejects in strict mode,
 * and keywords that models do not support. `--check` writes nothing, and fails if a file is not up to date.
 *
 * @example x-codegen                      (the package of this folder)
 * @example x-codegen --check packages/a packages/b
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { generateModels, header } from './generate-models.ts'

const { argv } = process
const checkOnly = argv.includes('--check')
const given = argv.slice(2).filter((argument) => argument !== '--check')
const folders = (given.length > 0 ? given : ['.']).map((folder) => resolve(folder))

/** Returns the existing generated files and their contents. */
function present(target: string): Map<string, string> {
  const files = globSync('*.ts', { cwd: target }).map(
    (file) => [file, readFileSync(join(target, file), 'utf8')] as const,
  )
  return new Map(files.filter(([, text]) => text.startsWith(header)))
}

/** Writes the generated files of a package, or with `--check` prints those that differ. Returns the number of different files. */
async function generate(folder: string): Promise<number> {
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
    if (checkOnly) console.error(`${shown} is not up to date; run x-codegen`)
    else if (text === undefined) {
      rmSync(path)
      console.log(`removed ${shown}`)
    } else {
      mkdirSync(target, { recursive: true })
      writeFileSync(path, text)
      console.log(`wrote ${shown}`)
    }
  }
  return checkOnly ? different.length : 0
}

try {
  for (const folder of folders) if ((await generate(folder)) > 0) process.exitCode = 1
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
