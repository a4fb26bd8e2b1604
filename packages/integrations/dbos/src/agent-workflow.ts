/**
 * @module
 * An agent as a workflow of DBOS.
 */
import {
  type AgentChatResponse,
  answerToJson,
  applyToolDecision,
  type JournalPort,
  journalPort,
  type ToolDecision,
} from '@x/agents'
import { type RefusedDecision, refusedAgain, submittedInput, submittedMemory, waitingCalls } from '@x/agents/durable'
import { type BaseAgentRunner, errorEvent, taskEndEvent } from '@x/agents/protocol'
import { callback, checkOptions, flag, type OptionTable, text, unchecked, wholeNumber } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { type ChatStore, isToolkitError, type Json, type RepeatOptions, ToolkitError } from '@x/core-model'
import { RetryPolicy } from '@x/core-model/async'
import type { DbosRuntime } from './dbos-types.ts'
import { durableSteps } from './durable-steps.ts'
import { EventWriter } from './event-writer.ts'
import {
  DECISIONS,
  type ParkedTask,
  type SentDecision,
  type TaskAnswer,
  type TaskRequest,
  WAITING,
  type WaitingTask,
} from './task-protocol.ts'

/** The maximum time of one wait for a decision, after which the workflow waits again. Timers of a platform are limited to 24 days. */
const WAIT_SECONDS = 7 * 24 * 3600
/** How long a workflow that a decision has continued waits for it. */
const WOKEN_WAIT_SECONDS = 10

/** The argument of the function that creates the agent, once for each run of its workflow. */
export interface AgentRun {
  /** The id of the task, which is that of the workflow. */
  taskId: string
  /** Pass it to the agent: every call of a model or a tool is a step of the workflow. */
  durable: JournalPort
  /** Pass it to the agent: it returns the same ids whenever the workflow runs again. */
  newId: () => string
  /** Aborted when the workflow is cancelled. The run of the agent receives it too. */
  signal: AbortSignal
  /** The `context` of the request. Tools and hooks receive it too. */
  context: Json | undefined
}

/** The options of {@link agentWorkflow}. */
export interface AgentWorkflowOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk`. */
  dbos: DbosRuntime
  /** The name of the workflow. */
  name: string
  /** Creates the agent of a run, with `durable` and `newId`. Runs may share models and tools, but not the agent. */
  agent: (run: AgentRun) => BaseAgentRunner | Promise<BaseAgentRunner>
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
  dbos: unchecked,
  name: text,
  agent: callback,
  chatStore: unchecked,
  retry: unchecked,
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
 * import { ReActAgent } from '@x/agents'
 * import { ScriptedLLM } from '@x/llm/testing'
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 *
 * const llm = new ScriptedLLM({ answers: ['Answer: Four.'] })
 * const agent = ({ durable, newId }: AgentRun) => ReActAgent.fromTools({ llm, durable, newId })
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
  const { signal } = controller
  const run: AgentRun = { taskId, durable, newId: () => `${taskId}/id-${++ids}`, signal, context: request.context }
  const agent = await madeAgent(run, options)
  const memory = await submittedMemory('agentWorkflow', request, agent.memory, options.chatStore)
  await agent.createTask(submittedInput(request), { taskId, memory })
  const decisions = new Decisions(agent, taskId, options.dbos, request.parks === true)
  for (;;) {
    try {
      const answer = await answerOf(agent, taskId, { signal, context: request.context }, events)
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
    if (await decisions.park()) return { parked: true }
  }
}

/** Makes the agent. Errors that are `retryable` are repeated as those of calls are. */
async function madeAgent(run: AgentRun, { agent, retry }: AgentWorkflowOptions): Promise<BaseAgentRunner> {
  try {
    return await new RetryPolicy('agentWorkflow.retry', retry ?? {}).repeat(async () => agent(run), run.signal)
  } catch (error) {
    const message = `The agent of task "${run.taskId}" cannot be made: ${errorMessage(error)}`
    throw new ToolkitError('AgentSetupError', 'agent_setup', message, { cause: error })
  }
}

async function answerOf(
  agent: BaseAgentRunner,
  taskId: string,
  run: { signal: AbortSignal; context: Json | undefined },
  events: EventWriter | undefined,
): Promise<AgentChatResponse> {
  if (!events) return agent.runTask(taskId, run)
  const answer = await agent.streamTask(taskId, { ...run, onEvent: events.report })
  await answer.done
  return answer
}

/** The decisions about the calls of a task that wait. */
class Decisions {
  private readonly agent: BaseAgentRunner
  private readonly taskId: string
  private readonly dbos: DbosRuntime
  private readonly canPark: boolean
  private refused: Record<string, RefusedDecision> = {}
  private received: string[] = []

  constructor(agent: BaseAgentRunner, taskId: string, dbos: DbosRuntime, canPark: boolean) {
    this.agent = agent
    this.taskId = taskId
    this.dbos = dbos
    this.canPark = canPark
  }

  /**
   * Receives and applies decisions until no call of the task waits for one.
   * @returns whether the workflow must end, because no decision came; a decision continues it.
   */
  async park(): Promise<boolean> {
    const { agent, taskId, dbos, canPark } = this
    let seconds = canPark ? 0 : WAIT_SECONDS
    this.received = []
    for (await this.publish(); agent.getPendingApprovals(taskId).length > 0; ) {
      // A workflow that is continued runs from its start, and passes the waits of its earlier runs.
      const isNow = canPark && (await this.isNow())
      if (canPark && !isNow) seconds = WOKEN_WAIT_SECONDS
      const decision = await dbos.recv<ToolDecision & Partial<SentDecision>>(DECISIONS, { timeoutSeconds: seconds })
      if (decision) {
        await this.apply(decision)
        await this.publish()
      } else if (isNow) return true
    }
    return false
  }

  /** Whether this run is the first one that comes to this place. */
  private async isNow(): Promise<boolean> {
    let isNow = false
    await this.dbos.runStep(
      async () => {
        isNow = true
      },
      { name: 'wait' },
    )
    return isNow
  }

  /** Applies a decision. After a refusal its call still waits. */
  private async apply({ key, ...decision }: ToolDecision & Partial<SentDecision>): Promise<void> {
    const { callId } = decision
    if (key) this.received.push(key)
    try {
      await applyToolDecision(this.agent, this.taskId, decision)
    } catch (error) {
      if (!isToolkitError(error)) throw error
      this.refused[callId] = refusedAgain(this.refused[callId], error)
    }
  }

  private async publish(): Promise<void> {
    const calls = waitingCalls(this.agent.getPendingApprovals(this.taskId)).map((call) => {
      const refused = this.refused[call.id]
      return refused ? { ...call, refused } : call
    })
    await this.dbos.setEvent(WAITING, { calls, received: [...this.received] } satisfies WaitingTask)
  }
}
