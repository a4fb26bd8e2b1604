import { registerHooks } from 'node:module'
import { ScriptedLLM } from '@x/llm/testing'
import type * as Pipelines from '@x/query-pipeline'
import { describe, expect, it } from 'vitest'
import * as errors from './errors.ts'
import * as main from './index.ts'
import * as pipelines from './pipeline.ts'
import { isTaskStep } from './task/task-step.ts'

const agents = { ...main, ...errors, ...pipelines }

/** Imports a module with copies of the modules of this repository that it imports. All calls share the copies. */
async function importAgain<T>(specifier: string): Promise<T> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isCopied = context.parentURL?.endsWith('?again') && /^file:(?!.*\/node_modules\/)/.test(found.url)
      return isCopied ? { ...found, url: `${found.url}?again` } : found
    },
  })
  try {
    return await import(`${import.meta.resolve(specifier)}?again`)
  } finally {
    hooks.deregister()
  }
}

/** Two copies exist when two versions of the package are installed. */
describe('two copies of the package', async () => {
  const other = {
    ...(await importAgain<typeof main>('./index.ts')),
    ...(await importAgain<typeof errors>('./errors.ts')),
    ...(await importAgain<typeof pipelines>('./pipeline.ts')),
  }
  const { QueryPipeline } = await importAgain<typeof Pipelines>('@x/query-pipeline')

  const agentOf = (copy: typeof main) =>
    copy.ReActAgent.fromTools({ tools: [], llm: new ScriptedLLM({ answers: ['Thought: done\nAnswer: yes'] }) })

  it('are different classes', () => {
    expect(other.TaskStep).not.toBe(agents.TaskStep)
    expect(other.Task).not.toBe(agents.Task)
  })

  it('accept the task steps of each other', async () => {
    const agent = agentOf(agents)
    const task = await agent.createTask('Is it?')
    const step = new other.TaskStep({ taskId: task.taskId, stepId: 's', input: 'Is it?' })
    expect(isTaskStep(step)).toBe(true)
    expect((await agent.runStep(task.taskId, { step })).isLast).toBe(true)
    const foreign = { taskId: task.taskId, stepId: 's' } as never
    await expect(agent.runStep(task.taskId, { step: foreign })).rejects.toMatchObject({ code: 'invalid_step' })
  })

  it('accept the messages of each other', () => {
    const memory = agents.ChatMemoryBuffer.fromDefaults({ tokenLimit: 10 })
    memory.put({ role: 'user', content: 'a' })
    const copy = other.ChatMemoryBuffer.fromDefaults({ tokenLimit: 10 })
    copy.put(memory.getAll()[0]!)
    expect(copy.getAll()[0]).toBe(memory.getAll()[0])
  })

  it('pass on the errors of each other’s tools', async () => {
    const thrown = new other.ToolExecutionError('inner', 'broken')
    const fail = () => {
      throw thrown
    }
    const tool = agents.FunctionTool.fromDefaults({ name: 'outer', schema: { type: 'object' }, fn: fail })
    await expect(async () => tool.call({})).rejects.toBe(thrown)
  })

  it('run the agent components of each other', async () => {
    const input = new other.AgentInputComponent({ fn: (task) => ({ input: task.input }) })
    const answer = new other.AgentFnComponent({
      fn: (_task, _state, { input: text }: { input: string }) => [
        { response: `${text}!`, sources: [], sourceNodes: [] },
        true,
      ],
      params: { required: ['input'] },
    })
    const pipeline = new QueryPipeline({ chain: [input, answer] })
    const worker = new agents.QueryPipelineAgentWorker({ pipeline: pipeline as never })
    const agent = new agents.AgentRunner({ agentWorker: worker })
    expect(String((await agent.chat('Hello')).response)).toBe('Hello!')
  })
})
