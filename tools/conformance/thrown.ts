/** The error that an operation threw. */
import { isToolkitError } from '@x/core-model'

/** Returns the error that a case refers to: for a pipeline, the cause of the error that names the failed module. */
export function thrownBy(error: unknown): unknown {
  return isToolkitError(error, 'pipeline_module') ? error.cause : error
}
