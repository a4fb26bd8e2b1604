/**
 * @module
 * Converts the values of a call to the strings that fill a template.
 */

import { invalid } from '@x/core/reading'
import { mapValues } from '@x/core/values'
import { MissingVariableError } from '@x/core-model'
import { InvalidVariableError } from './errors.ts'

/** Values by variable name. */
export type Variables = Readonly<Record<string, unknown>>

/** Computes the value of a variable from the stored values and the values of the call. */
export type VariableFunction = (vars: Record<string, unknown>) => unknown

/** The properties of a prompt that determine the values of a call. */
export interface VariableSources {
  /** Stored values. The values of a call override them. */
  readonly kwargs: Variables
  /** Maps the name that callers use to the name in the template. */
  readonly templateVarMappings: Readonly<Record<string, string>> | null
  /** Maps a name to a function whose result overrides all values. */
  readonly functionMappings: Readonly<Record<string, VariableFunction>> | null
}

/** Whether a value has a string form. */
const isText = (value: unknown): value is string | number | boolean | bigint =>
  ['string', 'number', 'boolean', 'bigint'].includes(typeof value)

/** Converts a value to a string. @throws {InvalidVariableError} */
export function textOfValue(name: string, value: unknown): string {
  if (isText(value)) return String(value)
  throw new InvalidVariableError(name, value)
}

/** Throws unless `vars` is an object of values. */
function checkVariables(vars: Variables): void {
  if (typeof vars !== 'object' || vars === null || Array.isArray(vars))
    throw invalid('format', 'an object of values by name', vars, ['vars'])
}

/** Returns the value of an own property, or undefined. */
function own(values: Variables, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/**
 * Calls `fill` with a function that returns the string for a name in the template, which is empty while a value is missing.
 * @throws {MissingVariableError} with all names that have no value, and those of the call that the template does not have.
 * @throws {InvalidVariableError} for a value without text form.
 */
export function fillWith<T>(
  sources: VariableSources & { templateVars: readonly string[] },
  vars: Variables,
  fill: (valueOf: (name: string) => string) => T,
): T {
  checkVariables(vars)
  const { kwargs, templateVarMappings, functionMappings } = sources
  const mapped = templateVarMappings === null && functionMappings === null ? null : mappedValues(sources, vars)
  let missing: Set<string> | undefined
  const result = fill((name) => {
    const value = mapped ? mapped.get(name) : Object.hasOwn(vars, name) ? vars[name] : own(kwargs, name)
    if (typeof value === 'string') return value
    if (value !== undefined || (mapped ? mapped.has(name) : Object.hasOwn(vars, name))) return textOfValue(name, value)
    ;(missing ??= new Set()).add(name)
    return ''
  })
  if (missing) throw new MissingVariableError([...missing], unknownNames(sources, vars))
  return result
}

/** Returns the names of a call that the template does not have; none if functions may read them. */
export function unknownNames(
  sources: VariableSources & { templateVars: readonly string[] },
  vars: Variables,
): string[] {
  if (sources.functionMappings !== null) return []
  const known = new Set(sources.templateVars)
  return Object.keys(vars).filter((name) => !known.has(templateName(sources, name)))
}

/** Converts the name that callers use to the name in the template. */
export function templateName(
  { templateVarMappings }: Pick<VariableSources, 'templateVarMappings'>,
  name: string,
): string {
  return templateVarMappings && Object.hasOwn(templateVarMappings, name) ? templateVarMappings[name]! : name
}

/** Returns all values by the name in the template. Computed values override values of the call, which override stored values. */
export function mappedValues(sources: VariableSources, vars: Variables): Map<string, unknown> {
  checkVariables(vars)
  const { kwargs, functionMappings } = sources
  const all = new Map([...Object.entries(kwargs), ...Object.entries(vars)])
  const values = new Map<string, unknown>()
  for (const [name, compute] of Object.entries(functionMappings ?? {}))
    values.set(name, compute(Object.fromEntries(all)))
  for (const [name, value] of all) if (!values.has(name)) values.set(name, value)
  // Later entries override earlier ones, including those mapped to the same name.
  return new Map([...values].map(([name, value]) => [templateName(sources, name), value]))
}

/**
 * Converts stored values to strings. Those that have no string form stay as they are, as the unused values of a call; so do all if
 * `names`, those that the template inserts, is null.
 * @throws {InvalidVariableError} if the template inserts such a value.
 */
export function storedValues(
  vars: Variables,
  names: readonly string[] | null,
  templateVarMappings: VariableSources['templateVarMappings'],
): Record<string, unknown> {
  checkVariables(vars)
  if (names === null) return { ...vars }
  const inserted = new Set(names)
  return mapValues(vars, (value, name) =>
    isText(value) || inserted.has(templateName({ templateVarMappings }, name)) ? textOfValue(name, value) : value,
  )
}
