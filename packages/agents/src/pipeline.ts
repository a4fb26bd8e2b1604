/**
 * @module
 * Agents whose steps are a query pipeline. Entry `@x/agents/pipeline`.
 */
export type {
  QueryPipelineAgentWorkerFields,
  QueryPipelineAgentWorkerOptions,
} from './generated/query-pipeline-agent-worker.ts'
export {
  type AgentComponentState,
  AgentFnComponent,
  type AgentFnComponentOptions,
  AgentInputComponent,
  CustomAgentComponent,
  ToolRunnerComponent,
  type ToolRunnerComponentOptions,
} from './pipeline/agent-components.ts'
export { QueryPipelineAgentWorker } from './pipeline/query-pipeline-agent-worker.ts'
