import { expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { journal } from '../journal.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const sent: unknown[] = []
const sendTool = (description: string, needsApproval = true) =>
  FunctionTool.fromDefaults({
    name: 'send',
    description,
    schema: { type: 'object', properties: { to: { type: 'string' } } },
    needsApproval,
    fn: ({ to }) => `Sent ${sent.push(to)}.`,
  })

it.each(['in the same process', 'after a restart'])(
  'an approved call waits again if its tool has changed, %s',
  async (when) => {
    sent.length = 0
    let store = new MemoryTaskStore()
    let tool = sendTool('Drafts a mail.')
    const llm = functionCallingLlm([[toolCall('1', 'send', { to: 'ann' })], 'Done.'])
    const make = () =>
      FunctionCallingAgent.fromTools({ llm, toolRetriever: { retrieve: () => [tool] }, taskStore: journal(store) })
    let agent = make()
    const { taskId, calls } = await agent.chat('Send!').catch((error) => error)
    expect(calls).toMatchObject([{ name: 'send', approval: { definition: expect.any(String) } }])
    await agent.approve(taskId, '1')
    tool = sendTool('Sends to everybody.', false)
    if (when === 'after a restart') {
      const saved = JSON.parse(JSON.stringify(agent.saveTask(taskId)))
      store = new MemoryTaskStore()
      agent = make()
      await agent.loadTask(saved)
    }
    const again = await agent.runTask(taskId).catch((error) => error)
    expect(again).toMatchObject({
      code: 'approval_required',
      calls: [{ id: '1', problem: 'The tool has changed.' }],
    })
    expect(again.calls[0].approval.definition).not.toBe(calls[0].approval.definition)
    expect(sent).toEqual([])
    await agent.approve(taskId, '1')
    expect((await agent.runTask(taskId)).response).toBe('Done.')
    expect(sent).toEqual(['ann'])
  },
)

it('an approved call runs once if its tool is the same, whatever object it is', async () => {
  sent.length = 0
  const llm = functionCallingLlm([[toolCall('1', 'send', { to: 'ann' })], 'Done.'])
  const agent = FunctionCallingAgent.fromTools({
    llm,
    toolRetriever: { retrieve: () => [sendTool('Drafts a mail.')] },
    taskStore: journal(new MemoryTaskStore()),
  })
  const { taskId } = await agent.chat('Send!').catch((error) => error)
  await agent.approve(taskId, '1')
  await agent.runTask(taskId)
  expect(sent).toEqual(['ann'])
  await expect(agent.approve(taskId, '1')).rejects.toMatchObject({ code: expect.any(String) })
})
