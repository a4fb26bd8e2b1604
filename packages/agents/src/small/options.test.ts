import { expect, it } from 'vitest'
import { scriptedToolModel } from '../../test/function-calling-llm.ts'
import {
  budget,
  clipOutputs,
  cutAnswers,
  failures,
  guards,
  limits,
  reactLoop,
  repairs,
  repeatedFailures,
  structured,
  timeLimit,
  toolLoop,
} from '../loop.ts'
import { FunctionTool } from '../tool/function-tool.ts'

const llm = () => scriptedToolModel(['Answer: yes'])

it.each<[string, () => unknown]>([
  ['toolLoop.tool', () => toolLoop({ llm: llm(), tool: [] } as never)],
  ['toolLoop.formatter', () => toolLoop({ llm: llm(), formatter: null } as never)],
  ['toolLoop.maxToolConcurrency', () => toolLoop({ llm: llm(), maxToolConcurrency: Number.NaN })],
  ['reactLoop.system', () => reactLoop({ llm: llm(), system: 'Hi' } as never)],
  ['budget.maxModelCall', () => budget({ maxModelCall: 3 } as never)],
  ['budget.maxModelCalls', () => budget({ maxModelCalls: Number.NaN })],
  ['limits.maxIterations', () => limits({} as never)],
  ['limits.maxIterations', () => limits({ maxIterations: Number.NaN })],
  ['guards.tools', () => guards({ tools: () => ({ block: 'no' }) } as never)],
  ['failures.onUnkownTool', () => failures({ onUnkownTool: 'raise' } as never)],
  ['failures.onToolError', () => failures({ onToolError: 'rase' as never })],
  ['repairs.onToolErrors', () => repairs(() => null, { onToolErrors: 'raise' } as never)],
  ['cutAnswers.policy', () => cutAnswers('accept' as never)],
  ['clipOutputs.tokens', () => clipOutputs(Number.NaN)],
  ['repeatedFailures.most', () => repeatedFailures(Number.NaN)],
  ['repeatedFailures.onLimit', () => repeatedFailures(5, 'stop' as never)],
  ['timeLimit.defaultMs', () => timeLimit(Number.NaN)],
  ['structured.maxRepair', () => structured({ type: 'object' }, { maxRepair: 1 } as never)],
  ['structured.mode', () => structured({ type: 'object' }, { mode: 'json' as never })],
])('%s is refused when the loop or the layer is made', (path, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'model_validation', message: expect.stringContaining(path) }))
})

it.each([{ maxSteps: Number.NaN }, { maxSteps: 0 }, { maxStep: 3 }, { message: [] }])(
  'a run refuses %o before it asks the model',
  async (options) => {
    const model = llm()
    const run = toolLoop({ llm: model }).run('x', options as never)
    await expect(run).rejects.toMatchObject({ code: 'model_validation' })
    expect(model.calls).toEqual([])
  },
)

it('undefined options count as absent', async () => {
  const tools = [FunctionTool.fromDefaults({ name: 'a', schema: {}, fn: () => 'a' })]
  const loop = toolLoop({ llm: llm(), tools, layers: undefined, other: undefined } as never)
  expect(await loop.run('x', { maxSteps: undefined })).toMatchObject({ text: 'Answer: yes' })
})
