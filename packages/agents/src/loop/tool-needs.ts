/**
 * @module
 * What tools need of a loop.
 */
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { Layer } from './layer.ts'

type Need = NonNullable<Layer['serves']>

const NEEDS: Readonly<Record<Need, (tool: AsyncBaseTool) => unknown>> = {
  approvals: ({ needsApproval, isExternal }) => needsApproval || isExternal,
  agentTools: ({ canWait, isDurable }) => canWait || isDurable,
  timeLimit: ({ timeoutMs }) => typeof timeoutMs === 'number',
}

/** Returns the first tool that needs what a layer serves. */
export function toolThatNeeds(what: Need, tools: readonly AsyncBaseTool[]): AsyncBaseTool | undefined {
  return tools.find(NEEDS[what])
}
