/**
 * @module
 * Named checks of a contract, without a test runner.
 */
import { ToolkitError, writeJsonText } from '@x/core-model'

/** One check of a contract. */
export interface ContractCheck {
  /** The rule that is checked, as a sentence about the store. */
  name: string
  /** Resolves when the store keeps the rule. @throws {ContractError} when it does not; errors of the store pass through. */
  run(): Promise<void>
}

/** A store does not keep a rule of its contract. */
export class ContractError extends ToolkitError {
  /** The value that the contract asks for. */
  readonly expected: unknown
  /** The value that the store returned. */
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

/** @throws {ContractError} unless two values are equal as JSON text, the order of their keys included. */
export function expectEqual(what: string, received: unknown, expected: unknown): void {
  if (textOf(received) !== textOf(expected)) throw new ContractError(what, expected, received)
}

/** Returns the error that an operation throws. @throws {ContractError} when it does not throw. */
export async function errorOf(what: string, operation: () => unknown): Promise<unknown> {
  try {
    await operation()
  } catch (error) {
    return error
  }
  throw new ContractError(what, 'an error', 'none')
}

function textOf(value: unknown): string {
  return value === undefined ? 'undefined' : writeJsonText(value)
}

/** Turns functions by rule into checks. Each check receives a new store. */
export function checksOf<S>(
  create: () => S | Promise<S>,
  checks: Readonly<Record<string, (store: S) => Promise<void>>>,
): readonly ContractCheck[] {
  return Object.entries(checks).map(([name, check]) => ({ name, run: async () => check(await create()) }))
}

declare module '@x/core-model' {
  interface ToolkitErrors {
    contract: ContractError
  }
}
