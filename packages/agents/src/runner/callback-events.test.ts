import { CallbackManager, NodeWithScore, type ObjectRetriever, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentFnComponent, AgentInputComponent } from '../pipeline/agent-components.ts'
import { QueryPipelineAgentWorker } from '../pipeline/query-pipeline-agent-worker.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { QueryEngineTool } from '../tool/query-engine-tool.ts'
import { RetrieverTool } from '../tool/retriever-tool.ts'
import { AgentRunner } from './agent-runner.ts'

const CALL = 'Thought: add\nAction: add\nAction Input: {"a": 1}'
const ANSWER = 'Thought: done\nAnswer: two'

/** An agent whose callback manager and model are recorded. The model has its own manager, so that no async context connects them. */
function recorded(answers: readonly ScriptedAnswer[]) {
  const handlers = [new RecordingCallbackHandler(), new RecordingCallbackHandler()] as const
  let count = 0
  const newId = () => `e${++count}`
  const [callbackManager, ofModel] = handlers.map((handler) => new CallbackManager([handler], { newId })) as [
    CallbackManager,
    CallbackManager,
  ]
  const add = FunctionTool.fromDefaults({ name: 'add', schema: {}, fn: () => 2 })
  const llm = new ScriptedLLM({ answers, callbackManager: ofModel })
  const agent = ReActAgent.fromTools({ llm, tools: [add], callbackManager })
  return { agent, handler: handlers[0], model: handlers[1] }
}

const starts = ({ events }: RecordingCallbackHandler) =>
  events.flatMap((event) => (event.phase === 'start' ? [`${event.type} ${event.id} < ${event.parent}`] : []))
const payloads = ({ events }: RecordingCallbackHandler, type: string) =>
  events.flatMap((event) => ('type' in event && event.type === type ? [event.payload] : []))

it('each step of a chat has its own event, the parent of its model and tool events without async context', async () => {
  const { agent, handler, model } = recorded([CALL, ANSWER])
  const events: { taskId: string; stepId: string }[] = []
  for await (const event of agent.runEvents('x')) if (event.type === 'step_start') events.push(event)
  expect(starts(handler)).toEqual([
    'agent_step e1 < root',
    'task_step e2 < e1',
    'function_call e4 < e2',
    'task_step e5 < e1',
  ])
  expect(starts(model)).toEqual(['llm e3 < e2', 'llm e6 < e5'])
  const [{ taskId: task_id, stepId: first }, { stepId: second }] = events as [(typeof events)[0], (typeof events)[0]]
  expect(payloads(handler, 'agent_step')[0]).toEqual({ messages: ['x'], task_id })
  expect(payloads(handler, 'task_step')).toEqual([
    { task_id, step_id: first, input: 'x' },
    { output: 'Observation: 2', is_last: false },
    { task_id, step_id: second, input: null },
    { output: 'two', is_last: true },
  ])
  expect(payloads(handler, 'function_call')).toMatchObject([
    { task_id, step_id: first, call_id: expect.any(String) },
    { function_call_response: '2', is_error: false },
  ])
})

it('the event of an agent behind a tool that waits for an approval has no error', async () => {
  const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
  const payer = ReActAgent.fromTools({
    llm: new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}'] }),
    tools: [pay],
  })
  const handler = new RecordingCallbackHandler()
  const agent = ReActAgent.fromTools({
    llm: new ScriptedLLM({ answers: ['Thought: ask\nAction: payer\nAction Input: {"input": "Pay!"}'] }),
    tools: [new AgentTool({ agent: payer, name: 'payer' })],
    callbackManager: new CallbackManager([handler]),
  })
  await expect(agent.chat('x')).rejects.toMatchObject({ code: 'approval_required' })
  expect(payloads(handler, 'function_call').slice(1)).toEqual([
    { function_call_response: 'Waiting for approval.', is_error: false },
  ])
})

it('a step outside of a chat has an event too', async () => {
  const { agent, handler } = recorded([CALL])
  const { taskId } = await agent.createTask('x')
  await agent.runStep(taskId)
  expect(starts(handler)).toEqual(['task_step e1 < root', 'function_call e3 < e1'])
})

it('the event of a run has the parent in the options', async () => {
  const { agent, handler } = recorded([ANSWER, ANSWER])
  await agent.chat('x', { parentId: 'outer' })
  await agent.asQueryComponent().runComponent({ input: 'x' }, { parentId: 'other' })
  expect(starts(handler).filter((start) => start.startsWith('agent_step'))).toEqual([
    'agent_step e1 < outer',
    'agent_step e4 < other',
  ])
})

it('the events of a streamed answer end with the stream', async () => {
  const { agent, handler } = recorded([['Thought: done\nAnswer: ', 'two', ' or', ' three']])
  const ends = () => handler.events.flatMap((event) => (event.phase === 'end' ? [event.type] : []))
  const answer = await agent.streamChat('x')
  expect(ends()).toEqual([])
  for await (const _ of answer);
  await answer.done
  expect(ends()).toEqual(['task_step', 'agent_step'])
  expect(payloads(handler, 'task_step').at(-1)).toEqual({ output: 'two or three', is_last: true })
  expect(String(payloads(handler, 'agent_step').at(-1)?.['response'])).toBe('two or three')
})

it('a failing stream ends the events with its error', async () => {
  const down = new Error('down')
  const { agent, handler } = recorded([['Thought: done\nAnswer: ', 'two', down]])
  const answer = await agent.streamChat('x')
  await expect(
    (async () => {
      for await (const _ of answer);
    })(),
  ).rejects.toBe(down)
  await answer.done.catch(() => {})
  expect(payloads(handler, 'task_step').at(-1)).toEqual({ exception: down })
  expect(payloads(handler, 'agent_step').at(-1)).toEqual(null)
})

it('the events of retrievers have their step or tool call as parent without async context', async () => {
  const searches: unknown[] = []
  const find = new RetrieverTool({
    name: 'find',
    retriever: {
      retrieve: (query, options) => {
        searches.push([query, options?.parentId])
        return []
      },
    },
  })
  let count = 0
  const handler = new RecordingCallbackHandler()
  const callbackManager = new CallbackManager([handler], { newId: () => `e${++count}` })
  const call = 'Thought: find\nAction: find\nAction Input: {"input": "pears"}'
  const toolRetriever: ObjectRetriever<RetrieverTool> = {
    retrieve: (query, options) => {
      searches.push([query, options?.parentId])
      return [find]
    },
  }
  const agent = ReActAgent.fromTools({
    llm: new ScriptedLLM({ answers: [call, ANSWER] }),
    toolRetriever,
    callbackManager,
  })
  await agent.chat('x')
  expect(starts(handler).slice(0, 3)).toEqual(['agent_step e1 < root', 'task_step e2 < e1', 'function_call e3 < e2'])
  expect(searches.slice(0, 2)).toEqual([
    ['x', 'e2'],
    ['pears', 'e3'],
  ])
})

const asking = (callbackManager: CallbackManager, tool: AsyncBaseTool) =>
  ReActAgent.fromTools({
    llm: new ScriptedLLM({
      answers: [`Thought: ask\nAction: ${tool.metadata.name}\nAction Input: {"input": "x"}`, 'Answer: done'],
      callbackManager,
    }),
    tools: [tool],
    callbackManager,
  })

const answering = (callbackManager: CallbackManager) =>
  ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: yes'], callbackManager }), callbackManager })

const pipelineOf = (callbackManager: CallbackManager) =>
  new QueryPipeline({ chain: [answering(callbackManager).asQueryComponent()], callbackManager })

/** Everything that an agent may contain. */
const nested: Record<string, (manager: CallbackManager) => AgentRunner> = {
  'an agent as tool': (manager) => asking(manager, new AgentTool({ agent: answering(manager), name: 'ask' })),
  'an agent as tool of an agent as tool': (manager) =>
    asking(
      manager,
      new AgentTool({
        agent: asking(manager, new AgentTool({ agent: answering(manager), name: 'ask' })),
        name: 'ask',
      }),
    ),
  'a query engine tool over an agent': (manager) =>
    asking(manager, new QueryEngineTool({ queryEngine: answering(manager), name: 'ask' })),
  'a query engine tool over a pipeline with an agent': (manager) => {
    const pipeline = pipelineOf(manager)
    const query = (input: string, options?: { parentId?: string | undefined }) =>
      pipeline.run({ inputs: { input } }, options)
    return asking(manager, new QueryEngineTool({ queryEngine: { query }, name: 'ask' }))
  },
  'a retriever tool': (manager) => {
    const retrieve = (query: string, options?: { parentId?: string | undefined }) =>
      manager.event(
        'retrieve',
        { query_str: query },
        () => [new NodeWithScore({ node: new TextNode({ text: 'a' }) })],
        {
          trace: 'query',
          parentId: options?.parentId,
        },
      )
    return asking(manager, new RetrieverTool({ retriever: { retrieve }, name: 'find' }))
  },
  'a pipeline as worker, with an agent': (manager) => {
    const first = new AgentInputComponent({ fn: (task) => ({ input: task.input }) })
    const last = new AgentFnComponent({
      fn: (_task, _state, { text }: { text: unknown }) => [
        { response: String(text), sources: [], sourceNodes: [] },
        true,
      ],
      params: { required: ['text'] },
    })
    const pipeline = new QueryPipeline({
      chain: [first, answering(manager).asQueryComponent(), last],
      callbackManager: manager,
    })
    return new AgentRunner({ agentWorker: new QueryPipelineAgentWorker({ pipeline }), callbackManager: manager })
  },
}

it('passes the parent of a single step on, for platforms without async context', async () => {
  const handler = new RecordingCallbackHandler()
  const agent = answering(new CallbackManager([handler], { platform: {} }))
  const { taskId } = await agent.createTask('x')
  await agent.runStep(taskId, { parentId: 'mine' })
  expect(handler.events.find((event) => event.phase === 'start')).toMatchObject({ type: 'task_step', parent: 'mine' })
})

describe.each(Object.entries(nested))('%s', (_, make) => {
  async function record(platform: object, run: (agent: AgentRunner) => Promise<unknown>) {
    let count = 0
    const handler = new RecordingCallbackHandler()
    const manager = new CallbackManager([handler], { newId: () => `e${++count}`, platform })
    await run(make(manager))
    return handler.events.map((event) =>
      event.phase === 'start'
        ? `${event.type} ${event.id} < ${event.parent}`
        : event.phase === 'end'
          ? `end ${event.id}`
          : event.phase === 'start_trace'
            ? event.trace
            : event.traceMap,
    )
  }

  it.each([
    ['chat', (agent: AgentRunner) => agent.chat('x')],
    ['runStep', async (agent: AgentRunner) => agent.runStep((await agent.createTask('x')).taskId)],
  ])('belongs to one trace of %s; with and without async context the events are the same', async (_name, run) => {
    const without = await record({}, run)
    expect(without).toEqual(await record(globalThis, run))
    expect(without.filter((event) => event === 'chat' || event === 'run_step' || event === 'query')).toHaveLength(1)
  })
})
