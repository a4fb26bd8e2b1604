export type {
  AgentAnswer,
  AgentRequest,
  AgentRun,
  AgentServiceOptions,
  AgentStatus,
  DurableAgent,
  EventMark,
  OnRunEvent,
  RunFailure,
  WaitingCall,
} from './agent-run.ts'
export { type AgentWorkflowHandlers, type AgentWorkflowOptions, agentWorkflow } from './agent-workflow.ts'
export { AgentSetupError, RetriesExhaustedError, RunChangedError } from './errors.ts'
export type { RestateSdk, RetryOptions } from './restate-sdk.ts'
