import { ToolkitError } from '@x/core'

/** Thrown when a line of a test set or of a journal is not valid. Correct this line of the file. */
export class TestSetError extends ToolkitError {
  /** The line, starting at 1. */
  readonly line: number

  constructor(line: number, message: string) {
    super('TestSetError', 'test_set', `line ${line}: ${message}.`)
    this.line = line
  }
}

/**
 * Thrown when a node or a citation and a right passage of its source cannot be compared, because they are stated in different units. State
 * passages in the unit that the nodes have, or pass what the message names.
 */
export class PlaceError extends ToolkitError {
  constructor(what: string, message: string) {
    super('PlaceError', 'place', `${what}: ${message}.`)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    test_set: TestSetError
    place: PlaceError
  }
}
