/**
 * @module
 * Prints the TypeScript types of fields and the members of interfaces.
 */
import { dirname, resolve } from 'node:path'
import type { JsonSchema } from '@x/core'
import { type ImportedName, importsOf, type SyntaxNode, statementsOf, typeNames, walk } from './source-text.ts'

/** Thrown for a schema from which no class can be generated. The message contains the field and a correction. */
export class CodegenError extends Error {
  override readonly name = 'CodegenError'
  readonly code = 'codegen'
}

/** Returns the type of a field's value or, with `option`, of its constructor option. Calls `use` for each type that it names. */
function typeOf(schema: JsonSchema, option: boolean, use: (type: FieldType) => void): string {
  const annotated = schema[fieldTypesKey] as FieldTypes | undefined
  if (annotated || schema['x-runtime'] !== undefined || schema['x-nested'] !== undefined) {
    if (!annotated) throw new CodegenError('add its type: live<Type>({ … }) or nested<Type>({ … }).')
    const used = [annotated.value, ...(option && annotated.option ? [annotated.option] : [])]
    for (const type of used) use(type)
    return used.map(({ text }) => (used.length > 1 && text.includes('=>') ? `(${text})` : text)).join(' | ')
  }
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, option, use)).join(' | ')
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'integer') return 'number'
    if (type === 'array') {
      const item = schema.items ? typeOf(schema.items, option, use) : 'unknown'
      return `${option ? 'readonly ' : ''}${/[|&=]|^readonly /.test(item) ? `(${item})` : item}[]`
    }
    if (type !== 'object') return type
    const values = (
      schema['patternProperties'] ? Object.values(schema['patternProperties'])[0] : schema.additionalProperties
    ) as JsonSchema | undefined
    const record = `Record<string, ${typeof values === 'object' ? typeOf(values, option, use) : 'unknown'}>`
    return option ? `Readonly<${record}>` : record
  })
  return types.length > 0 ? types.join(' | ') : 'unknown'
}

/** Prints a JSON value as a TypeScript literal. */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const quoted = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')
  return `'${quoted.replaceAll("'", "\\'")}'`
}

/** Prints the key of a property, with quotes if it needs them. */
export const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key))

/** The maximum length of a default in a comment. */
const longestDefault = 60

function defaultText(value: unknown): string {
  const text = literal(value)
  if (text.length <= longestDefault || typeof value !== 'string') return text
  return `a string of ${value.length} characters, ${literal(`${value.slice(0, 30).split('\n', 1)[0]}…`)}`
}

/** Returns a documentation comment on one line. */
export function comment(...parts: readonly (string | undefined)[]): string {
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** Whether a field is optional. */
export function isOptional(schema: JsonSchema): boolean {
  return 'default' in schema
}

/** Prints a member of the interface of a model's fields or options. */
export function member(name: string, schema: JsonSchema, option: boolean, use: (type: FieldType) => void): string {
  const held = schema['x-runtime'] !== undefined || schema['x-nested'] !== undefined
  let type = typeOf(schema, option, use)
  const nullable = type.split(' | ').includes('null')
  const optional = isOptional(schema)
  // The default of a held value is null unless its class creates one.
  const created = !option && (schema['schema'] as JsonSchema | undefined)?.default !== undefined
  if (optional && held && !nullable && !created) type = `${type.includes('=>') ? `(${type})` : type} | null`
  // If the field is not nullable, a default of null means that the class computes the default.
  const shown = optional && !held && (schema.default !== null || nullable || type === 'unknown')
  const described = [schema, ...(schema.anyOf ?? [])].find(({ description }) => description !== undefined)
  const text = comment(described?.description, shown ? `@defaultValue ${defaultText(schema.default)}` : undefined)
  const readonly = !option && bounds.some((keyword) => keyword in schema) ? 'readonly ' : ''
  return `${text}${readonly}${keyOf(name)}${option && optional ? '?' : ''}: ${type}${option && optional ? ' | undefined' : ''}`
}

/** The source of a type, and the modules of the names in it: packages, or absolute paths of files. */
export interface FieldType {
  text: string
  imports: Readonly<Record<string, ImportedName>>
}

/** The annotation that is added to the schema of a field. */
interface FieldTypes {
  /** The type of the value. */
  value: FieldType
  /** The type of the constructor option. @defaultValue `value` */
  option?: FieldType
}

/** The key of {@link FieldTypes} in the schema of a field. */
const fieldTypesKey = '~types'

const typedFunctions = new Set(['live', 'nested', 'typedData'])

/**
 * Returns the source of a schema module in which each `live<…>(…)`, `nested<…>(…)` and `typedData<…>(…)` contains its types as an
 * annotation.
 */
export function withTypeAnnotations(source: string, file: string): string {
  const statements = statementsOf(source)
  const imports = importsOf(statements)
  const edits: { start: number; end: number; text: string }[] = []
  for (const statement of statements)
    walk(statement, (node) => {
      const callee = node['callee'] as { name?: string } | undefined
      const typeArguments = (node['typeParameters'] ?? node['typeArguments']) as { params: SyntaxNode[] } | null
      if (node.type !== 'CallExpression' || !typedFunctions.has(callee?.name ?? '') || !typeArguments) return
      const [value, option] = typeArguments.params.map((type) => fieldType(type, source, imports, file))
      const types = JSON.stringify({ value, option })
      const [annotations] = node['arguments'] as SyntaxNode[]
      const rest = annotations ? `, ...(${source.slice(annotations.start, annotations.end)})` : ''
      edits.push({
        start: annotations?.start ?? node.end - 1,
        end: annotations?.end ?? node.end - 1,
        text: `{ '${fieldTypesKey}': ${types}${rest} }`,
      })
    })
  let text = source
  for (const edit of edits.sort((a, b) => b.start - a.start))
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  return text
}

function fieldType(
  type: SyntaxNode,
  source: string,
  imports: ReadonlyMap<string, ImportedName>,
  file: string,
): FieldType {
  const used: Record<string, ImportedName> = {}
  for (const name of typeNames(type)) {
    const imported = imports.get(name)
    if (imported === undefined && !(name in globalThis) && !globalTypes.has(name))
      throw new CodegenError(
        `${file}: the type ${name} is not imported; import the types of fields from another module.`,
      )
    if (imported === undefined) continue
    const { module } = imported
    used[name] = { name: imported.name, module: module.startsWith('.') ? resolve(dirname(file), module) : module }
  }
  return { text: source.slice(type.start, type.end), imports: used }
}

/** Global types of TypeScript that are not also global values. */
const globalTypes = new Set(
  (
    'Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited ' +
    'ReadonlyArray ReadonlyMap ReadonlySet PromiseLike Iterable AsyncIterable Iterator AsyncIterator Uppercase Lowercase'
  ).split(' '),
)
