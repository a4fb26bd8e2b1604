import { ToolkitError } from '@x/core'

/**
 * Thrown when a test double is called in a way that its script does not contain. Add what is missing to the script, or correct the code
 * under test.
 */
export class UnexpectedCallError extends ToolkitError {
  constructor(message: string) {
    super('UnexpectedCallError', 'unexpected_call', message)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    unexpected_call: UnexpectedCallError
  }
}
