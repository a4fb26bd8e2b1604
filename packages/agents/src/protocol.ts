/**
 * @module
 * What own workers, protocols and tools consist of, and the types of details. Entry `@x/agents/protocol`.
 */
export { QueryResponse } from './answer/query-response.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export type { AgentWorker, StepOptions } from './loop/agent-worker.ts'
export {
  CustomSimpleAgentWorker,
  type CustomStepOptions,
  type CustomStepResult,
} from './loop/custom-simple-agent-worker.ts'
export type { GuardContext, PreparedStep } from './loop/hooks.ts'
export { JsonProtocol } from './loop/json/json-protocol.ts'
export type { ToolLoopOptions } from './loop/loop-options.ts'
export type { LoopState } from './loop/loop-state.ts'
export { NativeProtocol, resolveToolChoice } from './loop/native/native-protocol.ts'
export { ReActAnswerStream } from './loop/react/react-answer-stream.ts'
export { ReActChatFormatter } from './loop/react/react-chat-formatter.ts'
export { ReActOutputParser } from './loop/react/react-output-parser.ts'
export { ReActProtocol } from './loop/react/react-protocol.ts'
export {
  type ActionReasoningStep,
  isReasoningDone,
  type ReasoningStep,
  type ResponseReasoningStep,
  reasoningFromDict,
  reasoningText,
  reasoningToDict,
} from './loop/react/reasoning-step.ts'
export { shownSteps } from './loop/shown-steps.ts'
export type { StopWhen } from './loop/simple-steps.ts'
export type { Summarize, Summary, SummaryRequest } from './loop/summarize.ts'
export type {
  CallsTurn,
  ModelRequest,
  ModelTurn,
  RequestContext,
  Shown,
  TextReader,
  ToolCallingProtocol,
} from './loop/tool-calling-protocol.ts'
export { BaseAgentRunner } from './runner/agent-runner.ts'
export type { Answer } from './runner/finalizing.ts'
export type { ChatResponseMode } from './runner/runner-options.ts'
export { type DecidingAgent, readToolDecision } from './runner/tool-decision.ts'
export { GIVEN_BACK } from './runner/turn-recorder.ts'
export {
  type ErrorData,
  errorEvent,
  eventJson,
  outputJson,
  type StepEvent,
  TOOL_FAILURE,
  taskEndEvent,
} from './task/agent-event.ts'
export {
  type Approval,
  type ApprovalRecord,
  type AskedCall,
  approvalDifference,
  approvalRecord,
  sealOf,
} from './task/approval-record.ts'
export type { StepContext } from './task/step-context.ts'
export { inputMessageOf, type TaskInput, taskInput } from './task/task.ts'
export type { TaskLike } from './task/task-like.ts'
export type { ToolAgent } from './tool/agent-calls.ts'
export { adaptToAsyncTool, type NeedsApproval } from './tool/base-tool.ts'
export { hasUntrusted, taskMessages } from './tool/outside-text.ts'
export { plainAgentTool } from './tool/plain-agent-tool.ts'
export { plainTool } from './tool/plain-tool.ts'
export type { PlainToolMetadata, SchemaToolMetadata } from './tool/plain-tool-metadata.ts'
export { type ReadArguments, readArguments } from './tool/read-arguments.ts'
export type { ResultOf } from './tool/tool-schema.ts'
export type { ImageMessageParts } from './worker/multimodal-react-agent-worker.ts'
export { runToolCall } from './worker/run-tool-call.ts'
export { ToolLoopWorker } from './worker/tool-loop-worker.ts'
