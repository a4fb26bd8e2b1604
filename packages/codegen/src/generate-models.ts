/**
 * @module
 * Generates the modules of a package: one per model, with its typed base class.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { JsonSchema, ModelSpec } from '@x/core'
import { Ajv } from 'ajv'
import type { FieldType } from './field-types.ts'
import { CodegenError, comment, isOptional, keyOf, literal, member } from './field-types.ts'
import { type LoadedModel, loadModels, modelOfDependency } from './load-models.ts'
import { exportsClass, statementsOf } from './source-text.ts'

/** The first line of every generated module. */
export const header = '// Generated from the schema of the model by x-codegen. Do not edit.'

/**
 * Returns the modules for `src/generated/` of a package, by file name. For each schema that a `*.schema.ts` file exports there is a
 * module with the interfaces of its fields and options, and its typed base class.
 * @throws {CodegenError} for a schema without types, or with a parent class that does not exist.
 * @throws {Error} for a schema that is not valid JSON Schema, or has a keyword that models do not support.
 */
export async function generateModels(folder: string): Promise<Map<string, string>> {
  const models = loadModels(folder)
  const core = await import('@x/core/schemas')
  const modules = new Map<string, string>()
  for (const model of models.values()) {
    assertCheckable(model.name, core.checkedSchema(model.schema))
    const parentName = model.schema['x-extends'] as string | undefined
    const parent =
      parentName === undefined ? undefined : (models.get(parentName) ?? modelOfDependency(folder, parentName))
    if (parentName !== undefined && parent === undefined)
      throw new CodegenError(
        `${model.name}: expected a schema ${parentName} in this package or its dependencies, found none.`,
      )
    modules.set(`${fileName(folder, model.name)}.ts`, moduleOf(folder, model, parent, core.modelSpec(model.schema)))
  }
  return modules
}

/** Returns the name of a generated file: that of the source file of the class (`llm-rerank`), or else the class name in kebab case. */
function fileName(folder: string, name: string): string {
  const file = sourcesOf(folder).find((path) => basename(path, '.ts').replaceAll('-', '') === name.toLowerCase())
  if (file !== undefined) return basename(file, '.ts')
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

/** Returns the sources that may contain classes. */
function sourcesOf(folder: string): string[] {
  return globSync('src/**/*.ts', { cwd: folder }).filter(
    (path) => !/\.(test|test-d|schema|d)\.ts$|[\\/]generated[\\/]/.test(path),
  )
}

function moduleOf(
  folder: string,
  { name, schema }: LoadedModel,
  parent: LoadedModel | undefined,
  { fields, ...facts }: ModelSpec,
): string {
  const target = join(folder, 'src', 'generated')
  const imports = new Imports(target)
  const core = coreOf(folder)
  imports.add('values', core, 'modelOf')

  const parentClass = parent?.name ?? 'Model'
  imports.add('values', parent ? placeOf(folder, parent) : core, parentClass)
  const inherit = (suffix: string): string => {
    if (!parent) return ''
    // Another package exports the class, but maybe not its interfaces. The fields are inherited with the class.
    if ('package' in parent.from)
      return suffix === 'Fields' ? '' : ` extends NonNullable<ConstructorParameters<typeof ${parentClass}>[0]>`
    imports.add('types', join(target, `${fileName(folder, parent.name)}.ts`), parent.name + suffix)
    return ` extends ${parent.name}${suffix}`
  }

  const own = Object.entries(schema.properties ?? {}).filter(
    ([field, of]) => JSON.stringify(of) !== JSON.stringify(parent?.schema.properties?.[field]),
  )
  const use = ({ imports: used }: FieldType): void => {
    for (const [local, { name: imported, module }] of Object.entries(used))
      imports.add('types', module, local === imported ? local : `${imported} as ${local}`)
  }
  const members = (option: boolean): string =>
    own
      .map(([field, of]) => {
        try {
          return indented(member(field, of, option, use))
        } catch (error) {
          if (error instanceof CodegenError) throw new CodegenError(`${name}.${field}: ${error.message}`)
          throw error
        }
      })
      .join('\n')
  const interfaceOf = (suffix: string, text: string, option: boolean): string => {
    const inside = members(option)
    const body = inside === '' ? '{}' : `{\n${inside}\n}`
    return `${comment(text)}export interface ${name}${suffix}${inherit(suffix)} ${body}`
  }

  const declaredBy = schema['x-options'] as 'own' | 'inherited' | undefined
  const optional = Object.values(schema.properties ?? {}).every(isOptional) ? '?' : ''
  const ownFields = Object.fromEntries(own.map(([field]) => [field, fields[field]!]))
  const parts = [
    interfaceOf('Fields', `The fields of {@link ${name}}.`, false),
    ...(declaredBy ? [] : [interfaceOf('Options', `Constructor options of {@link ${name}}.`, true)]),
    `declare abstract class Declared extends ${parentClass} {${constructorOf(declaredBy, `options${optional}: ${name}Options`)}}\n` +
      `interface Declared extends ${name}Fields {}`,
    `${comment(`The typed base class of {@link ${name}}.`)}export const ${name}Model = /* @__PURE__ */ modelOf<typeof Declared>(${parentClass}, ${printSpec({ ...facts, fields: ownFields })})`,
  ]
  return `${[header, imports.toString(), '', parts.join('\n\n')].join('\n')}\n`
}

function constructorOf(declaredBy: 'own' | 'inherited' | undefined, generated: string): string {
  if (declaredBy === 'inherited') return ''
  return `\n  constructor(${declaredBy === 'own' ? 'options: object' : generated})\n`
}

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')

/** Returns the package that the modules of a package import `Model` from: `@x/core-model` exports it too. */
function coreOf(folder: string): string {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = ['@x/core-model', '@x/core'].find((name) => name in { ...dependencies, ...peerDependencies })
  return found ?? '@x/core'
}

/** Returns the module of a class: the package that exports it, or the file in this package. */
function placeOf(folder: string, { name, from }: LoadedModel): string {
  if ('package' in from) return from.package
  const beside = from.file.replace(/\.schema\.ts$/, '.ts')
  for (const file of [beside, ...sourcesOf(folder).map((path) => join(folder, path))]) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text.includes(`class ${name}`) && exportsClass(statementsOf(text), name)) return file
  }
  throw new CodegenError(`${from.file}: expected a file of this package that exports the class ${name}, found none.`)
}

/** The keywords that `checkOf` of the core supports. */
const known = new Set([
  'type',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'items',
  'additionalProperties',
  'propertyNames',
])

function assertKnown(schema: JsonSchema, where: string): void {
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`${where}: models do not support the keyword ${keyword}`)
  }
  const { items, additionalProperties, propertyNames } = schema
  // The core checks keys only together with their values, and only against a list of allowed keys.
  const { enum: _, ...otherKeywords } = (propertyNames ?? {}) as JsonSchema
  const isOpen = typeof additionalProperties === 'boolean' || (propertyNames && additionalProperties === undefined)
  if (isOpen || Object.keys(otherKeywords).length > 0)
    throw new Error(`${where}: restrict the keys of an object with propertyNames.enum and additionalProperties`)
  for (const part of [items, additionalProperties]) if (typeof part === 'object') assertKnown(part, where)
}

/**
 * Throws if a schema is not valid JSON Schema, or contains keywords that models do not support.
 * @throws {Error}
 */
function assertCheckable(name: string, checked: JsonSchema): void {
  new Ajv({ strict: true, allowUnionTypes: true }).compile(checked)
  for (const [field, fieldSchema] of Object.entries(checked.properties ?? {}))
    assertKnown(fieldSchema, `${name}.${field}`)
}

/** The maximum length of a string that is printed on one line, with escaped line feeds. */
const longestLine = 80

/** Prints a JSON value as an expression. */
function print(value: unknown): string {
  if (typeof value === 'string')
    return value.length > longestLine && value.includes('\n') ? templateOf(value) : literal(value)
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, item]) => `${keyOf(key)}: ${print(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

/** Prints a string of several lines as a template literal. */
function templateOf(text: string): string {
  const escaped = text.replace(/[\\`]|\$\{/g, (found) => `\\${found}`).replaceAll('\r', '\\r')
  return `\`${escaped}\``
}

/** Prints a spec as an expression, indented by two spaces, without `checkOf`, which `modelOf` adds. */
function printSpec({ fields, checkOf: _, ...facts }: ModelSpec): string {
  const lines = Object.entries(facts).map(([key, value]) => `  ${key}: ${print(value)},`)
  const own = Object.entries(fields).map(([name, spec]) => `    ${keyOf(name)}: ${print(spec)},`)
  const inside = own.length === 0 ? '  fields: {},' : `  fields: {\n${own.join('\n')}\n  },`
  return `{\n${[...lines, inside].join('\n')}\n}`
}

/** Collects imported names and prints the import statements of a module. */
class Imports {
  readonly #names = new Map<string, { values: Set<string>; types: Set<string> }>()
  readonly #from: string

  /** `from` is the folder of the importing module. */
  constructor(from: string) {
    this.#from = from
  }

  /** Adds a name from a package, or from a file with an absolute path. */
  add(kind: 'values' | 'types', module: string, name: string): void {
    const specifier = this.#specifier(module)
    const names = this.#names.get(specifier) ?? { values: new Set(), types: new Set() }
    names[kind].add(name)
    this.#names.set(specifier, names)
  }

  #specifier(module: string): string {
    if (!isAbsolute(module)) return module
    const owner = packageOf(module)
    // Exports of another package are imported by package name.
    if (owner.folder !== packageOf(this.#from).folder) return owner.name
    const path = relative(this.#from, module).split(sep).join('/')
    return path.startsWith('.') ? path : `./${path}`
  }

  toString(): string {
    return [...this.#names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, { values, types }]) => {
        const all = [...[...types].filter((name) => !values.has(name)).map((name) => `type ${name}`), ...values]
        const sorted = all.sort((a, b) => (bare(a) < bare(b) ? -1 : 1))
        return values.size > 0
          ? `import { ${sorted.join(', ')} } from '${module}'`
          : `import type { ${sorted.map(bare).join(', ')} } from '${module}'`
      })
      .join('\n')
  }
}

const bare = (name: string): string => name.replace(/^type /, '')

/** Returns the package of a file or folder. */
function packageOf(path: string): { folder: string; name: string } {
  let folder = path
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error(`${path}: expected a package.json in a parent folder, found none.`)
    folder = dirname(folder)
  }
  return { folder, name: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name }
}
