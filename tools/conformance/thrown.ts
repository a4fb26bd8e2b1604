/** The error that an operation threw. */
import { isToolkitError } from '@x/core-model'

/** The error that a case speaks of: a pipeline names the module that failed and keeps its error as the cause. */
export function thrownBy(error: unknown): unknown {
  return isToolkitError(error, 'pipeline_module') ? error.cause : error
}
