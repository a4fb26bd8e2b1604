import { isToolkitError, joinPath, type ModelValidationError, type ValidationIssue } from '../errors.ts'
import { pathText } from './check-value.ts'
import type { Path } from './plain.ts'

/** A nested value that could not be read, carried to the constructor, which reports all faults at once. */
export class Unreadable {
  readonly issues: readonly ValidationIssue[]
  constructor(issues: readonly ValidationIssue[]) {
    this.issues = issues
  }
}

/** What `make` gives, or the faults that it found, told from where the nested value stands. */
export function attempt<T>(path: Path, make: () => T): T | Unreadable {
  try {
    return make()
  } catch (error) {
    if (!isToolkitError(error, 'model_validation')) throw error
    const at = pathText(path)
    return new Unreadable(
      (error as ModelValidationError).issues.map((issue) => ({ ...issue, path: joinPath(at, issue.path) })),
    )
  }
}
