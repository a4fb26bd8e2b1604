/** The description of a tool. */
export interface ToolDescription {
  readonly description: string
  /** The schema of the arguments as the tool was created with it, or null. */
  readonly fnSchema: unknown
  /** The JSON Schema of the arguments as JSON text. Throws if the tool has no schema. */
  readonly fnSchemaStr: string
  /** Returns the name. Throws when the tool has no name. */
  getName(): string
}

/** The part of a tool that is enough to list and search tools. */
export interface ToolLike {
  readonly metadata: ToolDescription
}
