import { ToolkitError } from '../errors.ts'

/** A stand-in received a call that its script does not contain. */
export class UnexpectedCallError extends ToolkitError {
  constructor(message: string) {
    super('UnexpectedCallError', 'unexpected_call', message)
  }
}
