/**
 * @module
 * The errors of pipelines; errors of components pass through unchanged.
 */
import { ToolkitError } from '@x/core-model'

/** A module key is taken or unknown, or what is added is no component or link. */
export class PipelineConfigError extends ToolkitError {
  constructor(message: string) {
    super('PipelineConfigError', 'pipeline_config', `QueryPipeline: ${message}.`)
  }
}

/** A link would close a cycle. */
export class PipelineCycleError extends ToolkitError {
  constructor(src: string, dest: string) {
    super(
      'PipelineCycleError',
      'pipeline_cycle',
      `QueryPipeline: a link from "${src}" to "${dest}" would close a cycle.`,
    )
  }
}

/** The operation needs exactly one root. */
export class PipelineRootError extends ToolkitError {
  constructor(roots: readonly string[]) {
    const found = roots.length === 0 ? 'it has none' : `it has ${roots.join(', ')}`
    super('PipelineRootError', 'pipeline_root', `QueryPipeline: expected exactly one root; ${found}.`)
  }
}

/** The inputs of a run do not fit the roots, or a link cannot tell which input it goes to. */
export class PipelineInputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineInputError', 'pipeline_input', `QueryPipeline: ${message}.`)
  }
}

/** There is not exactly one output, or a link cannot tell which output it carries. */
export class PipelineOutputError extends ToolkitError {
  constructor(message: string) {
    super('PipelineOutputError', 'pipeline_output', `QueryPipeline: ${message}.`)
  }
}
