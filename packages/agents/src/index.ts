/**
 * @module
 * Step-wise agents: runners, workers, tasks, tools and memory.
 */

export { ChatMemoryBuffer, StoredChatMemory } from '@x/core-model/memory'
export { type AgentFromLlmOptions, agentFromLlm } from './agent/agent-from-llm.ts'
export { FunctionCallingAgent, type FunctionCallingAgentOptions } from './agent/function-calling-agent.ts'
export { ReActAgent, type ReActAgentFromToolsOptions, type ReActAgentOptions } from './agent/react-agent.ts'
export { AgentChatResponse } from './answer/agent-chat-response.ts'
export { type AnswerJson, answerToJson } from './answer/answer-json.ts'
export { isChatResponse, StreamingAgentChatResponse } from './answer/chat-answer.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { journal, journalPort } from './journal.ts'
export { keepWithin } from './layers/keep-within.ts'
export { structured } from './layers/structured.ts'
export type { ToolChoice } from './loop/agent-worker.ts'
export type { ContextWindowOptions } from './loop/context-window.ts'
export type { ContextWindowLayer, Guard, Guards, GuardVerdict, PrepareStep, StructuredLayer } from './loop/hooks.ts'
export type { Layer } from './loop/layer.ts'
export { type Summary, type SummaryRequest, summarizeWith } from './loop/summarize.ts'
export type { TaskBudget } from './loop/usage.ts'
export { AgentRunner, type AgentRunnerOptions } from './runner/agent-runner.ts'
export { Conversation } from './runner/conversation.ts'
export { outcomeOf, type RunOutcome } from './runner/outcome.ts'
export { ParallelAgentRunner } from './runner/parallel-agent-runner.ts'
export type { ChatOptions, RunEventsOptions, RunStepOptions } from './runner/runner-options.ts'
export type { CreateTaskOptions } from './runner/runner-tasks.ts'
export { applyToolDecision, type ToolDecision } from './runner/tool-decision.ts'
export type {
  AgentEvent,
  CallDecision,
  PendingToolCall,
  ToolCall,
  ToolCallEvent,
  TurnCall,
} from './task/agent-event.ts'
export type { JournalPort } from './task/durable.ts'
export type { Journal } from './task/journal.ts'
export { MemoryTaskStore } from './task/memory-task-store.ts'
export { type AgentInput, Task } from './task/task.ts'
export { TaskStep, type TaskStepDict } from './task/task-step.ts'
export { TaskStepOutput } from './task/task-step-output.ts'
export type { TaskUsage } from './task-usage.ts'
export { AgentTool, type AgentToolOptions } from './tool/agent-tool.ts'
export type { AsyncBaseTool, BaseTool, Tool, ToolCallContext, TypedTool } from './tool/base-tool.ts'
export { FunctionTool } from './tool/function-tool.ts'
export { HandoffTool, type HandoffToolOptions } from './tool/handoff-tool.ts'
export { QueryEngineTool, type QueryEngineToolOptions } from './tool/query-engine-tool.ts'
export { RetrieverTool, type RetrieverToolOptions } from './tool/retriever-tool.ts'
export { type FunctionToolOptions, type SchemaTool, schemaTool } from './tool/schema-tool.ts'
export type { RepairToolCall } from './tool/tool-call-options.ts'
export { ToolMetadata } from './tool/tool-metadata.ts'
export type { ToolSchema } from './tool/tool-schema.ts'
export { FunctionCallingAgentWorker } from './worker/function-calling-agent-worker.ts'
export { MultimodalReActAgentWorker } from './worker/multimodal-react-agent-worker.ts'
export { ReActAgentWorker } from './worker/react-agent-worker.ts'
