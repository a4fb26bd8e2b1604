/**
 * @module
 * The tools of a step.
 */

import type { PendingToolCall } from '../task/agent-event.ts'
import { ApprovalError } from '../task/task-errors.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { findTool } from '../tool/run-tool-call.ts'
import { namesCodec, once } from './durable-calls.ts'
import { preparedTools } from './prepare-step.ts'
import type { Round } from './round.ts'

/** Returns the tools of a step. If the step is repeated, retrieved tools are those of its first attempt. */
export async function toolsOf(round: Round): Promise<readonly AsyncBaseTool[]> {
  const { worker, task, context } = round
  const { signal, parentId } = context
  const retrieve = () => worker.getTools(task.input, { signal, parentId, context: context.context })
  if (!worker.options.toolRetriever) return retrieve()
  let found: readonly AsyncBaseTool[] | undefined
  const nameOf = ({ metadata }: AsyncBaseTool) => metadata.name ?? ''
  const names = await once(round, 'tools', async () => (found = await retrieve()).map(nameOf), namesCodec)
  if (found) return found
  const again = await retrieve()
  return names.flatMap((name) => findTool(again, name) ?? [])
}

/**
 * Returns the tools for calls that waited. If the agent does not have all of them, `prepareStep` is asked again for the step that
 * requested the calls.
 * @throws {ApprovalError} if a tool of an approved call does not exist any more.
 */
export async function toolsOfWaiting(
  calls: readonly PendingToolCall[],
  round: Round,
): Promise<readonly AsyncBaseTool[]> {
  const own = await toolsOf(round)
  const needed = calls.filter(({ decision, output, parent }) => decision === 'approve' && !output && !parent)
  const isMissing = (tools: readonly AsyncBaseTool[]) => needed.find(({ name }) => !findTool(tools, name))
  const first = isMissing(own)
  if (!first) return own
  const prepared = await preparedTools(round, own, Number(first.place?.split('/')[0]))
  const tools = [...prepared, ...own.filter(({ metadata }) => !findTool(prepared, metadata.name ?? ''))]
  const gone = needed.find(({ name, awaits }) => awaits && !findTool(tools, name))
  if (!gone) return tools
  const { taskId } = round.task
  throw new ApprovalError(
    `Task "${taskId}": call "${gone.id}" was approved, but its tool "${gone.name}" does not exist any more; pass it to the agent, or return it from prepareStep for step ${first.place?.split('/')[0]}.`,
  )
}
