/**
 * @module
 * Step-wise agents: runners, workers, tasks, tools and memory.
 */
export {
  AgentChatResponse,
  type AgentChatResponseDict,
  type AgentChatResponseOptions,
  isChatResponse,
  StreamingAgentChatResponse,
  type StreamingAgentChatResponseOptions,
} from './agent-chat-response.ts'
export type { AgentEvent, PendingToolCall, StepEvent, ToolCall } from './agent-event.ts'
export { type AgentFromLlmOptions, agentFromLlm } from './agent-from-llm.ts'
export { AgentState, DAGAgentState, DAGTaskState, type TaskSnapshot, TaskState } from './agent-state.ts'
export {
  AbortError,
  ApprovalError,
  ApprovalRequiredError,
  BudgetExceededError,
  DeadlineExceededError,
  InvalidAgentOutputError,
  InvalidStepError,
  MaxIterationsError,
  MultipleFinalStepsError,
  NoCompletedStepError,
  NothingToUndoError,
  NoUpcomingStepError,
  ReActParseError,
  RepeatedFailureError,
  ReplayMismatchError,
  SavedTaskError,
  StepNotFoundError,
  StepNotLastError,
  StepNotReadyError,
  TaskAlreadyExistsError,
  TaskBusyError,
  TaskFinalizedError,
  TaskNotFoundError,
  TokenLimitError,
  ToolArgumentsError,
  ToolExecutionError,
  ToolInputError,
  ToolNameError,
  ToolNotFoundError,
  ToolSchemaError,
  ToolTimeoutError,
} from './errors.ts'
export { FunctionCallingAgent, type FunctionCallingAgentOptions } from './function-calling/function-calling-agent.ts'
export {
  FunctionCallingAgentWorker,
  type FunctionCallingAgentWorkerOptions,
  resolveToolChoice,
  toolCallsOf,
} from './function-calling/function-calling-agent-worker.ts'
export type {
  CustomSimpleAgentWorkerFields,
  CustomSimpleAgentWorkerOptions,
} from './generated/custom-simple-agent-worker.ts'
export type {
  QueryPipelineAgentWorkerFields,
  QueryPipelineAgentWorkerOptions,
} from './generated/query-pipeline-agent-worker.ts'
export type { ReActChatFormatterFields, ReActChatFormatterOptions } from './generated/react-chat-formatter.ts'
export type { TaskFields, TaskOptions } from './generated/task.ts'
export {
  type ContextRetriever,
  LegacyFunctionCallingAgent,
  type LegacyFunctionCallingAgentOptions,
  LegacyReActAgent,
} from './legacy/legacy-agents.ts'
export {
  ChatMemoryBuffer,
  type ChatMemoryBufferDefaults,
  type ChatMemoryBufferDict,
  type ChatMemoryBufferOptions,
  type MemoryClass,
} from './memory/chat-memory-buffer.ts'
export { QueryResponse } from './query-response.ts'
export {
  type ImageDocumentLike,
  type ImageMessageParts,
  imageMessage,
  MultimodalReActAgentWorker,
  type MultimodalReActAgentWorkerOptions,
} from './react/multimodal-react-agent-worker.ts'
export {
  ReActAgent,
  type ReActAgentFromToolsOptions,
  type ReActAgentOptions,
} from './react/react-agent.ts'
export { ReActAgentWorker, type ReActAgentWorkerOptions, type ReActState } from './react/react-agent-worker.ts'
export { ReActAnswerStream } from './react/react-answer-stream.ts'
export { type DescribedTool, ReActChatFormatter } from './react/react-chat-formatter.ts'
export { ReActOutputParser } from './react/react-output-parser.ts'
export {
  type ActionReasoningStep,
  isReasoningDone,
  type ObservationReasoningStep,
  type ReasoningStep,
  type ReasoningStepDict,
  type ResponseReasoningStep,
  reasoningFromDict,
  reasoningText,
  reasoningToDict,
  type UnparsedReasoningStep,
} from './react/reasoning-step.ts'
export { type ReadArguments, readArguments } from './read-arguments.ts'
export { AgentRunner, type AgentRunnerOptions } from './runner/agent-runner.ts'
export {
  BaseAgentRunner,
  type BaseAgentRunnerOptions,
  type ChatOptions,
  type ChatResponseMode,
  type RunStepOptions,
  type RunTaskOptions,
  type RunTimeouts,
} from './runner/base-agent-runner.ts'
export type { ChatAgent, ChatReplIo } from './runner/chat-repl.ts'
export { ParallelAgentRunner, type ParallelAgentRunnerOptions } from './runner/parallel-agent-runner.ts'
export { MemoryTaskStore, SAVED_TASK_VERSION, type SavedTask, type TaskStore } from './runner/saved-task.ts'
export type { Savable, SavableClass } from './savable-class.ts'
export { Task } from './task.ts'
export {
  type StepReference,
  TaskStep,
  type TaskStepDict,
  type TaskStepOptions,
  TaskStepOutput,
  type TaskStepOutputDict,
} from './task-step.ts'
export {
  type AsyncBaseTool,
  adaptToAsyncTool,
  type BaseTool,
  type NeedsApproval,
  type Tool,
  type ToolCallContext,
} from './tool/base-tool.ts'
export { type ArgumentIssue, type CheckedArguments, checkArguments } from './tool/check-arguments.ts'
export { FunctionTool, type FunctionToolOptions } from './tool/function-tool.ts'
export { type QueryEngine, QueryEngineTool, type QueryEngineToolOptions } from './tool/query-engine-tool.ts'
export { ToolMetadata, type ToolMetadataOptions } from './tool/tool-metadata.ts'
export type { ArgumentsOf, ToolSchema } from './tool/tool-schema.ts'
export {
  type AgentComponentState,
  AgentFnComponent,
  type AgentFnComponentOptions,
  AgentInputComponent,
  CustomAgentComponent,
  ToolRunnerComponent,
  type ToolRunnerComponentOptions,
} from './worker/agent-components.ts'
export type { AgentWorker, StepOptions, ToolChoice } from './worker/agent-worker.ts'
export {
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
} from './worker/custom-simple-agent-worker.ts'
export { QueryPipelineAgentWorker } from './worker/query-pipeline-agent-worker.ts'
export type { FailedToolCall, FailurePolicy, RepairToolCall, ToolCallOptions } from './worker/run-tool-call.ts'
export { runToolCall } from './worker/run-tool-call.ts'
export {
  type LoopState,
  type StopContext,
  type TaskBudget,
  type TaskUsage,
  type ToolLoopOptions,
  ToolLoopWorker,
} from './worker/tool-loop-worker.ts'
