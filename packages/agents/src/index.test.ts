/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as errors from './errors.ts'
import * as agents from './index.ts'

describe('@x/agents', () => {
  it('exports these names', () => {
    expect(Object.keys(agents).sort().join(' ')).toMatchInlineSnapshot(
      `"AbortError AgentChatResponse AgentFnComponent AgentInputComponent AgentRunner AgentState ApprovalError ApprovalRequiredError BaseAgentRunner BudgetExceededError ChatMemoryBuffer CustomAgentComponent CustomSimpleAgentWorker DAGAgentState DAGTaskState FunctionCallingAgent FunctionCallingAgentWorker FunctionTool InvalidAgentOutputError InvalidStepError LegacyFunctionCallingAgent LegacyReActAgent MaxIterationsError MemoryTaskStore MultimodalReActAgentWorker MultipleFinalStepsError NoCompletedStepError NoUpcomingStepError NothingToUndoError ParallelAgentRunner QueryEngineTool QueryPipelineAgentWorker QueryResponse ReActAgent ReActAgentWorker ReActAnswerStream ReActChatFormatter ReActOutputParser ReActParseError RepeatedFailureError ReplayMismatchError SAVED_TASK_VERSION SavedTaskError StepNotFoundError StepNotLastError StepNotReadyError StreamingAgentChatResponse Task TaskAlreadyExistsError TaskBusyError TaskFinalizedError TaskNotFoundError TaskState TaskStep TaskStepOutput TokenLimitError ToolExecutionError ToolInputError ToolLoopWorker ToolMetadata ToolNameError ToolNotFoundError ToolRunnerComponent ToolSchemaError ToolTimeoutError adaptToAsyncTool agentFromLlm checkArguments imageMessage isChatResponse isReasoningDone readArguments reasoningFromDict reasoningText reasoningToDict resolveToolChoice runToolCall toolCallsOf"`,
    )
  })

  it('has these error codes', () => {
    const source = readFileSync(new URL('./errors.ts', import.meta.url), 'utf8')
    const codes = [...source.matchAll(/export class (\w+)[\s\S]*?super\(\s*'(\w+)'/g)].map(([, name, code]) => [
      name,
      code,
    ])
    expect(codes.map(([name]) => name).sort()).toEqual(Object.keys(errors).sort())
    expect(new Set(codes.map(([, code]) => code)).size).toBe(codes.length)
    for (const [name, Made] of Object.entries(errors)) {
      const made = new (Made as unknown as new (...args: unknown[]) => errors.TaskBusyError)('x', [], '')
      expect([made.name, made.code]).toEqual(codes.find(([declared]) => declared === name))
    }
    expect(codes.map(([, code]) => code).join(' ')).toMatchInlineSnapshot(
      `"task_not_found task_already_exists task_finalized task_busy step_not_found invalid_step step_not_ready step_not_last no_upcoming_step no_completed_step nothing_to_undo multiple_final_steps invalid_agent_output max_iterations budget_exceeded repeated_failure tool_not_found tool_input tool_execution tool_timeout tool_name tool_schema abort token_limit saved_task approval approval_required replay_mismatch"`,
    )
  })

  it('offers every operation of a runner and a worker', () => {
    const runner = [
      'chat',
      'streamChat',
      'runStep',
      'streamStep',
      'finalizeResponse',
      'getCompletedStep',
      'getCompletedSteps',
      'getUpcomingSteps',
      'undoStep',
      'deleteTask',
      'reset',
      'chatRepl',
      'streamingChatRepl',
      'getPrompts',
      'updatePrompts',
      'asQueryComponent',
      'createTask',
      'listTasks',
      'getTask',
      'query',
    ]
    for (const maker of [
      agents.AgentRunner,
      agents.ParallelAgentRunner,
      agents.ReActAgent,
      agents.FunctionCallingAgent,
    ]) {
      for (const name of runner) expect(typeof Reflect.get(maker.prototype, name), name).toBe('function')
    }
    expect(typeof agents.ParallelAgentRunner.prototype.runStepsInQueue).toBe('function')
    const workers = [
      agents.ReActAgentWorker,
      agents.MultimodalReActAgentWorker,
      agents.CustomSimpleAgentWorker,
      agents.QueryPipelineAgentWorker,
      agents.FunctionCallingAgentWorker,
    ]
    for (const worker of workers) {
      for (const name of [
        'initializeStep',
        'runStep',
        'streamStep',
        'finalizeTask',
        'setCallbackManager',
        'getPrompts',
        'updatePrompts',
      ]) {
        expect(typeof Reflect.get(worker.prototype, name), name).toBe('function')
      }
    }
  })
})
