/**
 * @module
 * Checks of options that are no fields of models. Entry `@x/core/options`.
 */
export { atLeast, checkInteger, checkNumber, invalidOption } from './check-option.ts'
