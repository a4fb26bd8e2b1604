/**
 * An agent on an engine whose steps are named functions with data as arguments: Trigger.dev, the Workflow SDK, activities of Temporal. The
 * task is in a store that all processes share, so that a step which is repeated continues it and calls nothing again.
 */
import { applyToolDecision, type FunctionCallingAgent, type Journal, journal, type ToolDecision } from '@x/agents'
import { isToolkitError, type TaskStore } from '@x/core-model'

/** What a step returns: the answer, or the calls that wait for a decision. */
export type Advanced = { answer: string } | { waits: string[] }

/** Runs a task until it ends or waits. @param task - `decisions` about the calls for which it waited. */
export async function advance(
  { store, agentOf }: { store: TaskStore; agentOf: (taskStore: Journal) => FunctionCallingAgent },
  { id, question, decisions = [] }: { id: string; question: string; decisions?: readonly ToolDecision[] },
): Promise<Advanced> {
  const agent = agentOf(journal(store))
  const isKnown = (await store.load(id)) !== null
  if (isKnown) await agent.resumeTask(id)
  else await agent.createTask(question, { taskId: id })
  const waiting = agent.getPendingApprovals(id).filter(({ decision }) => decision === null)
  // A step that is repeated after its decisions were saved has nothing to decide.
  for (const decision of decisions)
    if (waiting.some((call) => call.id === decision.callId)) await applyToolDecision(agent, id, decision)
  try {
    return { answer: String(await agent.runTask(id)) }
  } catch (error) {
    if (!isToolkitError(error, 'approval_required')) throw error
    return { waits: error.calls.map((call) => call.id) }
  }
}
