/**
 * @module
 * Checks the arguments and the results of tools whose schema is of any kind.
 */

import { adviceOf, checkerOf, checksOf, type UncheckedSchema } from '@x/core/arguments'
import { checkedOf, type ToolCheck, whenChecked } from './standard-check.ts'
import { ToolSchemaError } from './tool-errors.ts'
import { isStandardSchema } from './tool-schema.ts'

/**
 * Returns the check of a tool schema. Strings that contain numbers are converted first.
 * @param tool - the name of the tool, for the error.
 * @param json - the JSON Schema of a Standard Schema, if there is one. The library checks what it leaves out.
 * @throws {ToolSchemaError} if a part of a JSON Schema cannot be checked, unless `unchecked` says otherwise.
 */
export function toolCheck(
  tool: string | null,
  schema: object | null | undefined,
  json?: object,
  unchecked: UncheckedSchema = 'throw',
): ToolCheck {
  if (!schema) return (value) => ({ value, issues: [] })
  if (!isStandardSchema(schema)) {
    const checks = checksOf(schema)
    if (unchecked === 'throw' && checks.all.length > 0) throw new ToolSchemaError(`Tool "${tool}": ${adviceOf(checks)}`)
    return checkerOf(schema, checks, unchecked === 'accept')
  }
  const { '~standard': standard } = schema
  const converter = json && checkerOf(json, checksOf(json), true)
  return (value) => whenChecked(standard.validate(converter ? converter(value).value : value), checkedOf)
}
