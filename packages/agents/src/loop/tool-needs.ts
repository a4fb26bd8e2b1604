/**
 * @module
 * What tools need of a loop.
 */
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import type { Layer } from './layer.ts'

type Need = NonNullable<Layer['serves']>

/** What tools need, by the layer that serves it: whether a tool needs it. */
export const TOOL_NEEDS: Readonly<Record<Need, (tool: AsyncBaseTool) => unknown>> = {
  approvals: ({ needsApproval, isExternal }) => needsApproval || isExternal,
  agentTools: ({ canWait, isDurable }) => canWait || isDurable,
  timeLimit: ({ timeoutMs }) => typeof timeoutMs === 'number',
}
