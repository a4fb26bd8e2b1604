import type { ToolOutput } from './tool-output.ts'

/** What a model is told about a tool. */
export interface ToolDescription {
  readonly name: string | null
  readonly description: string
  /** JSON Schema of the arguments object, or null. */
  readonly parameters: Record<string, unknown> | null
}

/** Something that an agent can call. */
export interface Tool<Metadata = unknown> {
  readonly metadata: Metadata
  call(input: never, options?: never): Promise<ToolOutput>
}
