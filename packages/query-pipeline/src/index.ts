/**
 * @module
 * Query pipelines: a graph of query components.
 */
export {
  CustomQueryComponent,
  InputKeys,
  OutputKeys,
  type PipelineRunOptions,
  subQueryComponents,
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
  type Selector,
  SelectorComponent,
} from './components.ts'
export {
  defineComponent,
  type OptionalInput,
  optional,
  type Typed,
  type TypedComponent,
  typed,
} from './define-component.ts'
export { definePipeline, type TypedPipeline } from './define-pipeline.ts'
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
