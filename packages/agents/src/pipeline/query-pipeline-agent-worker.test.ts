import { CallbackManager, type QueryComponent } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { PromptTemplate } from '@x/prompts'
import { FnComponent, QueryPipeline } from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import { collected } from '../../test/function-calling-llm.ts'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { AgentRunner } from '../runner/agent-runner.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { AgentFnComponent, AgentInputComponent, ToolRunnerComponent } from './agent-components.ts'
import { QueryPipelineAgentWorker } from './query-pipeline-agent-worker.ts'

const input = (fn: ConstructorParameters<typeof AgentInputComponent>[0]['fn'] = (task) => ({ text: task.input })) =>
  new AgentInputComponent({ fn })

const last = (isDone = true) =>
  new AgentFnComponent({
    fn: (_task, state, { text }: { text: string }) => {
      state['seen'] = [...((state['seen'] as string[] | undefined) ?? []), text]
      return [new AgentChatResponse({ response: `${text} ${(state['seen'] as string[]).length}` }), isDone]
    },
    params: { required: ['text'] },
  })

const workerOf = (...chain: QueryComponent[]) =>
  new QueryPipelineAgentWorker({ pipeline: new QueryPipeline({ chain }) })

describe('QueryPipelineAgentWorker', () => {
  it('runs its pipeline once per step, with one state for all components', async () => {
    let steps = 0
    const done = new AgentFnComponent({
      fn: (_task, state, { text }: { text: string }) => {
        steps++
        return [new AgentChatResponse({ response: `${text} ${state['count']}` }), state['count'] === 3]
      },
      params: { required: ['text'] },
    })
    const count = input((task, state) => {
      state['count'] = ((state['count'] as number | undefined) ?? 0) + 1
      return { text: task.input }
    })
    const agentWorker = workerOf(count, done)
    expect(String(await new AgentRunner({ agentWorker }).chat('Hello'))).toBe('Hello 3')
    expect(steps).toBe(3)
  })

  it('stops at the limit of steps', async () => {
    const pipeline = new QueryPipeline({ chain: [input(), last(false)] })
    const agentWorker = new QueryPipelineAgentWorker({ pipeline, maxSteps: 2 })
    await expect(new AgentRunner({ agentWorker }).chat('x')).rejects.toMatchObject({ code: 'max_iterations' })
    expect(() => new QueryPipelineAgentWorker({ pipeline, maxSteps: 0 })).toThrow('maxSteps')
  })

  it.each([
    ['a pipeline without components', new QueryPipeline()],
    [
      'a pipeline that begins with another component',
      new QueryPipeline({ chain: [new FnComponent({ fn: () => 1, params: { required: [] } }), last()] }),
    ],
  ])('rejects %s', (_, pipeline) => {
    expect(() => new QueryPipelineAgentWorker({ pipeline })).toThrow(expect.objectContaining({ code: 'configuration' }))
  })

  it('rejects an input function whose result is no object, and a last component whose result is no pair', async () => {
    const chat = (agentWorker: QueryPipelineAgentWorker) => new AgentRunner({ agentWorker }).chat('x')
    await expect(
      chat(
        workerOf(
          input(() => ['a']),
          last(),
        ),
      ),
    ).rejects.toMatchObject({
      code: 'pipeline_module',
      cause: expect.objectContaining({ code: 'component_output' }),
    })
    const text = new AgentFnComponent({ fn: () => 'done', params: { required: ['text'] } })
    await expect(chat(workerOf(input(), text))).rejects.toMatchObject({
      code: 'invalid_agent_output',
    })
  })

  it('lists the components for agents, and has no prompts', async () => {
    const worker = workerOf(input(), last())
    expect(worker.agentComponents).toHaveLength(1)
    expect(worker.getPrompts()).toEqual({})
    const prompts = { p: new PromptTemplate({ template: 'x' }) }
    expect(() => worker.updatePrompts(prompts)).toThrow(expect.objectContaining({ code: 'prompt_key' }))
  })

  it('streams its answer as one piece', async () => {
    const runner = new AgentRunner({ agentWorker: workerOf(input(), last()) })
    expect(await collected(await runner.streamChat('Hello'))).toEqual(['Hello 1'])
    const { taskId } = await runner.createTask('Hello')
    const { output } = await runner.streamStep(taskId)
    expect(await collected(output as AsyncIterable<string>)).toEqual(['Hello 1'])
  })

  it('reports to the callback manager that it receives', async () => {
    const handler = new RecordingCallbackHandler()
    const worker = workerOf(input(), last())
    const callbackManager = new CallbackManager([handler])
    worker.setCallbackManager(callbackManager)
    expect(worker.pipeline.callbackManager).toBe(callbackManager)
    await new AgentRunner({ agentWorker: worker }).chat('x')
    expect(handler.events.length).toBeGreaterThan(0)
  })
})

describe('components of an agent', () => {
  it('need a task and a state', async () => {
    for (const component of [input(), last()]) {
      await expect(component.runComponent({ task: 'x', state: {}, text: '' })).rejects.toMatchObject({
        code: 'component_input',
      })
      expect(component.contextKeys).toEqual(['task', 'state'])
    }
  })
})

it('ToolRunnerComponent rejects calls that need approval', async () => {
  const sent: unknown[] = []
  const send = FunctionTool.fromDefaults({
    name: 'send',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    needsApproval: ({ to }) => to.endsWith('@example.org'),
    fn: ({ to }) => sent.push(to),
  })
  const run = (to: string) =>
    new ToolRunnerComponent({ tools: [send] }).runComponent({ tool_name: 'send', tool_input: { to } })
  await expect(run('ann@example.org')).rejects.toMatchObject({ code: 'approval' })
  await run('me')
  expect(sent).toEqual(['me'])
})
