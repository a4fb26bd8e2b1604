import { Model } from './model.ts'
import type { ModelSpec } from './model-spec.ts'

/**
 * The typed base of a model class, for the code that `x-codegen` writes: `parent` with more fields.
 * `own` names the class and has the fields that `parent` does not have, or has otherwise; the spec has those of `parent` first.
 */
export function modelOf<C>(parent: { spec(): ModelSpec }, own: ModelSpec): C {
  let spec: ModelSpec | undefined
  abstract class TypedBase extends (parent as unknown as typeof Model) {
    static override spec(): ModelSpec {
      spec ??= (parent as unknown) === Model ? own : { ...own, fields: { ...parent.spec().fields, ...own.fields } }
      return spec
    }
  }
  return TypedBase as C
}
