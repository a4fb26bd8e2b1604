/**
 * @module
 * Query pipelines: a graph of query components.
 */
export {
  type Chainable,
  CustomQueryComponent,
  InputKeys,
  type ModuleLike,
  OutputKeys,
  type PipelineRunOptions,
  subQueryComponents,
  toComponent,
} from './component.ts'
export {
  ArgPackComponent,
  FnComponent,
  type FnParams,
  FunctionComponent,
  InputComponent,
  KwargPackComponent,
  OutputParserComponent,
  paramKeys,
  RouterComponent,
  type Selection,
  type Selector,
  SelectorComponent,
} from './components.ts'
export {
  type CheckedInputs,
  type ComponentDefinition,
  defineComponent,
  type InputSpecs,
  type InputValues,
  type OptionalInput,
  type OutputSpecs,
  type OutputValues,
  optional,
  type Typed,
  type TypedComponent,
  typed,
  type ValueSpec,
} from './define-component.ts'
export { definePipeline, type PipelineDefinition, type PipelineModules, type TypedPipeline } from './define-pipeline.ts'
export {
  PipelineConfigError,
  PipelineCycleError,
  PipelineInputError,
  PipelineModuleError,
  PipelineOutputError,
  PipelineRootError,
} from './errors.ts'
export { Link } from './graph.ts'
export { MapComponent } from './map-component.ts'
export type { RunOptions } from './options.ts'
export { type Intermediate, type PipelineDag, QueryPipeline } from './query-pipeline.ts'
export { RetryComponent } from './retry-component.ts'
