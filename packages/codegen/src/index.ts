/**
 * @module
 * Writes the typed base classes of models from their TypeBox schemas.
 */
export { CodegenError } from './field-types.ts'
export { generateModels } from './generate-models.ts'
