/**
 * @module
 * Own models, validated at run time: entry `@x/core-model/runtime`.
 */
import type { Static, TSchema } from 'typebox'
import { Errors, Check as isValid } from 'typebox/schema'
import { modelSpec, plainSchema } from './field-specs.ts'
import type { Field } from './fields/field-types.ts'
import { type FieldOptions, fieldOf } from './fields/words.ts'
import { type Check, checkOf, pathText } from './model/check-value.ts'
import type { JsonSchema } from './model/json-schema.ts'
import type { ModelSpec } from './model/model-spec.ts'
import type { Path } from './model/plain.ts'

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
  return { ...modelSpec(JSON.parse(JSON.stringify(schema)) as JsonSchema), check: checkAll }
}

/**
 * A field of a class head (`@x/core-model/fields`) that TypeBox checks; all keywords of JSON Schema work. Give its default as an
 * option here, so that the types know of it.
 * @example
 * import { fields } from '@x/core-model/fields'
 * import { Integer, String as Text, Tuple } from 'typebox'
 * class Visit extends fields(Model, 'Visit', {
 *   mail: typebox(Text({ format: 'email' })),
 *   span: typebox(Tuple([Integer(), Integer()]), { default: [0, 1] }),
 * }) {}
 * new Visit({ mail: 'a@b.org' }).span // => [0, 1]
 * new Visit({ mail: 'nobody' }) // => throws model_validation
 */
export function typebox<S extends TSchema>(
  schema: S,
  options: FieldOptions & { default: Static<S> | (() => Static<S>) },
): Field<Static<S>, 'optional'>
export function typebox<S extends TSchema>(schema: S, options?: FieldOptions): Field<Static<S>>
export function typebox(schema: TSchema, options?: FieldOptions): Field {
  const plain = plainSchema(JSON.parse(JSON.stringify(schema)) as JsonSchema)
  return fieldOf(plain, options, { check: checkAll })
}

interface TypeBoxError {
  instancePath: string
  keyword: string
  message: string
}

/** Keywords that repeat, of a list or object, the faults inside. */
const echoes = new Set(['additionalProperties', 'patternProperties', 'anyOf', 'oneOf', 'allOf', 'if'])

/** Tells the faults that the core knows how to tell, and for other keywords those that TypeBox finds, in its words. */
function checkAll(schema: JsonSchema): Check {
  const check = checkOf(schema)
  return (value, report) => {
    const { issues } = report
    const before = issues.length
    check?.(value, report)
    if (isValid(schema as TSchema, value)) return
    const told = new Set(issues.slice(before).map((issue) => issue.path))
    for (const { instancePath, keyword, message } of Errors(schema as TSchema, value)[1] as readonly TypeBoxError[]) {
      const path = pathText([...report.path, ...stepsOf(instancePath, value)])
      if (told.has(path) || (echoes.has(keyword) && [...told].some((inside) => inside.startsWith(path)))) continue
      told.add(path)
      issues.push({ path, message, code: keyword })
    }
  }
}

/** The steps of a JSON pointer into a value. */
function stepsOf(pointer: string, value: unknown): Path {
  let inside = value
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const step = part.replace(/~1/g, '/').replace(/~0/g, '~')
      const isList = Array.isArray(inside)
      inside = (inside as Record<string, unknown> | null)?.[step]
      return isList ? Number(step) : step
    })
}
