/**
 * @module
 * Custom models that TypeBox validates at run time. Entry `@x/core-model/runtime`.
 */
import { checkOption, required } from '@x/core/options'
import type { Static, TSchema } from 'typebox'
import { Errors, Check as isValid } from 'typebox/schema'
import { modelSpec, plainSchema } from './field-specs.ts'
import { type FieldOptions, fieldOf } from './fields/field-builders.ts'
import type { Field } from './fields/field-types.ts'
import { type Check, checkOf } from './model/check-value.ts'
import type { JsonSchema } from './model/json-schema.ts'
import type { ModelSpec } from './model/model-spec.ts'
import type { Path } from './model/plain.ts'
import { pathText } from './model/report.ts'

/**
 * Returns the spec of a custom model class for a schema made by `component` or `plainRecord` of `@x/core-model/schemas`.
 * Values are checked without generated code, so it works if `eval` is forbidden.
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
 * Returns a field for `fields` of `@x/core-model/fields` that TypeBox checks. All keywords of JSON Schema work. Pass the default as an
 * option here, not in the schema, so that the compiler knows that the field is optional.
 * @example
 * import { fields } from '@x/core/fields'
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
  checkOption('typebox', 'schema', schema, required('a schema'))
  const plain = plainSchema(JSON.parse(JSON.stringify(schema)) as JsonSchema)
  return fieldOf(plain, options, { check: checkAll })
}

interface TypeBoxError {
  instancePath: string
  keyword: string
  message: string
}

/** Keywords whose errors repeat the errors of the items or entries inside. */
const echoes = new Set(['additionalProperties', 'patternProperties', 'anyOf', 'oneOf', 'allOf', 'if'])

/** Returns a check that reports the issues of the core's check, and those that only TypeBox finds, with TypeBox's messages. */
function checkAll(schema: JsonSchema): Check {
  const check = checkOf(schema)
  return (value, report) => {
    const { issues } = report
    const before = issues.length
    check?.(value, report)
    if (isValid(schema as TSchema, value)) return
    const reported = new Set(issues.slice(before).map((issue) => issue.path))
    for (const { instancePath, keyword, message } of Errors(schema as TSchema, value)[1] as readonly TypeBoxError[]) {
      const path = pathText([...report.path, ...stepsOf(instancePath, value)])
      if (reported.has(path) || (echoes.has(keyword) && [...reported].some((inside) => inside.startsWith(path))))
        continue
      reported.add(path)
      issues.push({ path, message, code: keyword })
    }
  }
}

/** Converts a JSON pointer into a value to a path. */
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
