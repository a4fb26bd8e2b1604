import { ToolkitError } from '@x/core'

/** Thrown when a line of a test set or of a journal is not valid. */
export class TestSetError extends ToolkitError {
  /** The line, starting at 1. */
  readonly line: number

  constructor(line: number, message: string) {
    super('TestSetError', 'test_set', `line ${line}: ${message}.`)
    this.line = line
  }
}

/** Thrown when a node and a right place of its source cannot be compared, because they are given in different units. */
export class PlaceError extends ToolkitError {
  readonly nodeId: string

  constructor(nodeId: string, message: string) {
    super('PlaceError', 'place', `node ${nodeId}: ${message}.`)
    this.nodeId = nodeId
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    test_set: TestSetError
    place: PlaceError
  }
}
