/**
 * Agents as durable workflows of DBOS, on PostgreSQL: what workers need.
 * @module
 */
export { type AgentRun, type AgentWorkflowOptions, agentWorkflow } from './agent-workflow.ts'
export { durableSteps } from './durable-steps.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { type IngestionWorkflowOptions, ingestionWorkflow } from './ingestion-workflow.ts'
export type { TaskAnswer, TaskRequest } from './task-protocol.ts'
export { WorkerReaper } from './worker-reaper.ts'
