/**
 * @module
 * The tasks that the run of a workflow has started, which are cancelled with it. Other handlers cannot write its state: each of them is the
 * value of a durable promise.
 */
import type { DurablePromise, WorkflowDefinition, WorkflowSharedContext } from '@restatedev/restate-sdk'
import type { AgentServiceOptions } from './agent-run.ts'
import type { AgentStatus } from './run-protocol.ts'

/** The handlers of other runs of the same workflow. */
export type FamilyHandlers = {
  child(ctx: WorkflowSharedContext, taskId: string): Promise<void>
  cancel(ctx: WorkflowSharedContext): Promise<boolean>
}

/** The name is all that a client needs of the workflow. */
export function workflowOf({ name }: AgentServiceOptions) {
  return { name } as WorkflowDefinition<string, FamilyHandlers>
}

const promiseOf = (ctx: WorkflowSharedContext, place: number) => ctx.promise<string>(`child/${place}`)
const cancellation = (ctx: WorkflowSharedContext) => ctx.promise<boolean>('cancellation')

/** Notes that the run has started a task. One that was cancelled in the meantime cancels it. */
export async function addChild(
  ctx: WorkflowSharedContext,
  options: AgentServiceOptions,
  taskId: string,
): Promise<void> {
  for (let place = 0; (await resolved(promiseOf(ctx, place), taskId)) !== taskId; place++);
  if (await cancellation(ctx).peek()) ctx.workflowSendClient(workflowOf(options), taskId).cancel()
}

/** Cancels the tasks that the run has started, also those that are not noted yet, unless it has ended otherwise. */
export async function cancelChildren(ctx: WorkflowSharedContext, options: AgentServiceOptions): Promise<void> {
  const { state } = (await ctx.get<AgentStatus>('status')) ?? {}
  if (state === 'finished' || state === 'failed') return
  await resolved(cancellation(ctx), true)
  for (let place = 0; ; place++) {
    const taskId = await promiseOf(ctx, place).peek()
    if (taskId === undefined) return
    ctx.workflowSendClient(workflowOf(options), taskId).cancel()
  }
}

/** Resolves a promise, unless another handler has done so. Returns its value. */
async function resolved<T>(promise: DurablePromise<T>, value: T): Promise<T | undefined> {
  const known = await promise.peek()
  if (known !== undefined) return known
  try {
    await promise.resolve(value)
  } catch (error) {
    if ((await promise.peek()) === undefined) throw error
  }
  return promise.peek()
}
