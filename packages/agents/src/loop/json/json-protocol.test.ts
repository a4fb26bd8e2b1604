import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { journal } from '../../journal.ts'
import { AgentRunner } from '../../runner/agent-runner.ts'
import { FunctionTool } from '../../tool/function-tool.ts'
import { ToolLoopWorker } from '../../worker/tool-loop-worker.ts'
import { JsonProtocol } from './json-protocol.ts'

const add = FunctionTool.fromDefaults({
  name: 'add',
  description: 'Adds.',
  schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  fn: ({ a, b }) => a + b,
})

function agentFor(answers: string[]) {
  const llm = new ScriptedLLM({ answers })
  const agentWorker = new ToolLoopWorker({
    llm,
    tools: [add],
    protocol: new JsonProtocol({ systemPrompt: 'Be brief.' }),
  })
  return { llm, agent: new AgentRunner({ agentWorker }) }
}

const CALL = '<think>hm</think>{"thought": "add", "tool": "add", "arguments": {"a": 1, "b": 2}}'

describe('the JSON protocol', () => {
  it.each([true, false])('runs tools until the answer, with stream: %s', async (stream) => {
    const { llm, agent } = agentFor([CALL, '{"tool": "add"}', '{"thought": "done", "answer": "three"}'])
    const events = []
    for await (const event of agent.runEvents('How much?', { stream })) events.push(event)
    expect(events.at(-1)).toMatchObject({ answer: { text: 'three', sources: [{ content: '3' }, { isError: true }] } })
    expect(events.flatMap((event) => (event.type === 'reasoning' ? [event.text] : []))).toEqual(['add', 'done'])
    const { messages, options } = llm.calls[2]!
    expect(options).toEqual({ responseFormat: { type: 'json' } })
    expect(messages![0]!['content']).toMatch(/^Be brief\.\n\nTools:\n\{"tool":"add","description":"Adds\."/)
    expect(messages!.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'How much?'],
      ['assistant', CALL],
      ['user', '{"tool":"add","result":"3"}'],
      ['assistant', '{"tool": "add"}'],
      ['user', expect.stringContaining('{"tool":"add","error":"Error: Tool \\"add\\": a: ')],
    ])
  })

  it.each(['no JSON', '{"thought": "hm"}', ''])('reports the reply %j to the model', async (reply) => {
    const { llm, agent } = agentFor([reply, '{"answer": {"n": 3}}'])
    expect(String(await agent.chat('x'))).toBe('{"n":3}')
    expect(llm.calls[1]!.messages!.at(-1)!['content']).toMatch(/^Error: this is not a JSON object/)
  })

  it('works without tools, and rejects saved tasks of other protocols', async () => {
    const llm = new ScriptedLLM({ answers: ['{"answer": "yes"}'] })
    const agentWorker = new ToolLoopWorker({ llm, protocol: new JsonProtocol() })
    const agent = new AgentRunner({ agentWorker })
    const { taskId, extraState } = await agent.createTask('x')
    expect(agentWorker.readsState(extraState)).toBe(true)
    expect(agentWorker.readsState({ ...extraState, protocol: 'react' })).toBe(false)
    expect(String(await agent.runTask(taskId))).toBe('yes')
    expect(llm.calls[0]!.messages![0]!['content']).toContain('There are no tools.')
    expect(agentWorker.getPrompts()).toEqual({})
    expect(() => agentWorker.updatePrompts({ x: undefined as never })).toThrow(
      expect.objectContaining({ code: 'prompt_key' }),
    )
  })
})

it('a protocol with an initial state of its own keeps its `this`', async () => {
  class Counting extends JsonProtocol {
    readonly start = { turns: 0 }

    override initialState() {
      return { ...this.start }
    }
  }
  const llm = new ScriptedLLM({ answers: ['{"answer": "noon"}'] })
  const runner = new AgentRunner({
    agentWorker: new ToolLoopWorker({ llm, protocol: new Counting() }),
    taskStore: journal(),
  })
  const task = await runner.createTask('Time?')
  expect(task.extraState['turns']).toBe(0)
  const other = new AgentRunner({
    agentWorker: new ToolLoopWorker({ llm, protocol: new Counting() }),
    taskStore: journal(),
  })
  await other.loadTask(runner.saveTask(task.taskId))
  expect(String(await other.runTask(task.taskId))).toBe('noon')
})
