/**
 * @module
 * Named checks of a contract, without a test runner.
 */
import { deepEqual } from '@x/core/values'
import { ToolkitError, writeJsonText } from '@x/core-model'

/** One check of a contract. */
export interface ContractCheck {
  /** The rule: what a store, an index or an engine does, such as `returns copies`. */
  name: string
  /** Resolves if the rule is followed. @throws {ContractError} if it is not. Errors of what is checked are thrown unchanged. */
  run(): Promise<void>
}

/** A store, an index or an engine violates a rule of its contract. Correct it until the check passes: the message names the rule. */
export class ContractError extends ToolkitError {
  /** The value that the contract requires. */
  readonly expected: unknown
  /** The value that was returned. */
  readonly received: unknown

  constructor(what: string, expected: unknown, received: unknown) {
    super(
      'ContractError',
      'contract',
      `${what}: expected ${textOf(expected).slice(0, 500)}, received ${textOf(received).slice(0, 500)}.`,
    )
    this.expected = expected
    this.received = received
  }
}

/** @throws {ContractError} unless two values are equal as JSON text, including the order of keys. */
export function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (textOf(received) !== textOf(expected)) throw new ContractError(what, expected, received)
}

/** Returns the error that an operation throws. @throws {ContractError} if it does not throw. */
export async function errorOf(what: string, operation: () => unknown): Promise<unknown> {
  try {
    await operation()
  } catch (error) {
    return error
  }
  throw new ContractError(what, 'an error', 'none')
}

/** Expects equal data. The order of keys does not matter; an absent key equals undefined. */
export function same(received: unknown, expected: unknown, what = 'the value'): void {
  if (!deepEqual(received, expected)) throw new ContractError(what, expected, received)
}

function textOf(value: unknown): string {
  return value === undefined ? 'undefined' : writeJsonText(value)
}

/** Converts functions by rule to checks. Each check receives a new store. */
export function checksOf<S>(
  create: () => S | Promise<S>,
  checks: Readonly<Record<string, (store: S) => Promise<void>>>,
): readonly ContractCheck[] {
  return Object.entries(checks).map(([name, check]) => ({ name, run: async () => check(await create()) }))
}

declare module '@x/core' {
  interface ToolkitErrors {
    contract: ContractError
  }
}
