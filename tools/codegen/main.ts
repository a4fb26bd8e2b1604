/**
 * Writes `src/generated/` of each package from its TypeBox schemas: explicit interfaces for editors, and specs for the model
 * layer. Refuses schemas that ajv refuses in strict mode, and keywords that the model layer does not check.
 * `--check` refuses generated files that differ from the schemas.
 *
 * @example node --conditions=@x/source tools/codegen/main.ts            (all packages)
 * @example node --conditions=@x/source ../../tools/codegen/main.ts --check   (the package of this folder)
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonSchema } from '../../packages/core-model/src/model/json-schema.ts'
import { assertCheckable } from './assert-checkable.ts'
import { interfacesOf } from './interfaces.ts'

const root = join(import.meta.dirname, '..', '..')
const checkOnly = process.argv.includes('--check')

function packagesToDo(): string[] {
  if (process.cwd() !== root) return [process.cwd()]
  const folder = join(root, 'packages')
  // The core first: the schemas of other packages may load it.
  const names = ['core-model', ...readdirSync(folder).filter((name) => name !== 'core-model')]
  return names.map((name) => join(folder, name)).filter((path) => existsSync(join(path, 'src', 'schemas.ts')))
}

let stale = 0
for (const folder of packagesToDo()) {
  const exported = (await import(pathToFileURL(join(folder, 'src', 'schemas.ts')).href)) as Record<string, unknown>
  const models = Object.entries(exported).flatMap(([name, value]) => {
    const schema = JSON.parse(JSON.stringify(typeof value === 'object' ? value : null)) as JsonSchema | null
    return schema?.['x-model'] === undefined ? [] : [{ name, schema }]
  })
  if (models.length === 0) continue
  const inCore = existsSync(join(folder, 'src', 'model', 'model.ts'))
  for (const { name, schema } of models) assertCheckable(name, schema)
  const files = { 'models.ts': interfacesOf(models, inCore) }
  const target = join(folder, 'src', 'generated')
  mkdirSync(target, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    const path = join(target, file)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue
    if (checkOnly) {
      console.error(`${relative(root, path)} differs from the schemas; run: npm run codegen`)
      stale += 1
    } else {
      writeFileSync(path, text)
      console.log(`wrote ${relative(root, path)}`)
    }
  }
}
process.exitCode = stale === 0 ? 0 : 1
