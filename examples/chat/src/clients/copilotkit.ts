/**
 * The chat in CopilotKit: its client runs the agent behind the AG-UI route. The components of `@copilotkit/react-core` use the same client.
 */
import { HttpAgent } from '@ag-ui/client'
import { CopilotKitCore } from '@copilotkit/core'

/** Returns the client, and its agent. @param url - of the route of `shopAgUiRoute`. */
export function shopCopilot(url: string) {
  // An application sends its session instead.
  const shop = new HttpAgent({ url, agentId: 'shop', headers: { 'x-user': 'ann' } })
  const copilot = new CopilotKitCore({ agents__unsafe_dev_only: { shop } })
  return { copilot, agent: copilot.getAgent('shop')! }
}
