/** What a tool says about itself. */
export interface ToolDescription {
  readonly description: string
  /** The schema of the arguments as it was given, or null. */
  readonly fnSchema: unknown
  /** The JSON Schema of the arguments as text. Throws when there is no schema. */
  readonly fnSchemaStr: string
  /** The name. Throws when there is none. */
  getName(): string
}

/** What packages that only list and search tools need of one. */
export interface ToolLike {
  readonly metadata: ToolDescription
}
