import type { ModelSpec } from './model-spec.ts'

/**
 * Returns the spec of a class that extends `parent`: the fields of the parent, then the new and changed ones of `own`. `record` and
 * `check` are inherited.
 */
export function extendSpec(parent: { spec(): ModelSpec; prototype: object }, own: ModelSpec): ModelSpec {
  // `Model` itself, of any copy of this package, has no spec.
  if (Object.hasOwn(parent.prototype, '~x-model')) return own
  const { record, check, fields } = parent.spec()
  return { ...(record && { record }), ...(check && { check }), ...own, fields: { ...fields, ...own.fields } }
}
