/**
 * @module
 * The errors that end the program.
 */

/** An error that the user can resolve. Only its message is shown. */
export class ProgramError extends Error {
  /** 1: the store or the agent cannot be opened; 2: wrong arguments. */
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, message: string) {
    super(message)
    this.name = 'ProgramError'
    this.exitCode = exitCode
  }
}
