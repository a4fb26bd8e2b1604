export { type AgentConversationHandlers, agentConversation } from './agent-conversation.ts'
export type { AgentRun, AgentServiceOptions, DurableAgent, RunReplay } from './agent-run.ts'
export { type AgentStepsHandlers, type AgentStepsOptions, agentSteps } from './agent-steps.ts'
export { type AgentWorkflowHandlers, type AgentWorkflowOptions, agentWorkflow } from './agent-workflow.ts'
export { RetriesExhaustedError } from './errors.ts'
export {
  type IngestionWorkflowHandlers,
  type IngestionWorkflowOptions,
  ingestionWorkflow,
} from './ingestion-workflow.ts'
export { ResultTooLargeError } from './record.ts'
export { reportOnce } from './report-once.ts'
export type {
  AgentAnswer,
  AgentRequest,
  AgentStatus,
  ConversationAnswer,
} from './run-protocol.ts'
