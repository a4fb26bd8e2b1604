/**
 * @module
 * An agent as a workflow of DBOS.
 */
import { answerToJson, type JournalPort, journalPort } from '@x/agents'
import { type BaseAgentRunner, errorEvent, taskEndEvent } from '@x/agents/protocol'
import {
  callback,
  checkOptions,
  flag,
  group,
  having,
  type OptionTable,
  required,
  text,
  wholeNumber,
} from '@x/core/options'
import { type ChatStore, isToolkitError, type Json, type RepeatOptions } from '@x/core-model'
import { RetryPolicy, repeatOptions } from '@x/core-model/async'
import { createAgent, createSubmittedTask, readSubmission, TaskDecisions } from '@x/durable'
import type { DbosRuntime } from './dbos-types.ts'
import { durableSteps } from './durable-steps.ts'
import { EventWriter } from './event-writer.ts'
import { readDecisions } from './stored-decisions.ts'
import {
  DECIDED,
  type ParkedTask,
  type TaskAnswer,
  type TaskRequest,
  WAITING,
  type WaitingTask,
} from './task-protocol.ts'

/** The maximum time of one wait for a decision, after which the workflow waits again. Timers of a platform are limited to 24 days. */
const WAIT_SECONDS = 7 * 24 * 3600

/**
 * The argument of the function that creates the agent, once for each run of its workflow. `Context` is the type of the context that your
 * program submits.
 */
export interface AgentRun<Context = Json | undefined> {
  /** The id of the task, which is that of the workflow. */
  taskId: string
  /** Pass it to the agent: every call of a model or a tool is a step of the workflow. */
  durable: JournalPort
  /** Pass it to the agent: it returns the same ids whenever the workflow runs again. */
  newId: () => string
  /** Aborted when the workflow is cancelled. The run of the agent receives it too. */
  signal: AbortSignal
  /** The `context` of the request. Tools and hooks receive it too. */
  context: Context
}

/** The options of {@link agentWorkflow}. */
export interface AgentWorkflowOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk`. */
  dbos: DbosRuntime
  /** The name of the workflow. */
  name: string
  /** Creates the agent of a run, with `durable` and `newId`. Runs may share models and tools, but not the agent. */
  agent: (run: AgentRun<never>) => BaseAgentRunner | Promise<BaseAgentRunner>
  /** Stores conversations, for tasks with a `conversation`. They may only grow. */
  chatStore?: ChatStore | undefined
  /** How calls with a `retryable` error, and `agent`, are repeated. @defaultValue three attempts */
  retry?: RepeatOptions | undefined
  /** Whether the events of the agent, with answers in pieces, are written to a stream. @defaultValue false */
  streamEvents?: boolean | undefined
  /** The maximum number of times that DBOS restarts a task after the death of its worker. @defaultValue 100 */
  maxRecoveryAttempts?: number | undefined
}

const WORKFLOW_OPTIONS: OptionTable<AgentWorkflowOptions> = {
  dbos: required((value) => ('registerWorkflow' in Object(value) ? undefined : 'DBOS')),
  name: text,
  agent: callback,
  chatStore: having('a chat store', 'getMessages', 'setMessages'),
  retry: group(repeatOptions),
  streamEvents: flag,
  maxRecoveryAttempts: wholeNumber(0),
}

/**
 * Registers an agent as a workflow. Call it before `DBOS.launch()`, with the same name in every worker. Tasks are submitted with
 * `DbosTasks`, or by a call of the returned function within another workflow.
 *
 * Results of models and tools are recorded before the task continues. After a crash, no recorded call is repeated. A tool
 * call that was running is repeated with the same arguments and the same `idempotencyKey`.
 * @throws {ModelValidationError} if an option is unknown or not valid.
 * @example
 * import { durableAgent } from '@x/durable'
 * import { ScriptedLLM } from '@x/llm/testing'
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 *
 * const llm = new ScriptedLLM({ answers: ['Answer: Four.'] })
 * const agent = durableAgent<AgentRun>(() => ({ llm }))
 * agentWorkflow({ dbos: DBOS, name: 'helper', agent })
 */
export function agentWorkflow(options: AgentWorkflowOptions): (request: TaskRequest) => Promise<TaskAnswer> {
  checkOptions('agentWorkflow', options, WORKFLOW_OPTIONS)
  const { dbos, name, maxRecoveryAttempts } = options
  // Its callers do not set `parks`, so that they receive an answer.
  return dbos.registerWorkflow((request: TaskRequest) => runTask(request, options) as Promise<TaskAnswer>, {
    name,
    ...(maxRecoveryAttempts !== undefined && { maxRecoveryAttempts }),
  })
}

async function runTask(request: TaskRequest, options: AgentWorkflowOptions): Promise<TaskAnswer | ParkedTask> {
  const { dbos, retry } = options
  const taskId = dbos.workflowID!
  const events = options.streamEvents ? new EventWriter(dbos) : undefined
  const controller = new AbortController()
  const cancelled = (reason: unknown) => controller.abort(reason)
  const durable = journalPort(durableSteps({ dbos, retry, cancelled, events }))
  let ids = 0
  const runOptions = { signal: controller.signal, context: request.context }
  const agent = await madeAgent({ taskId, durable, newId: () => `${taskId}/id-${++ids}`, ...runOptions }, options)
  const submission = readSubmission('agentWorkflow', request)
  await createSubmittedTask('agentWorkflow', agent, { taskId, submission, chatStore: options.chatStore })
  const decisions = new TaskDecisions(agent, taskId)
  for (;;) {
    try {
      const answer = events
        ? await agent.streamTask(taskId, { ...runOptions, onEvent: events.report })
        : await agent.runTask(taskId, runOptions)
      if ('done' in answer) await answer.done
      events?.report(taskEndEvent(taskId, answer))
      return { output: null, ...answerToJson(answer) }
    } catch (error) {
      if (!isToolkitError(error, 'approval_required') || error.taskId !== taskId) {
        events?.report(errorEvent(taskId, error))
        throw error
      }
    } finally {
      await events?.finish()
    }
    if (await park(dbos, decisions, request.parks === true)) return { parked: true }
  }
}

/** Makes the agent. Errors that are `retryable` are repeated as those of calls are. */
function madeAgent(run: AgentRun, { agent, retry }: AgentWorkflowOptions): Promise<BaseAgentRunner> {
  const policy = new RetryPolicy('agentWorkflow.retry', retry ?? {})
  return createAgent(() => policy.repeat(async () => agent(run as AgentRun<never>), run.signal))
}

/**
 * Applies decisions until no call of the task waits for one.
 * @returns whether the workflow must end, because decisions are missing; the next one continues it.
 */
async function park(dbos: DbosRuntime, task: TaskDecisions, canPark: boolean): Promise<boolean> {
  const publish = () => dbos.setEvent(WAITING, { calls: task.calls, listens: !canPark } satisfies WaitingTask)
  for (await publish(); task.calls.length > 0; ) {
    if (!canPark) await dbos.recv(DECIDED, { timeoutSeconds: WAIT_SECONDS })
    const { decisions, isReplayed } = await readDecisions(dbos, task.calls)
    // A workflow that is continued runs from its start, and passes the waits of its earlier runs.
    if (canPark && decisions.length === 0 && !isReplayed) return true
    for (const decision of decisions) await task.apply(decision)
    if (decisions.length > 0) await publish()
  }
  return false
}
