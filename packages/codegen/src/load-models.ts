/**
 * @module
 * Loads the models of a package: the schemas that its `*.schema.ts` files export.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonSchema } from '@x/core'
import { CodegenError, withTypeAnnotations } from './field-types.ts'

/** A model and its schema. */
export interface LoadedModel {
  name: string
  schema: JsonSchema
  /** The file of the schema, or the package if the model belongs to another package. */
  from: { file: string } | { package: string }
}

let isHooked = false

/** Adds the types of fields to the sources of schemas when Node loads them. */
function hookLoading(): void {
  if (isHooked) return
  isHooked = true
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const { source } = loaded
      if (!url.endsWith('.schema.ts') || source === undefined || source === null) return loaded
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
      return { ...loaded, source: withTypeAnnotations(text, fileURLToPath(url)) }
    },
  })
}

/** Returns the models of the package in a folder, by name. */
export function loadModels(folder: string): Map<string, LoadedModel> {
  hookLoading()
  const models = new Map<string, LoadedModel>()
  const files = globSync('src/**/*.schema.ts', { cwd: folder }).sort()
  for (const path of files) {
    const file = join(folder, path)
    for (const [name, schema] of modelsIn(file)) {
      const { title } = schema
      if (title !== name)
        throw new CodegenError(
          `${file}: the schema ${name} has the title ${title}; both must be the name of the class.`,
        )
      if (!models.has(name)) models.set(name, { name, schema, from: { file } })
    }
  }
  const entry = join(folder, 'src', 'schemas.ts')
  if (!existsSync(entry)) return models
  const exported = new Set(modelsIn(entry).map(([name]) => name))
  for (const name of models.keys())
    if (!exported.has(name)) throw new CodegenError(`${entry}: expected an export of the schema ${name}.`)
  return models
}

/** Returns a model of a dependency of a package. */
export function modelOfDependency(folder: string, name: string): LoadedModel | undefined {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { resolve } = createRequire(join(folder, 'package.json'))
  for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    let entry: string
    try {
      entry = resolve(`${dependency}/schemas`)
    } catch {
      continue // a package without schemas
    }
    const found = modelsIn(entry).find(([exported]) => exported === name)
    if (found) return { name, schema: found[1], from: { package: dependency } }
  }
  return undefined
}

const load = createRequire(import.meta.url)

/** Returns the models that a module exports. */
function modelsIn(file: string): [string, JsonSchema][] {
  // Unlike `import()`, Node itself runs the module, also inside of a test runner or a bundler.
  const exported = load(file) as Record<string, unknown>
  return Object.entries(exported).flatMap(([name, value]): [string, JsonSchema][] => {
    const schema = JSON.parse(JSON.stringify(typeof value === 'object' ? value : null)) as JsonSchema | null
    return schema?.['x-model'] === undefined ? [] : [[name, schema]]
  })
}
