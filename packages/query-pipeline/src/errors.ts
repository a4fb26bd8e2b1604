/**
 * @module
 * The errors of pipelines. Errors of components pass through unchanged.
 */
import { ToolkitError } from '@x/core-model'

/** A module key already exists or is unknown, or an added value is not a component or a link. */
export class PipelineConfigError extends ToolkitError {
  constructor(message: string) {
    super('PipelineConfigError', 'pipeline_config', `QueryPipeline: ${message}.`)
  }
}

/** A link would create a cycle. */
export class PipelineCycleError extends ToolkitError {
  constructor(src: string, dest: string) {
    super(
      'PipelineCycleError',
      'pipeline_cycle',
      `QueryPipeline: a link from "${src}" to "${dest}" would create a cycle.`,
    )
  }
}

/** The operation needs exactly one root. */
export class PipelineRootError extends ToolkitError {
  constructor(roots: readonly string[]) {
    const found = roots.length === 0 ? 'none' : roots.join(', ')
    super('PipelineRootError', 'pipeline_root', `QueryPipeline: expected exactly one root module, found ${found}.`)
  }
}

/** The inputs of a run do not match the root modules, or the input that a link leads to is ambiguous. */
export class PipelineInputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineInputError', 'pipeline_input', `QueryPipeline: ${message}.`)
  }
}

/** The pipeline does not have exactly one output, or the output that a link reads is missing or ambiguous. */
export class PipelineOutputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineOutputError', 'pipeline_output', `QueryPipeline: ${message}.`)
  }
}

declare module '@x/core-model' {
  interface ToolkitErrors {
    pipeline_config: PipelineConfigError
    pipeline_cycle: PipelineCycleError
    pipeline_input: PipelineInputError
    pipeline_output: PipelineOutputError
    pipeline_root: PipelineRootError
  }
}
