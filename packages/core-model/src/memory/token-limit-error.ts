/**
 * @module
 * The error of a memory that has no room.
 */
import { ToolkitError } from '@x/core'

/**
 * Thrown when the tokens already in use exceed the token limit of the memory. Raise `tokenLimit`, or shorten the system prompt and the
 * question.
 */
export class TokenLimitError extends ToolkitError {
  constructor(initial: number, limit: number) {
    super('TokenLimitError', 'token_limit', `Expected at most ${limit} tokens in use, received ${initial}.`)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    token_limit: TokenLimitError
  }
}
