/**
 * @module
 * What own workers, protocols and tools consist of, and the types of details. Entry `@x/agents/protocol`.
 */
export { QueryResponse } from './answer/query-response.ts'
export type { StreamingAgentChatResponseOptions } from './answer/streaming-chat-response.ts'
export type { AgentWorker, StepOptions } from './loop/agent-worker.ts'
export type { LeftOutMessages } from './loop/context-window.ts'
export {
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
} from './loop/custom-simple-agent-worker.ts'
export type {
  ApprovalBinding,
  GuardContext,
  GuardedCall,
  InputGuardContext,
  OutputMode,
  PreparedRequest,
  PreparedStep,
  StepPlan,
} from './loop/hooks.ts'
export { JsonProtocol } from './loop/json/json-protocol.ts'
export type { StopContext, ToolLoopOptions } from './loop/loop-options.ts'
export type { LoopState } from './loop/loop-state.ts'
export { NativeProtocol, resolveToolChoice } from './loop/native/native-protocol.ts'
export { ReActAnswerStream } from './loop/react/react-answer-stream.ts'
export { type DescribedTool, ReActChatFormatter } from './loop/react/react-chat-formatter.ts'
export { ReActOutputParser } from './loop/react/react-output-parser.ts'
export { ReActProtocol, type ReActState } from './loop/react/react-protocol.ts'
export {
  type ActionReasoningStep,
  isReasoningDone,
  type ObservationReasoningStep,
  type ReasoningStep,
  type ResponseReasoningStep,
  reasoningFromDict,
  reasoningText,
  reasoningToDict,
  type UnparsedReasoningStep,
} from './loop/react/reasoning-step.ts'
export type { StopWhen } from './loop/simple-steps.ts'
export type { Summarize, Summary, SummaryRequest } from './loop/summarize.ts'
export type {
  AnswerTurn,
  CallsTurn,
  ModelRequest,
  ModelTurn,
  RequestContext,
  Shown,
  TextReader,
  ToolCallingProtocol,
} from './loop/tool-calling-protocol.ts'
export { BaseAgentRunner } from './runner/base-agent-runner.ts'
export type { ChatReplIo } from './runner/chat-repl.ts'
export type { ConversationEventsOptions, ConversationOptions } from './runner/conversation.ts'
export type { Answer } from './runner/finalizing.ts'
export type {
  BaseAgentRunnerOptions,
  ChatResponseMode,
  OnAgentEvent,
  RunArguments,
  RunContextOptions,
} from './runner/runner-options.ts'
export { type DecidingAgent, readToolDecision } from './runner/tool-decision.ts'
export { GIVEN_BACK } from './runner/turn-recorder.ts'
export { type AnswerData, type ErrorData, errorEvent, type StepEvent, taskEndEvent } from './task/agent-event.ts'
export { inputMessageOf, type TaskInput, taskInput } from './task/agent-input.ts'
export {
  type AllowedTool,
  type Approval,
  type ApprovalRecord,
  type AskedCall,
  approvalDifference,
  approvalRecord,
  type ShownTool,
  sealOf,
} from './task/approval-record.ts'
export { type CheckBudget, type StepContext, stepContext } from './task/step-context.ts'
export type { MessageList, MessageSource, StepLike, TaskLike } from './task/task-like.ts'
export type { AgentToolConversation, ToolAgent } from './tool/agent-calls.ts'
export { adaptToAsyncTool, type NeedsApproval, type ToolNames, type TypedTool } from './tool/base-tool.ts'
export { hasUntrusted, taskMessages } from './tool/outside-text.ts'
export { plainAgentTool } from './tool/plain-agent-tool.ts'
export { plainTool } from './tool/plain-tool.ts'
export type {
  PlainToolMetadata,
  SchemaToolMetadata,
  ToolAnnotations,
  ToolMetadataOptions,
} from './tool/plain-tool-metadata.ts'
export type { QuestionToolOptions } from './tool/question-tool.ts'
export { type ReadArguments, readArguments } from './tool/read-arguments.ts'
export type { FunctionResult } from './tool/schema-tool.ts'
export type { ToolCheck } from './tool/standard-check.ts'
export type { FailedToolCall, FailurePolicy } from './tool/tool-call-options.ts'
export type { ArgumentsOf, ResultOf } from './tool/tool-schema.ts'
export type { CallEventOf, ContextOf, DistinctTools, OutputOf } from './tool/typed-tools.ts'
export { type ImageDocumentLike, type ImageMessageParts, imageMessage } from './worker/multimodal-react-agent-worker.ts'
export type { MakeProtocol } from './worker/react-agent-worker.ts'
export { runToolCall } from './worker/run-tool-call.ts'
export { ToolLoopWorker } from './worker/tool-loop-worker.ts'
