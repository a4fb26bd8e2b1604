/**
 * @module
 * The TypeScript types of fields, and the members of the interfaces with them.
 */
import type { JsonSchema } from '@x/core-model'
import { CodegenError } from './codegen-error.ts'
import { type HeldType, type HeldTypes, heldTypesKey } from './held-types.ts'

/** The type of a field's value, or, for `option`, of what a constructor takes. Reports the types it names to `use`. */
function typeOf(schema: JsonSchema, option: boolean, use: (type: HeldType) => void): string {
  if (schema['x-runtime'] !== undefined || schema['x-nested'] !== undefined) {
    const types = schema[heldTypesKey] as HeldTypes | undefined
    if (types === undefined) throw new CodegenError('write its type: live<Type>({ … }) or nested<Type>({ … }).')
    const used = [types.value, ...(option && types.option ? [types.option] : [])]
    for (const type of used) use(type)
    return used.map(({ text }) => (used.length > 1 && text.includes('=>') ? `(${text})` : text)).join(' | ')
  }
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, option, use)).join(' | ')
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === 'integer') return 'number'
    if (type === 'array') {
      const item = schema.items ? typeOf(schema.items, option, use) : 'unknown'
      return `${option ? 'readonly ' : ''}${/[|&=]/.test(item) ? `(${item})` : item}[]`
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

/** A string or another JSON value as TypeScript writes it. */
export function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const quoted = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"')
  return `'${quoted.replaceAll("'", "\\'")}'`
}

/** The longest default that a comment repeats. */
const longestDefault = 60

function defaultText(value: unknown): string {
  const text = literal(value)
  if (text.length <= longestDefault || typeof value !== 'string') return text
  return `a string of ${value.length} characters, ${literal(`${value.slice(0, 30).split('\n', 1)[0]}…`)}`
}

/** A documentation comment of one line. */
export function comment(...parts: readonly (string | undefined)[]): string {
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return text === '' ? '' : `/** ${text.replaceAll('*/', '*\\/')} */\n`
}

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** Whether a field may be left out. */
export function isOptional(schema: JsonSchema): boolean {
  return 'default' in schema
}

/** A member of the interface of a model's fields, or of its options. */
export function member(name: string, schema: JsonSchema, option: boolean, use: (type: HeldType) => void): string {
  const held = schema['x-runtime'] !== undefined || schema['x-nested'] !== undefined
  let type = typeOf(schema, option, use)
  const nullable = type.split(' | ').includes('null')
  const optional = isOptional(schema)
  if (optional && held && !nullable) type = `${type.includes('=>') ? `(${type})` : type} | null`
  // A default of null stands for a value that is made, unless null is a value of the field.
  const shown = optional && !held && (schema.default !== null || nullable || type === 'unknown')
  const text = comment(schema.description, shown ? `@defaultValue ${defaultText(schema.default)}` : undefined)
  const readonly = !option && bounds.some((keyword) => keyword in schema) ? 'readonly ' : ''
  return `${text}${readonly}${name}${option && optional ? '?' : ''}: ${type}${option && optional ? ' | undefined' : ''}`
}
