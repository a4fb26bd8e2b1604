/// <reference types="node" />
import { describe, expect, it } from 'vitest'
import { AgentSetupError, RunChangedError, TaskCancelledError, UnsupportedOperationError } from './durable.ts'
import * as errors from './errors.ts'
import * as main from './index.ts'
import * as pipelines from './pipeline.ts'
import * as protocols from './protocol.ts'

const agents = { ...main, ...pipelines, ...protocols }

describe('@x/agents', () => {
  it('has these error codes', () => {
    const ofTasks = { AgentSetupError, RunChangedError, TaskCancelledError, UnsupportedOperationError }
    const classes = Object.entries({ ...errors, ...ofTasks }).filter(([name]) => /^[A-Z].*Error$/.test(name))
    const made = classes.map(([name, Made]): [string, errors.TaskBusyError] => [
      name,
      new (Made as unknown as new (...args: unknown[]) => errors.TaskBusyError)('x', []),
    ])
    for (const [name, error] of made) expect(error.name).toBe(name)
    expect(made.map(([, { code }]) => code).sort()).toMatchInlineSnapshot(`
      [
        "abort",
        "agent_setup",
        "approval",
        "approval_required",
        "budget_exceeded",
        "conversation_busy",
        "cut_answer",
        "deadline_exceeded",
        "guard_blocked",
        "invalid_agent_output",
        "invalid_output",
        "invalid_step",
        "max_iterations",
        "multiple_final_steps",
        "no_completed_step",
        "no_upcoming_step",
        "nothing_to_undo",
        "react_parse",
        "repeated_failure",
        "replay_mismatch",
        "run_changed",
        "saved_task",
        "step_not_found",
        "step_not_last",
        "step_not_ready",
        "task_already_exists",
        "task_busy",
        "task_cancelled",
        "task_claimed",
        "task_finalized",
        "task_not_found",
        "text_restarted",
        "token_limit",
        "tool_arguments",
        "tool_execution",
        "tool_input",
        "tool_name",
        "tool_not_found",
        "tool_schema",
        "tool_timeout",
        "unsupported_operation",
      ]
    `)
  })

  it('has every method of a runner and a worker', () => {
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
