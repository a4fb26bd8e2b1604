/**
 * @module
 * From the values of a call to the texts that fill a template.
 */
import { MissingVariableError } from '@x/core-model'
import { InvalidVariableError } from './errors.ts'

/** Values by variable name. */
export type Variables = Readonly<Record<string, unknown>>

/** Computes the text of a variable from all values at hand. */
export type VariableFunction = (vars: Record<string, unknown>) => unknown

/** What a prompt brings to the values of a call. */
export interface VariableSources {
  /** Stored values; those of the call win. */
  readonly kwargs: Variables
  /** Caller name → name in the template. */
  readonly templateVarMappings: Readonly<Record<string, string>> | null
  /** Name → function; its result wins over all values. */
  readonly functionMappings: Readonly<Record<string, VariableFunction>> | null
}

/** The text of a value. @throws {InvalidVariableError} */
export function textOfValue(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  throw new InvalidVariableError(name, value)
}

/** A value of an object's own; `undefined` when there is none. */
function own(values: Variables, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Gives the text of a template name from the values of a call. */
export function valueLookup(sources: VariableSources, vars: Variables): (name: string) => string | undefined {
  const { kwargs, templateVarMappings, functionMappings } = sources
  if (templateVarMappings === null && functionMappings === null) {
    return (name) => {
      const value = own(vars, name)
      if (typeof value === 'string') return value
      if (value !== undefined) return textOfValue(name, value)
      if (Object.hasOwn(vars, name)) throw new InvalidVariableError(name, value)
      return own(kwargs, name) as string | undefined
    }
  }
  const byName = mappedValues(sources, vars)
  return (name) => (byName.has(name) ? textOfValue(name, byName.get(name)) : undefined)
}

/**
 * Fills something with the values of a call and tells all names without a value at once.
 * @throws {MissingVariableError}
 */
export function fillWith<T>(
  valueOf: (name: string) => string | undefined,
  fill: (valueOf: (name: string) => string) => T,
): T {
  let missing: Set<string> | undefined
  const result = fill((name) => {
    const value = valueOf(name)
    if (value === undefined) (missing ??= new Set()).add(name)
    return value ?? ''
  })
  if (missing) throw new MissingVariableError([...missing])
  return result
}

/** The template name that a caller's name stands for. */
export function templateName(
  { templateVarMappings }: Pick<VariableSources, 'templateVarMappings'>,
  name: string,
): string {
  return templateVarMappings && Object.hasOwn(templateVarMappings, name) ? templateVarMappings[name]! : name
}

/** All values by template name: computed ones, then those of the call, then stored ones; names mapped once. */
export function mappedValues(sources: VariableSources, vars: Variables): Map<string, unknown> {
  const { kwargs, functionMappings } = sources
  const all = new Map([...Object.entries(kwargs), ...Object.entries(vars)])
  const values = new Map<string, unknown>()
  for (const [name, compute] of Object.entries(functionMappings ?? {}))
    values.set(name, compute(Object.fromEntries(all)))
  for (const [name, value] of all) if (!values.has(name)) values.set(name, value)
  // Later entries win, also over an earlier one that was mapped to the same name.
  return new Map([...values].map(([name, value]) => [templateName(sources, name), value]))
}

/** Stored values as texts. @throws {InvalidVariableError} */
export function storedValues(vars: Variables): Record<string, string> {
  return Object.fromEntries(Object.entries(vars).map(([name, value]) => [name, textOfValue(name, value)]))
}
