import { isToolkitError, joinPath, type ValidationIssue } from '../errors.ts'
import type { Path } from './plain.ts'
import { pathText } from './report.ts'

/** A nested value that could not be read. It is passed to the constructor, which reports the issues of all fields at once. */
export class InvalidNested {
  readonly issues: readonly ValidationIssue[]
  constructor(issues: readonly ValidationIssue[]) {
    this.issues = issues
  }
}

/** Returns the result of `make`, or its issues with paths that start at the nested value. */
export function tryRead<T>(path: Path, make: () => T): T | InvalidNested {
  try {
    return make()
  } catch (error) {
    if (!isToolkitError(error, 'model_validation')) throw error
    const at = pathText(path)
    return new InvalidNested(error.issues.map((issue) => ({ ...issue, path: joinPath(at, issue.path) })))
  }
}
