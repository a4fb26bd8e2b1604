import { ChatMessage, NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { TaskStep } from './task-step.ts'
import { TaskStepOutput } from './task-step-output.ts'

describe('TaskStep in wire form', () => {
  it('writes links as references and models in the state as their dicts', () => {
    const step = new TaskStep({ taskId: 't', stepId: 'a', stepState: { seen: [new ChatMessage({ content: 'Hi' })] } })
    step.linkStep(new TaskStep({ taskId: 't', stepId: 'b', isReady: false }))
    expect(step.toDict()).toEqual({
      task_id: 't',
      step_id: 'a',
      input: null,
      step_state: { seen: [{ role: 'user', content: 'Hi', additional_kwargs: {} }] },
      next_steps: { b: { task_id: 't', step_id: 'b' } },
      prev_steps: {},
      is_ready: true,
    })
    expect(JSON.parse(JSON.stringify(step))).toEqual(step.toDict())
  })

  it('reads a step with its links', () => {
    const step = new TaskStep({ taskId: 't', stepId: 'a', input: 'Hi', stepState: { n: 1 }, isReady: false })
    step.linkStep(new TaskStep({ taskId: 't', stepId: 'b' }))
    const again = TaskStep.fromDict(step.toDict())
    expect(again).toBeInstanceOf(TaskStep)
    expect(again.toDict()).toEqual(step.toDict())
    expect(again.nextSteps.get('b')).toBeInstanceOf(TaskStep)
  })

  it('reads complete steps instead of links, as LlamaIndex for Python writes them', () => {
    const linked = { task_id: 't', step_id: 'b', input: 'x', step_state: { n: 2 }, next_steps: {}, prev_steps: {} }
    const { nextSteps } = TaskStep.fromDict({ task_id: 't', step_id: 'a', input: null, next_steps: { b: linked } })
    expect(nextSteps.get('b')).toMatchObject({ input: 'x', stepState: { n: 2 }, isReady: true })
  })

  it('does not change or share the data', () => {
    const data = { task_id: 't', step_id: 'a', step_state: { n: 1 } }
    const step = TaskStep.fromDict(data)
    step.stepState['n'] = 2
    expect(data).toEqual({ task_id: 't', step_id: 'a', step_state: { n: 1 } })
  })

  it('reports all invalid fields with their paths', () => {
    const data = { step_id: 5, step_state: [], is_ready: 'yes', next_steps: { b: { task_id: 't' } } }
    expect(() => TaskStep.fromDict(data)).toThrow(
      expect.objectContaining({
        code: 'model_validation',
        issues: [
          { path: 'taskId', message: 'required, but missing', code: 'required' },
          { path: 'stepId', message: 'expected a string, received 5', code: 'type' },
          { path: 'stepState', message: 'expected an object, received an array', code: 'type' },
          { path: 'nextSteps.b.stepId', message: 'required, but missing', code: 'required' },
          { path: 'isReady', message: 'expected a boolean, received a string', code: 'type' },
        ],
      }),
    )
    expect(() => TaskStep.fromDict('{}')).toThrow('TaskStep: expected an object, received a string.')
  })
})

describe('TaskStepOutput in wire form', () => {
  const taskStep = new TaskStep({ taskId: 't', stepId: 'a' })
  const nextSteps = [new TaskStep({ taskId: 't', stepId: 'b', input: 'x' })]

  it('writes the keys of LlamaIndex for Python', () => {
    expect(new TaskStepOutput({ output: 'done', taskStep, nextSteps, isLast: true }).toDict()).toEqual({
      output: 'done',
      task_step: taskStep.toDict(),
      next_steps: [nextSteps[0]!.toDict()],
      is_last: true,
    })
  })

  it('reads an output with its answer and status', () => {
    const output = new AgentChatResponse({
      response: 'Observation: 3',
      sources: [new ToolOutput({ content: '3', toolName: 'add', rawInput: { a: 1 }, rawOutput: 3 })],
      sourceNodes: [new NodeWithScore({ node: new TextNode({ id: 'n' }), score: 0 })],
    })
    const made = new TaskStepOutput({ output, taskStep, nextSteps, status: 'awaiting_approval' })
    const again = TaskStepOutput.fromDict(JSON.parse(JSON.stringify(made)))
    expect(again.output).toBeInstanceOf(AgentChatResponse)
    expect(again).toMatchObject({ isLast: false, status: 'awaiting_approval' })
    expect(again.toDict()).toEqual(made.toDict())
  })

  it.each([null, 0, '', [1], { response: 'x' }])('keeps the output %j unchanged', (output) => {
    const again = TaskStepOutput.fromDict(new TaskStepOutput({ output, taskStep, nextSteps: [] }).toDict())
    expect(again.output).toEqual(output)
  })

  it('rejects an output without a step', () => {
    expect(() => TaskStepOutput.fromDict({ output: null, next_steps: [{}], status: 'odd' })).toThrow(
      expect.objectContaining({
        issues: [
          expect.objectContaining({ path: 'taskStep', code: 'required' }),
          expect.objectContaining({ path: 'nextSteps[0].taskId', code: 'required' }),
          expect.objectContaining({ path: 'nextSteps[0].stepId', code: 'required' }),
          expect.objectContaining({ path: 'status', code: 'type' }),
        ],
      }),
    )
  })
})
