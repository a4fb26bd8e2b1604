import { AgentChatResponse } from '@x/agents'
import { CustomSimpleAgentWorker, type CustomStepResult } from '@x/agents/protocol'

/** A worker that takes one step for each number down to zero. */
export class CountdownWorker extends CustomSimpleAgentWorker {
  protected override _initializeState(): Record<string, unknown> {
    return { left: 2 }
  }

  protected override _runStep(state: Record<string, unknown>): CustomStepResult {
    const left = Number(state['left']) - 1
    state['left'] = left
    return [new AgentChatResponse({ response: `${left} left` }), left === 0]
  }
}
