/**
 * @module
 * The errors of pipelines.
 */

import { errorMessage } from '@x/core/values'
import { isRetryable, isToolkitError, ToolkitError } from '@x/core-model'

/** A module failed. `cause` is the error of its component. */
export class PipelineModuleError extends ToolkitError {
  /** The key of the module; in nested pipelines, the path of keys from the outermost pipeline, such as `search/rerank`. */
  readonly module: string

  /** @param where - the part that failed, if it is not the component itself, such as `conditionFn of the link to "b"` */
  constructor(module: string, cause: unknown, where?: string) {
    const inner = isToolkitError(cause, 'pipeline_module') ? cause : undefined
    const path = inner ? `${module}/${inner.module}` : module
    const error = inner ? inner.cause : cause
    const message = `QueryPipeline: ${where ? `${where} failed` : `module "${path}" failed`}: ${errorMessage(error)}`
    super('PipelineModuleError', 'pipeline_module', message, { cause: error })
    this.module = path
  }

  /** Whether the error of the component is retryable. */
  override get retryable(): boolean {
    return isRetryable(this.cause)
  }
}

/**
 * A module key already exists or is unknown, an added value is not a component or a link, or an option of a link is unknown. Give each
 * module its own key, and link keys that exist.
 */
export class PipelineConfigError extends ToolkitError {
  constructor(message: string) {
    super('PipelineConfigError', 'pipeline_config', `QueryPipeline: ${message}.`)
  }
}

/** A link would create a cycle. Remove one of the links of the cycle. */
export class PipelineCycleError extends ToolkitError {
  constructor(src: string, dest: string) {
    super(
      'PipelineCycleError',
      'pipeline_cycle',
      `QueryPipeline: a link from "${src}" to "${dest}" would create a cycle.`,
    )
  }
}

/** The operation needs exactly one root. Link modules so that one has no link to it, or use `runMulti` for several. */
export class PipelineRootError extends ToolkitError {
  constructor(roots: readonly string[]) {
    const found = roots.length === 0 ? 'none' : roots.join(', ')
    super('PipelineRootError', 'pipeline_root', `QueryPipeline: expected exactly one root module, found ${found}.`)
  }
}

/**
 * The inputs of a run do not match the root modules, or the input that a link leads to is ambiguous. Pass the inputs that the message
 * names, by the key of their module if there are several roots.
 */
export class PipelineInputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineInputError', 'pipeline_input', `QueryPipeline: ${message}.`)
  }
}

/**
 * The pipeline does not have exactly one output, or the output that a link reads is missing or ambiguous. Link modules so that one
 * without a following link remains, and name the output with `srcKey`.
 */
export class PipelineOutputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineOutputError', 'pipeline_output', `QueryPipeline: ${message}.`)
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    pipeline_config: PipelineConfigError
    pipeline_cycle: PipelineCycleError
    pipeline_input: PipelineInputError
    pipeline_module: PipelineModuleError
    pipeline_output: PipelineOutputError
    pipeline_root: PipelineRootError
  }
}
