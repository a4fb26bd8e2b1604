/** Thrown for a schema from which no class can be generated. The message contains the field and a correction. */
export class CodegenError extends Error {
  override readonly name = 'CodegenError'
  readonly code = 'codegen'
}
