/**
 * @module
 * The check of values against JSON Schemas of any origin, such as those of tools and servers. Entry `@x/core/arguments`.
 */
export {
  type ArgumentIssue,
  type CheckedArguments,
  checkArguments,
  checkerOf,
} from './arguments/check-arguments.ts'
export { numberIn } from './arguments/number-in.ts'
export {
  adviceOf,
  checksOf,
  type SchemaChecks,
  type SchemaFault,
  type UncheckedSchema,
  uncheckedParts,
} from './arguments/schema-checks.ts'
