import { keepWithin } from '@x/agents'
import {
  budget,
  clipOutputs,
  cutAnswers,
  failures,
  guards,
  type Layer,
  type Layers,
  lenientArguments,
  limits,
  partialOutput,
  reasoning,
  repeatedFailures,
  streaming,
  timeLimit,
} from '@x/agents/loop'
import { describe, expect, it } from 'vitest'
import { layerChecks } from './layer-checks.ts'

const layers: Record<string, () => Layers> = {
  budget: () => [budget({ maxModelCalls: 5 })],
  clipOutputs: () => [clipOutputs(50)],
  cutAnswers: () => [cutAnswers('continue')],
  failures: () => [failures({ onToolError: 'raise' })],
  guards: () => [guards({ tool: () => ({ replace: { city: 'Cali' } }), answer: () => null })],
  keepWithin: () => [keepWithin({ maxTokens: 500 })],
  lenientArguments: () => [lenientArguments()],
  limits: () => [limits({ maxIterations: 3, maxFunctionCalls: 2 })],
  partialOutput: () => [streaming(), partialOutput(() => {})],
  reasoning: () => [reasoning()],
  repeatedFailures: () => [repeatedFailures(2)],
  streaming: () => [streaming()],
  timeLimit: () => [timeLimit(1000)],
}

describe.each(Object.entries(layers))('%s', (_name, make) => {
  it.each(layerChecks(make).map((check) => [check.name, check] as const))('%s', async (_check, { run }) => run())
})

it('the checks find layers that break the contract', async () => {
  const broken: Record<string, () => Layer> = {
    'a task continues with a new layer as with the same one': () => {
      let steps = 0
      return {
        record: (next) => (turn, outputs, scope) => {
          steps++
          return next(turn.kind === 'answer' ? { ...turn, text: `after ${steps} turns` } : turn, outputs, scope)
        },
        calls: (next) => (calls, scope) => {
          steps++
          return next(calls, scope)
        },
        rank: 1,
      }
    },
    'the error of a model is thrown': () => ({
      model: (next) => async (request, scope) => {
        try {
          return await next(request, scope)
        } catch {
          return next(request, scope)
        }
      },
      step: (next) => (input, scope) => next(input, scope).catch(() => ({ kind: 'answer', text: 'hidden' })),
    }),
    'a call of a tool that does not exist is reported to the model': () => ({
      tool: (next) => (call, scope) => {
        const { metadata } = scope.tools.find((tool) => tool.metadata.name === call.name)!
        return next({ ...call, name: metadata.getName() }, scope)
      },
    }),
    'the messages of the caller do not change': () => ({
      step: (next) => async (input, scope) => {
        const first = (await scope.task.memory.getAll())[0]
        if (first) first.content = 'changed'
        return next(input, scope)
      },
    }),
  }
  for (const [name, make] of Object.entries(broken)) {
    const check = layerChecks(() => [make()]).find((one) => one.name === name)!
    await expect(check.run(), name).rejects.toThrow(/expected|received/)
  }
})
