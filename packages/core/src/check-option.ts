/**
 * @module
 * Checks options that are no fields of models.
 */
import { ConfigurationError, ModelValidationError } from './errors.ts'
import { kindOf } from './model/report.ts'

/** @throws {ModelValidationError} unless `value` is an integer of at least `minimum`. */
export function checkInteger(className: string, option: string, value: unknown, minimum = 0): void {
  if (Number.isSafeInteger(value) && Number(value) >= minimum) return
  throw invalidOption(className, option, `an integer of at least ${minimum}`, value)
}

/** @throws {ModelValidationError} unless `value` is a finite number from 0 to `maximum`. */
export function checkNumber(className: string, option: string, value: unknown, maximum = Number.POSITIVE_INFINITY) {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= maximum) return
  const expected = Number.isFinite(maximum) ? `a number from 0 to ${maximum}` : 'a finite number of at least 0'
  throw invalidOption(className, option, expected, value)
}

/** The error of an option that has a different type or is out of range. */
export function invalidOption(className: string, option: string, expected: string, value: unknown) {
  const message = `expected ${expected}, received ${kindOf(value)}`
  return new ModelValidationError(className, [{ path: option, message, code: 'bound' }])
}

/** @throws {ConfigurationError} if the value of an option is not a number of at least `least`. */
export function atLeast(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value
  throw new ConfigurationError(`${name}: expected a number of at least ${least}, received ${String(value)}.`)
}
