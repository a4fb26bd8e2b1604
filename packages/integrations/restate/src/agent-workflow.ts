/**
 * @module
 * An agent as a workflow: the journal of the engine is the state of the run.
 */
import type {
  RestatePromise,
  WorkflowContext,
  WorkflowDefinition,
  WorkflowOptions,
  WorkflowSharedContext,
} from '@restatedev/restate-sdk'
import { answerToJson, type ToolDecision } from '@x/agents'
import { readToolDecision, taskEndEvent } from '@x/agents/protocol'
import { checkOptions, having } from '@x/core/options'
import { type BaseMemory, type ChatStore, isToolkitError } from '@x/core-model'
import {
  createSubmittedTask,
  notWaiting,
  readSubmission,
  TaskDecisions,
  taskFailure,
  type WaitingCall,
  waitingCall,
} from '@x/durable'
import { type AgentServiceOptions, type DurableAgent, serviceOptions } from './agent-run.ts'
import { addChild, workflowOf } from './children.ts'
import { engineError, handlersOf } from './errors.ts'
import { Execution, type Invocation } from './execution.ts'
import { writeRecord } from './record.ts'
import { type AgentAnswer, type AgentRequest, type AgentStatus, STARTED, UNKNOWN } from './run-protocol.ts'
import { cancelRun, refuseChanged, statusOf } from './run-status.ts'

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
  /** Cancels the run, and returns true; false if it has not started. */
  cancel(ctx: WorkflowSharedContext): Promise<boolean>
}

/**
 * Returns a workflow that runs an agent, one task per workflow. The journal of the workflow contains the results of models and tools, so
 * that a run continues in any process that serves it.
 * @throws {ModelValidationError} for an option that is unknown or missing.
 * @example
 * import * as restate from '@restatedev/restate-sdk'
 * import { type BaseLLM } from '@x/core-model'
 * import { durableAgent } from '@x/durable'
 *
 * const support = (llm: BaseLLM) =>
 *   agentWorkflow({
 *     restate,
 *     name: 'support',
 *     agent: durableAgent(() => ({ llm })),
 *   })
 * support(new ScriptedLLM({ answers: [] })).name // => 'support'
 */
export function agentWorkflow<Name extends string>(
  options: AgentWorkflowOptions<Name>,
): WorkflowDefinition<Name, AgentWorkflowHandlers> {
  checkOptions('agentWorkflow', options, {
    ...serviceOptions,
    chatStore: having('a chat store', 'getMessages', 'setMessages'),
  })
  const { restate, name } = options
  const { shared } = restate.handlers.workflow
  const handler = handlersOf(options)
  return restate.workflow({
    name,
    handlers: {
      run: handler(run, engineError),
      decide: shared(handler(decide)),
      status: shared(handler(statusOf)),
      cancel: shared(handler(cancelRun)),
      child: shared({ ingressPrivate: true }, handler(addChild)),
    },
    ...(options.options && { options: options.options }),
  }) as WorkflowDefinition<Name, AgentWorkflowHandlers>
}

/** The name of the durable promise of the next decision about a call. The ids of calls are different in a task. */
function promiseName({ id, refused }: WaitingCall): string {
  return `decision/${id}/${refused?.count ?? 0}`
}

async function decide(ctx: WorkflowSharedContext, options: AgentServiceOptions, data: ToolDecision): Promise<void> {
  const decision = readToolDecision(data)
  const { calls } = (await ctx.get<AgentStatus>('status')) ?? UNKNOWN
  const call = waitingCall(ctx.key, calls, decision)
  const promise = ctx.promise<ToolDecision>(promiseName(call))
  if ((await promise.peek()) === undefined) {
    await refuseChanged(ctx, options)
    try {
      // Other code may ask another question.
      return await promise.resolve({ ...decision, approvalId: decision.approvalId ?? call.approvalId })
    } catch (error) {
      // Otherwise another decision came at the same time.
      if ((await promise.peek()) === undefined) throw error
    }
  }
  throw notWaiting(ctx.key, decision.callId)
}

/** Updates the status that `status` returns. */
type Show = (change: Partial<AgentStatus>) => void

/** One execution of the `run` handler. */
async function run(
  ctx: WorkflowContext,
  options: AgentWorkflowOptions,
  data: string | AgentRequest,
): Promise<AgentAnswer> {
  const request: AgentRequest = readSubmission(options.name, data)
  const execution = new Execution(ctx, options, request.context)
  // Every entry costs time. The run counts as running as soon as it has an invocation, and a change of the status has the number of the
  // step.
  const show: Show = (change) => ctx.set<AgentStatus>('status', { ...STARTED, ...change, step: execution.step })
  ctx.set<Invocation>('invocation', { id: ctx.request().id })
  // The handler `status` creates the agent too.
  if (request.context !== undefined) ctx.set('context', request.context)
  if (request.startedBy !== undefined) ctx.workflowSendClient(workflowOf(options), request.startedBy).child(ctx.key)
  return execution.attempt(
    async (agent) => {
      const answer = await runAgent(ctx, agent, execution, options, request, show)
      show({ state: 'finished' })
      return answer
    },
    (state, failure) => {
      show({ state, error: taskFailure(failure) })
      throw failure
    },
  )
}

async function runAgent(
  ctx: WorkflowContext,
  agent: DurableAgent,
  execution: Execution,
  { chatStore, onEvent, restate }: AgentWorkflowOptions,
  request: AgentRequest,
  show: Show,
): Promise<AgentAnswer> {
  const { run, runOptions } = execution
  const { taskId } = run
  const memory = await createSubmittedTask('agentWorkflow', agent, { taskId, submission: request, chatStore })
  const task = new TaskDecisions(agent, taskId)
  for (;;) {
    try {
      const answer = await (onEvent ? agent.streamTask(taskId, runOptions) : agent.runTask(taskId, runOptions))
      if ('done' in answer) await answer.done
      const made = { ...answerToJson(answer), ...(memory && (await talkIn(memory, request))) }
      writeRecord(`The answer of task "${taskId}"`, made)
      await execution.end(() => taskEndEvent(taskId, answer))
      return made
    } catch (error) {
      if (!isToolkitError(error, 'approval_required')) throw error
    }
    // Recorded, so that a replay does not report the pause again.
    await execution.durable(`pause-${execution.step}`, async () => task.calls.map(({ id }) => id))
    const decisions = new Map<string, RestatePromise<ToolDecision | undefined>>()
    for (let waiting = task.calls; waiting.length > 0; waiting = task.calls) {
      show({ state: 'waiting', calls: waiting })
      const open = waiting.map((call) => {
        const name = promiseName(call)
        const decision = decisions.get(name) ?? ctx.promise<ToolDecision>(name).get()
        decisions.set(name, decision)
        return decision
      })
      await task.apply((await restate.RestatePromise.race(open))!)
    }
    show({ state: 'running' })
  }
}

/** Returns the conversation for the answer: a reference to it, or its messages. */
async function talkIn(
  memory: BaseMemory,
  { conversation }: AgentRequest,
): Promise<Pick<AgentAnswer, 'messages' | 'conversation'>> {
  const messages = await memory.getAll()
  if (conversation) return { conversation: { id: conversation.id, length: messages.length } }
  return { messages: messages.map((message) => message.toDict()) }
}
