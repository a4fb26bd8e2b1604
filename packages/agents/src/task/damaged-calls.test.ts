import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'

function newAgent() {
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })
  const llm = functionCallingLlm([[toolCall('a', 'pay', {}), toolCall('b', 'look', {})], 'Done.'])
  return FunctionCallingAgent.fromTools({ llm, tools: [pay, look], taskStore: journal() })
}

it.each([{ place: 5 }, { output: 5 }, { output: {} }, { output: { content: null } }])(
  'a saved task with a call that waits and has %j is refused when it is loaded',
  async (damage) => {
    const agent = newAgent()
    await expect(agent.chat('Pay.', { taskId: 'T' })).rejects.toMatchObject({ code: 'approval_required' })
    const saved = JSON.parse(JSON.stringify(agent.saveTask('T')))
    Object.assign(saved.task.extra_state.pending_calls[0], damage)
    await expect(newAgent().loadTask(saved)).rejects.toMatchObject({
      code: 'saved_task',
      message: expect.stringContaining(`pendingCalls[0].${Object.keys(damage)[0]}`),
    })
  },
)
