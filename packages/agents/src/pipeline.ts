/**
 * @module
 * Agents whose steps are a query pipeline. Entry `@x/agents/pipeline`.
 */
export {
  AgentFnComponent,
  AgentInputComponent,
  CustomAgentComponent,
  ToolRunnerComponent,
} from './pipeline/agent-components.ts'
export { QueryPipelineAgentWorker } from './pipeline/query-pipeline-agent-worker.ts'
