/**
 * @module
 * The command that copies storage folders of LlamaIndex for Python into databases and back, with proof.
 */
export { MigrateError } from './errors.ts'
export { run } from './program.ts'
