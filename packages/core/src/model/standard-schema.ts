/**
 * The part of `~standard` of a validation library that the `@x` packages use.
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** The newer part of the contract: the schema as JSON Schema. */
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> } | undefined
  }
}

/** The result of a validation: the value, or the issues. `Step` is a step of the path of an issue. */
export type StandardResult<Output, Step = PropertyKey | { readonly key: PropertyKey }> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue<Step>[] }

/** One issue of a validation. */
export interface StandardIssue<Step = PropertyKey | { readonly key: PropertyKey }> {
  readonly message: string
  readonly path?: readonly Step[] | undefined
}
