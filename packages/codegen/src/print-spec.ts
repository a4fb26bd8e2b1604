/**
 * @module
 * Prints a spec as source code with one field per line, so that a changed field changes one line.
 */
import type { ModelSpec } from '@x/core'
import { keyOf, literal } from './field-types.ts'

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
export function printSpec({ fields, checkOf: _, ...facts }: ModelSpec): string {
  const lines = Object.entries(facts).map(([key, value]) => `  ${key}: ${print(value)},`)
  const own = Object.entries(fields).map(([name, spec]) => `    ${keyOf(name)}: ${print(spec)},`)
  const inside = own.length === 0 ? '  fields: {},' : `  fields: {\n${own.join('\n')}\n  },`
  return `{\n${[...lines, inside].join('\n')}\n}`
}
