/**
 * @module
 * The errors of this package. Programs need only their codes: `isToolkitError(error, 'file')`. Entry `@x/layers/errors`.
 */
import { ToolkitError } from '@x/core'

/** Thrown when a path is not valid, or a file does not exist or cannot be changed as requested. Correct the path or the edit. */
export class FileError extends ToolkitError {
  readonly path: string

  constructor(path: string, problem: string) {
    super('FileError', 'file', `File ${JSON.stringify(path)}: ${problem}.`)
    this.path = path
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    file: FileError
  }
}
