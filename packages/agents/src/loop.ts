/**
 * @module
 * The loop of agents with tools, without a runner, and the layers of its features. Entry `@x/agents/loop`.
 */

export { clipOutputs, repeatedFailures, stopWhen } from './layers/after-calls.ts'
export { agentTools } from './layers/agent-tools.ts'
export { type ApprovalOptions, approvals } from './layers/approvals.ts'
export { boundApprovals } from './layers/bound-approvals.ts'
export { budget, type Limits, limits } from './layers/budget.ts'
export { cutAnswers } from './layers/cut-answers.ts'
export { type FailurePolicies, failures } from './layers/failures.ts'
export { guards } from './layers/guards.ts'
export { keepWithin } from './layers/keep-within.ts'
export { lenientArguments } from './layers/lenient-arguments.ts'
export { partialOutput } from './layers/partial-output.ts'
export { modelOptions, prepareMessages, prepareStep } from './layers/prepare-step.ts'
export { rateLimit } from './layers/rate-limit.ts'
export { reasoning } from './layers/reasoning.ts'
export { repairs } from './layers/repairs.ts'
export { retries } from './layers/retries.ts'
export { streaming } from './layers/streaming.ts'
export { structured } from './layers/structured.ts'
export { timeLimit } from './layers/time-limit.ts'
export { toolSearch } from './layers/tool-search.ts'
export { traced } from './layers/traced.ts'
export type { CallIds } from './loop/call-ids.ts'
export type {
  ApprovalBinding,
  ApprovalSettings,
  ContextWindowLayer,
  OptionLayer,
  StructuredLayer,
} from './loop/hooks.ts'
export type {
  AcceptInput,
  ApproveCall,
  CallModel,
  CallTool,
  CheckReply,
  Layer,
  Layers,
  Loop,
  LoopCall,
  MakeCalls,
  MakeRequest,
  ModelReply,
  Outcome,
  ReadCallArguments,
  ReadReply,
  RecordTurn,
  RequestPlan,
  RunStep,
  Scope,
  StepRequest,
} from './loop/layer.ts'
export type { LayeredLoop } from './loop/loop.ts'
export type { LoopState } from './loop/loop-state.ts'
export type { SavedReply } from './loop/reply.ts'
export { type TaskBudget, watchStop } from './loop/usage.ts'
export { decide, type LoopDecision } from './small/decide.ts'
export { eventsOf } from './small/events.ts'
export { type ReActLoopSettings, reactLoop } from './small/react-loop.ts'
export type { LoopResult, LoopRunOptions, OutputIn, SmallLoop, SmallLoopOptions } from './small/small-loop.ts'
export { readLoopTask, writeLoopTask } from './small/task-json.ts'
export { type ToolLoopSettings, toolLoop } from './small/tool-loop.ts'
export type { CallDecision, PendingToolCall, StepEvent, ToolCall, ToolCallEvent, TurnCall } from './task/agent-event.ts'
export type { TaskLike } from './task/task-like.ts'
export type { TaskUsage } from './task-usage.ts'
export { CONTROL_TOKENS, neutralized } from './tool/control-tokens.ts'
export { FunctionTool } from './tool/function-tool.ts'
export { type SchemaTool, schemaTool } from './tool/schema-tool.ts'
export { untrusted } from './tool/untrusted.ts'
