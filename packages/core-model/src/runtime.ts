/**
 * @module
 * Own models, validated at run time: entry `@x/core-model/runtime`.
 */
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/schema'
import { checkedSchema, modelSpec } from './field-specs.ts'
import type { JsonSchema } from './model/json-schema.ts'
import type { CheckError, Check as ModelCheck, ModelSpec } from './model/model-spec.ts'

/**
 * The spec of an own model class, from the schema that `component` or `record` of `@x/core-model/schemas` gives.
 * Checks without generated code, so it works where `eval` is forbidden.
 * @example
 * const chunkSchema = component('Chunk', 'A piece of text.', { size: Type.Integer({ minimum: 1, default: 3 }) })
 * const chunkSpec = runtimeSpec(chunkSchema)
 * class Chunk extends Model {
 *   static override spec() { return chunkSpec }
 *   declare readonly size: number
 * }
 * new Chunk().toDict() // => { size: 3, class_name: 'Chunk' }
 */
export function runtimeSpec(schema: TSchema): ModelSpec {
  const model = JSON.parse(JSON.stringify(schema)) as JsonSchema
  const checked = checkedSchema(model) as TSchema
  const check: ModelCheck = (values) => {
    if (Check(checked, values)) {
      check.errors = null
      return true
    }
    check.errors = Errors(checked, values)[1] as readonly CheckError[]
    return false
  }
  return modelSpec(model, check)
}
