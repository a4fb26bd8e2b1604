import { CallbackManager, NodeWithScore, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { AgentFnComponent, AgentInputComponent } from '../pipeline/agent-components.ts'
import { QueryPipelineAgentWorker } from '../pipeline/query-pipeline-agent-worker.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import type { AsyncBaseTool } from '../tool/base-tool.ts'
import { QueryEngineTool } from '../tool/query-engine-tool.ts'
import { RetrieverTool } from '../tool/retriever-tool.ts'
import { AgentRunner } from './agent-runner.ts'

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
