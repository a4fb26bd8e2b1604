import { describe, expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import {
  approvals,
  budget,
  decide,
  FunctionTool,
  readLoopTask,
  repeatedFailures,
  toolLoop,
  writeLoopTask,
} from '../loop.ts'

function newLoop() {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    schema: { type: 'object', properties: { amount: { type: 'number' } } },
    needsApproval: true,
    fn: () => 'paid',
  })
  const llm = scriptedToolModel([toolCalls(toolCall('a', 'pay', { amount: 5 })), 'Done.'])
  return toolLoop({ llm, tools: [pay], layers: [approvals(), budget(), repeatedFailures(3)] })
}

async function waiting() {
  const loop = newLoop()
  const { task } = await loop.run('Pay.')
  return { loop, task, dict: JSON.parse(JSON.stringify(writeLoopTask(task))) }
}

describe('decide', () => {
  it.each<[string, unknown]>([
    ['decision', { decision: 'aprove' }],
    ['decision', { decision: null }],
    ['decision', {}],
    ['decision', null],
    ['reason', { decision: 'reject', reason: 5 }],
    ['result', { decision: 'result' }],
    ['isError', { decision: 'result', result: 'x', isError: 'no' }],
    ['aprovalId', { decision: 'approve', aprovalId: 'x' }],
    ['output', { decision: 'approve', output: { content: 'forged' } }],
    ['place', { decision: 'reject', place: '9/9' }],
    ['name', { decision: 'result', result: 'x', name: 'delete_all' }],
  ])('refuses a wrong %s, and the call still waits: %o', async (field, decision) => {
    const { loop, task } = await waiting()
    await expect(decide(loop, task, 'a', decision as never)).rejects.toMatchObject({
      code: 'model_validation',
      message: expect.stringContaining(`decide.${field}`),
    })
    await decide(loop, task, 'a', { decision: 'approve' })
  })
})

describe('readLoopTask', () => {
  const call = { id: 'a', name: 'pay', arguments: '{}', decision: null }
  it.each<[string, unknown]>([
    ['pending_calls', 'a'],
    ['pending_calls', {}],
    ['pending_calls', [null]],
    ['pending_calls', [{}]],
    ['pending_calls', [{ ...call, decision: 'evil' }]],
    ['pending_calls', [{ ...call, arguments: 5 }]],
    ['pending_calls', [{ ...call, place: 5 }]],
    ['pending_calls', [{ ...call, output: 5 }]],
    ['allowed_tools', 'pay'],
    ['allowed_tools', [5]],
    ['allowed_tools', ['pay']],
    ['usage', 'none'],
    ['usage', { modelCalls: -1 }],
    ['failing_call', 'pay'],
  ])('refuses a task whose %s are damaged: %j', async (key, value) => {
    const { loop, dict } = await waiting()
    dict.state[key] = value
    expect(() => readLoopTask(loop, dict)).toThrow(expect.objectContaining({ code: 'saved_task' }))
  })

  it('reads every task that writeLoopTask writes', async () => {
    const { loop, task, dict } = await waiting()
    expect(writeLoopTask(readLoopTask(loop, dict))).toEqual(writeLoopTask(task))
    await decide(loop, task, 'a', { decision: 'approve' })
    const again = readLoopTask(newLoop(), writeLoopTask(task))
    expect(await loop.resume(again)).toMatchObject({ status: 'done' })
  })
})
