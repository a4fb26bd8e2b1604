/**
 * @module
 * An agent as a workflow: the journal of the engine is the state of the run.
 */
import type {
  WorkflowContext,
  WorkflowDefinition,
  WorkflowOptions,
  WorkflowSharedContext,
} from '@restatedev/restate-sdk'
import { answerToJson, applyToolDecision, type PendingToolCall, type ToolDecision } from '@x/agents'
import { submittedInput, submittedMemory, taskFailure, type WaitingCall, waitingCalls } from '@x/agents/durable'
import { errorEvent, readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { checkOptions, unchecked } from '@x/core/options'
import { type BaseMemory, type ChatStore, isToolkitError, ToolkitError } from '@x/core-model'
import { refuseChanged, statusOf } from './agent-description.ts'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { isRetryable } from './errors.ts'
import { Execution } from './execution.ts'
import { writeRecord } from './record.ts'
import type { RestateSdk } from './restate-sdk.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, readRequest, STARTED, UNKNOWN } from './run-protocol.ts'
import { reply, settle } from './settle.ts'

/** Options of {@link agentWorkflow}. */
export interface AgentWorkflowOptions<Name extends string = string> extends AgentServiceOptions<Name> {
  /** Stores conversations, for requests with a `conversation`, such as those of `agentConversation`. They may only grow. */
  chatStore?: ChatStore | undefined
  /** Options of the workflow, such as `workflowRetention` and `hooks`. */
  options?: WorkflowOptions | undefined
}

/** The handlers of a workflow that runs an agent. (A type, because clients of Restate do not accept interfaces.) */
export type AgentWorkflowHandlers = {
  /** Runs the agent. The id of its task is the key of the workflow; a second submission attaches to the first. */
  run(ctx: WorkflowContext, request: string | AgentRequest): Promise<AgentAnswer>
  /** Decides about a tool call that waits, or provides its result. */
  decide(ctx: WorkflowSharedContext, decision: ToolDecision): Promise<void>
  /** Returns the status of the run. */
  status(ctx: WorkflowSharedContext): Promise<AgentStatus>
  /** Cancels the run. */
  cancel(ctx: WorkflowSharedContext): Promise<void>
}

/**
 * Returns a workflow that runs an agent, one task per workflow. The journal of the workflow contains the results of models and tools, so that a
 * run continues in any process that serves it.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { type BaseLLM } from '@x/core-model'
 * import { ReActAgent } from '@x/agents'
 *
 * const support = (llm: BaseLLM) =>
 *   agentWorkflow({
 *     restate,
 *     name: 'support',
 *     agent: ({ durable, newId, now }) => ReActAgent.fromTools({ llm, durable, newId, now }),
 *   })
 * support(new ScriptedLLM({ answers: [] })).name // => 'support'
 */
export function agentWorkflow<Name extends string>(
  options: AgentWorkflowOptions<Name>,
): WorkflowDefinition<Name, AgentWorkflowHandlers> {
  checkOptions('agentWorkflow', options, { ...serviceOptions, chatStore: unchecked })
  const { restate, name } = options
  const shared = restate.handlers.workflow.shared
  return restate.workflow({
    name,
    handlers: {
      run: (ctx: WorkflowContext, request: string | AgentRequest) =>
        settle(restate, () => new WorkflowRun(ctx, options, readRequest(name, request, true)).answer()),
      decide: shared((ctx: WorkflowSharedContext, decision: ToolDecision) =>
        reply(restate, () => decide(ctx, options, decision)),
      ),
      status: shared((ctx: WorkflowSharedContext) => reply(restate, () => statusOf(ctx, options))),
      cancel: shared(async (ctx: WorkflowSharedContext) => {
        const id = await ctx.get<string>('invocation')
        if (id) ctx.cancel(id as never)
      }),
    },
    ...(options.options && { options: options.options }),
  }) as WorkflowDefinition<Name, AgentWorkflowHandlers>
}

/** The name of the durable promise of a decision. */
function promiseName(callId: string, refusals: AgentStatus['refusals']): string {
  return `decision/${callId}/${refusals?.[callId] ?? 0}`
}

async function decide(ctx: WorkflowSharedContext, options: AgentServiceOptions, data: ToolDecision): Promise<void> {
  const decision = readToolDecision(data)
  const { calls, refusals } = (await ctx.get<AgentStatus>('status')) ?? UNKNOWN
  const call = calls.find(({ id }) => id === decision.callId)
  const promise = call && ctx.promise<ToolDecision>(promiseName(call.id, refusals))
  if (promise && (await promise.peek()) === undefined) {
    await refuseChanged(ctx, options)
    try {
      return await promise.resolve(decision)
    } catch (error) {
      // Otherwise another decision came at the same time.
      if ((await promise.peek()) === undefined) throw error
    }
  }
  throw new ToolkitError(
    'ApprovalError',
    'approval',
    `Task "${ctx.key}": no tool call "${decision.callId}" waits for a decision.`,
  )
}

/** One execution of the `run` handler. */
class WorkflowRun {
  private readonly ctx: WorkflowContext
  private readonly request: AgentRequest
  private readonly execution: Execution
  private readonly restate: RestateSdk
  private readonly streams: boolean
  private readonly chatStore: ChatStore | undefined
  private status = STARTED

  constructor(ctx: WorkflowContext, options: AgentWorkflowOptions, request: AgentRequest) {
    this.ctx = ctx
    this.request = request
    this.restate = options.restate
    this.chatStore = options.chatStore
    this.streams = options.onEvent !== undefined
    this.execution = new Execution(ctx, options, request)
  }

  async answer(): Promise<AgentAnswer> {
    const { ctx, execution } = this
    // Every entry costs time. The run counts as running as soon as it has an invocation.
    ctx.set('invocation', ctx.request().id)
    // The handler `status` creates the agent too.
    if (this.request.context !== undefined) ctx.set('context', this.request.context)
    try {
      const answer = await this.runAgent()
      this.show({ state: 'finished' })
      return answer
    } catch (error) {
      // The attempt has ended and its result is ignored: another attempt continues.
      if (ctx.request().attemptCompletedSignal.aborted) return new Promise(() => {})
      const { stopped } = execution.calls
      const failure = stopped ?? error
      // The engine repeats the run, so nothing may be recorded.
      if (isRetryable(failure)) throw failure
      execution.end(errorEvent(execution.run.taskId, failure))
      this.show({ state: stopped === undefined ? 'failed' : 'cancelled', calls: [], error: taskFailure(failure) })
      throw failure
    }
  }

  private async runAgent(): Promise<AgentAnswer> {
    const { execution, request } = this
    const { taskId } = execution.run
    const agent = await execution.begin()
    const memory = await submittedMemory('agentWorkflow', request, agent.memory, this.chatStore)
    await agent.createTask(submittedInput(request), { taskId, ...(memory && { memory }) })
    for (let pause = 1; ; pause++) {
      try {
        // An entry of state per step would only count; the next change of the status contains the number.
        const options = execution.runOptions((step) => {
          this.status = { ...this.status, step }
        })
        const answer = await (this.streams ? agent.streamTask(taskId, options) : agent.runTask(taskId, options))
        if ('done' in answer) await answer.done
        const made = { ...answerToJson(answer), ...(memory && (await this.talkIn(memory))) }
        writeRecord(`The answer of task "${taskId}"`, made)
        execution.end(taskEndEvent(taskId, answer))
        return made
      } catch (error) {
        if (!isToolkitError(error, 'approval_required')) throw error
        await this.wait(agent, error.calls, pause)
      }
    }
  }

  /** Returns the conversation for the answer: a reference to it, or its messages. */
  private async talkIn(memory: BaseMemory): Promise<Pick<AgentAnswer, 'messages' | 'conversation'>> {
    const { conversation } = this.request
    const messages = await memory.getAll()
    if (conversation) return { conversation: { id: conversation.id, length: messages.length } }
    return { messages: messages.map((message) => message.toDict()) }
  }

  /** Waits until all calls are decided. */
  private async wait(agent: DurableAgent, pending: readonly PendingToolCall[], pause: number): Promise<void> {
    const { ctx, execution } = this
    const { calls, run } = execution
    let waiting = waitingCalls(pending)
    // Recorded, so that a replay does not report the pause again.
    await calls.durable(`pause-${pause}`, async () => waiting.map(({ id }) => id))
    this.show({ state: 'waiting', calls: waiting })
    const decisionOf = ({ id }: WaitingCall) =>
      ctx
        .promise<ToolDecision>(promiseName(id, this.status.refusals))
        .get()
        .map((decision) => decision!)
    const decisions = new Map(waiting.map((call) => [call.id, decisionOf(call)]))
    while (waiting.length > 0) {
      const decision = await calls.wait(this.restate.RestatePromise.race([...decisions.values()]))
      const { callId } = decision
      decisions.delete(callId)
      try {
        await applyToolDecision(agent, run.taskId, decision)
        waiting = waiting.filter(({ id }) => id !== callId)
        this.show({ calls: waiting })
      } catch (error) {
        const { code, message } = taskFailure(error)
        const refusals = { ...this.status.refusals, [callId]: (this.status.refusals?.[callId] ?? 0) + 1 }
        const refused = { code, message, count: refusals[callId]! }
        waiting = waiting.map((call) => (call.id === callId ? { ...call, refused } : call))
        this.show({ calls: waiting, refusals })
        decisions.set(callId, decisionOf(waiting.find(({ id }) => id === callId)!))
      }
    }
    this.show({ state: 'running' })
  }

  /** Updates the status that `status` returns. */
  private show(change: Partial<AgentStatus>): void {
    this.status = { ...this.status, ...change }
    this.ctx.set('status', this.status)
  }
}
