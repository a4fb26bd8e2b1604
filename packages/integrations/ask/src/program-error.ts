/**
 * @module
 * Exit codes, and the errors that end the program.
 */

/** The exit codes, as `--help` lists them. */
export const ExitCode = { ended: 0, failed: 1, usage: 2, model: 4, unfinished: 5, interrupted: 130 } as const

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** An error that the user can resolve. Only its message is shown. */
export class ProgramError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProgramError'
    this.exitCode = exitCode
  }
}
