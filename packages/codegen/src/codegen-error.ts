/** A schema that no class can be generated from; the message says where and what to write instead. */
export class CodegenError extends Error {
  override readonly name = 'CodegenError'
  readonly code = 'codegen'
}
