import { checkOf } from './check-value.ts'
import type { Model } from './model.ts'
import type { ModelSpec } from './model-spec.ts'
import { extendSpec } from './model-spec.ts'

/**
 * Returns the typed base class of a model, a subclass of `parent` with further fields. The code that `x-codegen` writes calls it.
 * `own` contains the name of the class and the fields that are new or different from those of `parent`. Inherited fields come first.
 */
export function modelOf<C>(parent: { spec(): ModelSpec; prototype: object }, own: Omit<ModelSpec, 'checkOf'>): C {
  let spec: ModelSpec | undefined
  abstract class TypedBase extends (parent as unknown as typeof Model) {
    static override spec(): ModelSpec {
      spec ??= extendSpec(parent, { ...own, checkOf })
      return spec
    }
  }
  return TypedBase as C
}
