import type { ValidationIssue } from '../errors.ts'
import type { CheckError } from './model-spec.ts'

/** What kind of value this is, for messages. Texts are not repeated, because they may be a user's data. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const maker = Object.getPrototypeOf(value)?.constructor
  return maker === undefined || maker === Object ? 'an object' : `an instance of ${maker.name || 'a class'}`
}

const typeNames: Record<string, string> = {
  array: 'a list',
  boolean: 'a boolean',
  integer: 'an integer',
  null: 'null',
  number: 'a finite number',
  object: 'an object',
  string: 'a string',
}

const bounds: Record<string, string> = { '<': 'below', '<=': 'at most', '>': 'above', '>=': 'at least' }

function expectation({ keyword, params }: CheckError): string {
  if (keyword === 'type')
    return [params['type']]
      .flat()
      .map((type) => typeNames[type as string])
      .join(' or ')
  if (keyword === 'enum')
    return `one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
  if (keyword === 'propertyNames')
    return `known keys only (not ${JSON.stringify(params['propertyName'] ?? params['propertyNames'])})`
  if (keyword === 'const') return JSON.stringify(params['allowedValue'])
  if (params['comparison']) return `a number ${bounds[params['comparison'] as string]} ${params['limit']}`
  return `a value that fits the JSON Schema keyword ${keyword}`
}

const codes: Record<string, string> = {
  exclusiveMaximum: 'bound',
  exclusiveMinimum: 'bound',
  maximum: 'bound',
  minimum: 'bound',
}

/** `['a', '0', 'b']` as `a[0].b`. */
export function pathText(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => (/^\d+$/.test(String(step)) ? `${path}[${step}]` : path ? `${path}.${step}` : String(step)),
    '',
  )
}

/** The faults of a check as issues that say where, what was expected and what came. */
export function checkIssues(values: unknown, errors: readonly CheckError[]): ValidationIssue[] {
  return errors.map((error) => {
    const steps = error.instancePath
      .split('/')
      .slice(1)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
    if (error.keyword === 'required') {
      // ajv names one property per error, TypeBox lists all of them.
      const missing = (error.params['missingProperty'] ?? (error.params['requiredProperties'] as string[])[0]) as string
      return { path: pathText([...steps, missing]), message: 'required, but not given', code: 'required' }
    }
    let value = values
    for (const step of steps) value = (value as Record<string, unknown> | null | undefined)?.[step]
    return {
      path: pathText(steps),
      message: `expected ${expectation(error)}, got ${kindOf(value)}`,
      code: codes[error.keyword] ?? error.keyword,
    }
  })
}
