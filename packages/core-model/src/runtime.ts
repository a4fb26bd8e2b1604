/**
 * @module
 * Own models, validated at run time: entry `@x/core-model/runtime`.
 */
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import type { ValidationIssue } from './errors.ts'
import { checkedSchema, modelSpec } from './field-specs.ts'
import { checkValue, issueOf, type Path, pathText } from './model/check-value.ts'
import type { JsonSchema } from './model/json-schema.ts'
import type { ModelSpec } from './model/model-spec.ts'

/**
 * The spec of an own model class, from the schema that `component` or `record` of `@x/core-model/schemas` gives.
 * Checks without generated code, so it works where `eval` is forbidden.
 * @example
 * import { Integer } from 'typebox'
 * const chunkSchema = component('Chunk', 'A piece of text.', { size: Integer({ minimum: 1, default: 3 }) })
 * const chunkSpec = runtimeSpec(chunkSchema)
 * class Chunk extends Model {
 *   static override spec() { return chunkSpec }
 *   declare readonly size: number
 * }
 * new Chunk().toDict() // => { size: 3, class_name: 'Chunk' }
 */
export function runtimeSpec(schema: TSchema): ModelSpec {
  const model = JSON.parse(JSON.stringify(schema)) as JsonSchema
  const checked = checkedSchema(model)
  return {
    ...modelSpec(model),
    check: (values) => (Check(checked as TSchema, values) ? [] : issuesOf(checked, values)),
  }
}

interface TypeBoxError {
  instancePath: string
  keyword: string
  message: string
}

/** The faults that the checks of fields know how to tell, and all others by the words of TypeBox. */
function issuesOf(schema: JsonSchema, values: Readonly<Record<string, unknown>>): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (values[name] !== undefined) checkValue(field, values[name], [name], issues)
  }
  const told = new Set(issues.map(({ path }) => path))
  for (const { instancePath, keyword, message } of Errors(schema as TSchema, values)[1] as readonly TypeBoxError[]) {
    const path = stepsOf(instancePath)
    if (keyword === 'required' || told.has(pathText(path))) continue
    const value = path.reduce<unknown>(
      (inside, step) => (inside as Record<string | number, unknown> | null)?.[step],
      values,
    )
    issues.push({ ...issueOf(path, '', value, keyword), message })
  }
  return issues
}

function stepsOf(pointer: string): Path {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'))
  return steps.map((step, index) => (index > 0 && /^\d+$/.test(step) ? Number(step) : step))
}
