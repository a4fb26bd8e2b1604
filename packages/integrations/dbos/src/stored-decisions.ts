/**
 * @module
 * The decisions about calls: each is stored once, as a workflow that nobody runs, so that the first one counts and no other is accepted.
 */
import type { ToolDecision } from '@x/agents'
import { readJsonText, writeJsonText } from '@x/core-model'
import type { WaitingCall } from '@x/durable'
import type { DbosControl, DbosEnqueueOptions, DbosRuntime, DbosStep, DbosWorkflow } from './dbos-types.ts'

/** A queue without workers. */
export const NO_QUEUE = 'no workers'

/** The error code of DBOS for an id that another workflow has. */
const IN_USE = 36

/**
 * Returns the id under which the decision about a call is stored. A later task with the same id, and the next question about a call, have
 * others.
 */
export function decisionId({ workflowID, createdAt }: DbosWorkflow, { id, refused }: WaitingCall): string {
  return `decision/${createdAt}/${refused?.count ?? 0}/${id}/${workflowID}`
}

/** Stores the decision about a call. Returns false if there is one. */
export async function storeDecision(
  dbos: DbosControl,
  task: DbosWorkflow,
  call: WaitingCall,
  decision: ToolDecision,
): Promise<boolean> {
  const workflowID = decisionId(task, call)
  const place: DbosEnqueueOptions = {
    queueName: NO_QUEUE,
    workflowName: 'decision',
    workflowID,
    workflowIDReusePolicy: 'reject',
  }
  try {
    await ('enqueue' in dbos ? dbos.enqueue(place, decision) : dbos.enqueueWorkflowWithOptions(place, decision))
  } catch (error) {
    if ((error as { dbosErrorCode?: unknown }).dbosErrorCode !== IN_USE) throw error
    return false
  }
  // It has ended, so that DBOS may delete it some day.
  await dbos.cancelWorkflow(workflowID)
  return true
}

/** Returns the calls about which nothing is stored. */
export async function undecided(
  dbos: DbosControl,
  task: DbosWorkflow,
  calls: readonly WaitingCall[],
): Promise<readonly WaitingCall[]> {
  if (calls.length === 0) return calls
  const workflowIDs = calls.map((call) => decisionId(task, call))
  const found = await dbos.listWorkflows({ workflowIDs, loadInput: false, loadOutput: false })
  const stored = new Set(found.map(({ workflowID }) => workflowID))
  return calls.filter((call) => !stored.has(decisionId(task, call)))
}

/** The name of the step that reads decisions. */
const READ = 'decisions'

/** Reads the decisions about the calls of a workflow, as a step of it. Returns them in the order of the calls. */
export async function readDecisions(
  dbos: DbosRuntime,
  calls: readonly WaitingCall[],
): Promise<{ decisions: ToolDecision[]; isReplayed: boolean }> {
  let isReplayed = true
  const read = async () => {
    isReplayed = false
    const own = { workflowIDs: [dbos.workflowID!], loadInput: false, loadOutput: false }
    const [task] = await dbos.listWorkflows(own)
    const workflowIDs = calls.map((call) => decisionId(task!, call))
    const found = await dbos.listWorkflows({ workflowIDs, loadInput: true, loadOutput: false })
    const stored = new Map(found.map(({ workflowID, input }) => [workflowID, input?.[0]]))
    return writeJsonText(workflowIDs.filter((id) => stored.has(id)).map((id) => [id, stored.get(id)]))
  }
  const stored = readJsonText(await dbos.runStep(read, { name: READ })) as [string, ToolDecision][]
  return { decisions: stored.map(([, decision]) => decision), isReplayed }
}

/** Returns the ids of the decisions that a step has read. */
export function decisionsOf({ name, output }: DbosStep): string[] {
  if (name !== READ || typeof output !== 'string') return []
  return (readJsonText(output) as [string, unknown][]).map(([id]) => id)
}
