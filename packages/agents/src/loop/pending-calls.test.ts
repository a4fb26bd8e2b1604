import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import type { PendingToolCall } from '../task/agent-event.ts'
import { definitionOf } from '../task/approval-record.ts'
import type { Task } from '../task/task.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { ToolLoopWorker } from '../worker/tool-loop-worker.ts'
import { JsonProtocol } from './json/json-protocol.ts'
import { loopState } from './loop-state.ts'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
const pay = FunctionTool.fromDefaults({ name: 'pay', schema, needsApproval: true, fn: ({ n }) => `paid ${n}` })
const ask = FunctionTool.external({ name: 'ask', schema })
const PAY = 'Thought: x\nAction: pay\nAction Input: {"n": 1000}'
const ASK = PAY.replace('pay', 'ask')

const agents = {
  native: (name: string) => {
    const llm = functionCallingLlm([[toolCall('c', name, { n: 1000 })], 'done'])
    return { llm, agent: FunctionCallingAgent.fromTools({ llm, tools: [pay, ask] }) }
  },
  text: (name: string) => {
    const llm = new ScriptedLLM({ answers: [name === 'pay' ? PAY : ASK, 'Answer: done'] })
    return { llm, agent: ReActAgent.fromTools({ llm, tools: [pay, ask] }) }
  },
  json: (name: string) => {
    const llm = new ScriptedLLM({ answers: [`{"tool": "${name}", "arguments": {"n": 1000}}`, '{"answer": "done"}'] })
    return {
      llm,
      agent: new AgentRunner({
        agentWorker: new ToolLoopWorker({ llm, tools: [pay, ask], protocol: new JsonProtocol() }),
      }),
    }
  },
}

async function paused(agent: AgentRunner): Promise<{ task: Task; call: PendingToolCall }> {
  const { taskId, calls } = await agent.chat('x').catch((error) => error)
  return { task: agent.getTask(taskId), call: calls[0] }
}

describe.each(['native', 'text', 'json'] as const)('a waiting call of a %s agent', (kind) => {
  it('shows edited arguments in the conversation after they were checked', async () => {
    const { llm, agent } = agents[kind]('pay')
    const { task, call } = await paused(agent)
    expect(call).toMatchObject({ awaits: 'approval', decision: null, place: '1/0' })
    const worker = agent.agentWorker as ToolLoopWorker
    await expect(worker.approveCall(call, { arguments: { n: 'many' } }, task)).rejects.toMatchObject({
      code: 'tool_input',
    })
    loopState(task).pending_calls = [await worker.approveCall(call, { arguments: { n: 5 } }, task)]
    expect((await agent.runTask(task.taskId)).sources.map(String)).toEqual(['paid 5'])
    const sent = JSON.stringify(llm.calls[1]!.messages)
    expect(sent).not.toContain('1000')
    expect(sent).toMatch(/\\"n\\+":5/)
  })

  it('runs without approval once its tool is always allowed', async () => {
    const { agent } = agents[kind]('pay')
    const { taskId } = await agent.createTask('x', {})
    const definition = definitionOf(pay)
    loopState(agent.getTask(taskId)).allowed_tools = [{ name: 'pay', definition, user: null }]
    expect((await agent.runTask(taskId)).response).toBe('done')
  })

  it('takes no approval for a result from outside', async () => {
    const { agent } = agents[kind]('ask')
    const { task, call } = await paused(agent)
    await expect(agent.approve(task.taskId, call.id)).rejects.toMatchObject({ code: 'approval' })
    await agent.provideResult(task.taskId, call.id, 'yes')
    expect((await agent.runTask(task.taskId)).response).toBe('done')
  })

  it.each([
    ['yes', false, 'yes', false],
    [{ choice: 1 }, false, '{"choice":1}', false],
    ['no network', true, 'Error: no network', true],
  ])('returns the external result %j (failure: %s)', async (result, isError, content, failed) => {
    const { agent } = agents[kind]('ask')
    const { task, call } = await paused(agent)
    expect(call.awaits).toBe('result')
    loopState(task).pending_calls = [{ ...call, decision: 'result', result, isError }]
    const { sources, response } = await agent.runTask(task.taskId)
    expect(sources.map((output) => [output.content, output.isError])).toEqual([[content, failed]])
    expect(response).toBe('done')
    expect(loopState(agent.getTask(task.taskId)).usage.toolCalls).toBe(0)
  })
})
