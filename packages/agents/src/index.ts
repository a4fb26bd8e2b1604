/**
 * @module
 * Step-wise agents: runners, workers, tasks, tools and memory.
 */

export { type AgentFromLlmOptions, agentFromLlm } from './agent/agent-from-llm.ts'
export { FunctionCallingAgent, type FunctionCallingAgentOptions } from './agent/function-calling-agent.ts'
export {
  ReActAgent,
  type ReActAgentFromToolsOptions,
  type ReActAgentOptions,
} from './agent/react-agent.ts'
export {
  AgentChatResponse,
  type AgentChatResponseDict,
  type AgentChatResponseOptions,
} from './answer/agent-chat-response.ts'
export { type AnswerJson, answerToJson } from './answer/answer-json.ts'
export { isChatResponse } from './answer/is-chat-response.ts'
export { QueryResponse } from './answer/query-response.ts'
export { StreamingAgentChatResponse, type StreamingAgentChatResponseOptions } from './answer/streaming-chat-response.ts'
export type { TaskUsage } from './answer/task-usage.ts'
export {
  AbortError,
  ConversationBusyError,
  DeadlineExceededError,
  TextRestartedError,
  TokenLimitError,
} from './errors.ts'
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
export { type JournalOptions, journal, journalPort } from './journal.ts'
export { keepWithin } from './layers/context-window.ts'
export { type StructuredOptions, structured } from './layers/structured.ts'
export {
  LegacyFunctionCallingAgent,
  type LegacyFunctionCallingAgentOptions,
  LegacyReActAgent,
} from './legacy/legacy-agents.ts'
export type { AgentWorker, StepOptions, ToolChoice } from './loop/agent-worker.ts'
export type { ContextWindowOptions, LeftOut } from './loop/context-window.ts'
export {
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
} from './loop/custom-simple-agent-worker.ts'
export type {
  Guard,
  GuardContext,
  GuardedCall,
  Guards,
  GuardVerdict,
  InputGuardContext,
  OutputMode,
  PreparedStep,
  PrepareStep,
  StepPlan,
} from './loop/hooks.ts'
export { JsonProtocol, type JsonProtocolOptions } from './loop/json/json-protocol.ts'
export {
  BudgetExceededError,
  CutAnswerError,
  GuardBlockedError,
  InvalidAgentOutputError,
  InvalidOutputError,
  MaxIterationsError,
  RepeatedFailureError,
} from './loop/loop-errors.ts'
export type { StopContext, ToolLoopOptions } from './loop/loop-options.ts'
export type { LoopState } from './loop/loop-state.ts'
export { NativeProtocol, resolveToolChoice } from './loop/native/native-protocol.ts'
export { ReActAnswerStream } from './loop/react/react-answer-stream.ts'
export { type DescribedTool, ReActChatFormatter } from './loop/react/react-chat-formatter.ts'
export { ReActOutputParser } from './loop/react/react-output-parser.ts'
export { ReActProtocol, type ReActProtocolOptions, type ReActState } from './loop/react/react-protocol.ts'
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
} from './loop/react/reasoning-step.ts'
export type { StepStopContext, StopWhen } from './loop/simple-steps.ts'
export {
  type Summarize,
  type SummarizeOptions,
  type Summary,
  type SummaryRequest,
  summarizeWith,
} from './loop/summarize.ts'
export type {
  CallsTurn,
  ModelRequest,
  RequestContext,
  TextReader,
  ToolCallingProtocol,
  Turn,
} from './loop/tool-calling-protocol.ts'
export type { TaskBudget } from './loop/usage.ts'
export {
  ChatMemoryBuffer,
  type ChatMemoryBufferDefaults,
  type ChatMemoryBufferDict,
  type ChatMemoryBufferOptions,
  type MemoryClass,
} from './memory/chat-memory-buffer.ts'
export { StoredChatMemory, type StoredChatMemoryOptions } from './memory/stored-chat-memory.ts'
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
export { ReplayMismatchError } from './replay/replay-error.ts'
export { AgentRunner, type AgentRunnerOptions } from './runner/agent-runner.ts'
export { BaseAgentRunner } from './runner/base-agent-runner.ts'
export type { ChatAgent, ChatReplIo } from './runner/chat-repl.ts'
export { Conversation, type ConversationEventsOptions, type ConversationOptions } from './runner/conversation.ts'
export { outcomeOf, type RunOutcome } from './runner/outcome.ts'
export { ParallelAgentRunner, type ParallelAgentRunnerOptions } from './runner/parallel-agent-runner.ts'
export type {
  BaseAgentRunnerOptions,
  ChatOptions,
  ChatResponseMode,
  QueryOptions,
  RunArguments,
  RunContextOptions,
  RunEventsOptions,
  RunStepOptions,
  RunTaskOptions,
  RunTimeouts,
} from './runner/runner-options.ts'
export type { CreateTaskOptions } from './runner/runner-tasks.ts'
export {
  applyToolDecision,
  type DecidingAgent,
  readToolDecision,
  type ToolDecision,
} from './runner/tool-decision.ts'
export {
  type AgentEvent,
  type AnswerData,
  type ErrorData,
  errorEvent,
  type PendingToolCall,
  type StepEvent,
  type ToolCall,
  taskEndEvent,
} from './task/agent-event.ts'
export type { AgentInput } from './task/agent-input.ts'
export {
  AgentState,
  DAGAgentState,
  DAGTaskState,
  type TaskPhase,
  TaskState,
} from './task/agent-state.ts'
export { isHandledError, type JournalPort, passThrough, type ResultCodec, type ResultKind } from './task/durable.ts'
export type { Journal, LoadTaskOptions } from './task/journal.ts'
export { journalEntries } from './task/journal-entries.ts'
export type { JournalEntry, JournalEvent, StateChange } from './task/journal-entry.ts'
export type { AddedItems } from './task/list-table.ts'
export { MemoryTaskStore } from './task/memory-task-store.ts'
export type { Savable, SavableClass } from './task/savable-class.ts'
export {
  SAVED_TASK_VERSION,
  type SavedOpenStep,
  type SavedSnapshot,
  type SavedStepOutput,
  type SavedTask,
} from './task/saved-task.ts'
export { type CheckBudget, type StepContext, stepContext } from './task/step-context.ts'
export { Task } from './task/task.ts'
export {
  ApprovalError,
  ApprovalRequiredError,
  InvalidStepError,
  MultipleFinalStepsError,
  NoCompletedStepError,
  NothingToUndoError,
  NoUpcomingStepError,
  SavedTaskError,
  StepNotFoundError,
  StepNotLastError,
  StepNotReadyError,
  TaskAlreadyExistsError,
  TaskBusyError,
  TaskClaimedError,
  TaskFinalizedError,
  TaskNotFoundError,
} from './task/task-errors.ts'
export type { MessageList, MessageSource, StepLike, TaskLike } from './task/task-like.ts'
export type { TaskSnapshot } from './task/task-snapshot.ts'
export {
  type StepReference,
  TaskStep,
  type TaskStepDict,
  type TaskStepOptions,
  TaskStepOutput,
  type TaskStepOutputDict,
} from './task/task-step.ts'
export { expandJournal } from './task/written-once.ts'
export { AgentTool, type AgentToolConversation, type AgentToolOptions, type ToolAgent } from './tool/agent-tool.ts'
export {
  type AsyncBaseTool,
  adaptToAsyncTool,
  type BaseTool,
  type NamesOf,
  type NeedsApproval,
  type Tool,
  type ToolCallContext,
} from './tool/base-tool.ts'
export { type ArgumentIssue, type CheckedArguments, checkArguments } from './tool/check-arguments.ts'
export { type FunctionResult, FunctionTool, type FunctionToolOptions } from './tool/function-tool.ts'
export { HandoffTool, type HandoffToolOptions } from './tool/handoff-tool.ts'
export { type QueryEngine, QueryEngineTool, type QueryEngineToolOptions } from './tool/query-engine-tool.ts'
export type { QuestionToolOptions } from './tool/question-tool.ts'
export { type ReadArguments, readArguments } from './tool/read-arguments.ts'
export { RetrieverTool, type RetrieverToolOptions } from './tool/retriever-tool.ts'
export type { FailedToolCall, FailurePolicy, RepairToolCall } from './tool/tool-call-options.ts'
export {
  ReActParseError,
  ToolArgumentsError,
  ToolExecutionError,
  ToolInputError,
  ToolNameError,
  ToolNotFoundError,
  ToolSchemaError,
  ToolTimeoutError,
} from './tool/tool-errors.ts'
export { type ToolAnnotations, ToolMetadata, type ToolMetadataOptions } from './tool/tool-metadata.ts'
export type { ArgumentsOf, ResultOf, ToolSchema } from './tool/tool-schema.ts'
export type { ContextOf, OutputOf } from './tool/typed-tools.ts'
export {
  FunctionCallingAgentWorker,
  type FunctionCallingAgentWorkerOptions,
} from './worker/function-calling-agent-worker.ts'
export {
  type ImageDocumentLike,
  type ImageMessageParts,
  imageMessage,
  MultimodalReActAgentWorker,
  type MultimodalReActAgentWorkerOptions,
} from './worker/multimodal-react-agent-worker.ts'
export { type MakeProtocol, ReActAgentWorker, type ReActAgentWorkerOptions } from './worker/react-agent-worker.ts'
export { runToolCall, type ToolCallOptions } from './worker/run-tool-call.ts'
export { ToolLoopWorker, type ToolLoopWorkerOptions } from './worker/tool-loop-worker.ts'
