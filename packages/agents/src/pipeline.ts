/**
 * @module
 * Agents whose steps are a query pipeline. Entry `@x/agents/pipeline`.
 */
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export {
  AgentFnComponent,
  AgentInputComponent,
  CustomAgentComponent,
  ToolRunnerComponent,
} from './pipeline/agent-components.ts'
export { QueryPipelineAgentWorker } from './pipeline/query-pipeline-agent-worker.ts'
