/**
 * @module
 * The check of values against JSON Schemas of any origin, such as those of tools and servers. Entry `@x/core/arguments`.
 */
export { checkArguments } from './arguments/check-arguments.ts'
export { numberIn } from './arguments/number-in.ts'
export {
  adviceOf,
  checksOf,
  type UncheckedSchema,
  uncheckedParts,
} from './arguments/schema-checks.ts'
export {
  type ArgumentIssue,
  type CheckedArguments,
  checkerOf,
  type SchemaChecks,
  type SchemaFault,
} from './arguments/value-check.ts'
