/**
 * @module
 * Writes the typed base classes of models from their TypeBox schemas.
 */
export { CodegenError } from './codegen-error.ts'
export { generateModels } from './generate-models.ts'
