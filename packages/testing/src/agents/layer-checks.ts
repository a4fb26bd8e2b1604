/**
 * @module
 * The contract of layers, as checks for any test runner.
 */
import { FunctionTool } from '@x/agents'
import { approvals, decide, type Layers, type LoopResult, toolLoop } from '@x/agents/loop'
import { ChatMessage, isToolkitError, LLMMetadata } from '@x/core-model'
import { ModelCallError } from '@x/llm'
import { type ScriptedAnswer, ScriptedLLM } from '@x/llm/testing'
import { type ContractCheck, same } from '../storage/contract-check.ts'

/**
 * Returns the checks that every layer must pass: it serves runs at the same time, keeps its state in the task, passes errors and
 * cancellation on, and changes no input. The purpose of the layer needs separate tests.
 * @param make - returns the layer, with the layers that it needs. Called for each loop, also for one that continues a task elsewhere.
 * @example
 * import { budget, streaming } from '@x/agents/loop'
 * for (const { run } of layerChecks(() => [budget(), streaming()])) await run()
 */
export function layerChecks(make: () => Layers): readonly ContractCheck[] {
  return CHECKS.map(([name, check]) => ({ name, run: () => check(make) }))
}

const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })

function callOf(city: string, name = 'look_up'): ChatMessage {
  const tool_calls = [{ id: 'call', type: 'function', function: { name, arguments: JSON.stringify({ city }) } }]
  return new ChatMessage({ role: 'assistant', content: '', additionalKwargs: { tool_calls } })
}

function loopOf(layers: Layers, answers: readonly ScriptedAnswer[] = [callOf('Lima'), 'Dry.']) {
  const lookUp = FunctionTool.fromDefaults({
    name: 'look_up',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    needsApproval: ({ city }) => city === 'Cusco',
    fn: async ({ city }) => `${city} is dry.`,
  })
  const llm = new ScriptedLLM({ metadata, answers })
  return toolLoop({ llm, tools: [lookUp], layers: [approvals(), ...layers] })
}

/** What must be equal in two runs. */
function shown({ status, text, output, messages, sources }: LoopResult): unknown {
  return [status, text, output ?? null, messages.map((message) => message.toDict()), sources.map(String)]
}

async function outcome(run: Promise<LoopResult>): Promise<unknown> {
  try {
    return shown(await run)
  } catch (error) {
    return isToolkitError(error) ? error.code : String(error)
  }
}

const CHECKS: readonly [name: string, check: (make: () => Layers) => Promise<void>][] = [
  [
    'one layer serves runs at the same time',
    async (make) => {
      const answers = (city: string) => [callOf(city), `${city}.`]
      const alone = await Promise.all(
        ['Lima', 'Quito'].map((city) => outcome(loopOf(make(), answers(city)).run('Rain?'))),
      )
      const layers = make()
      const together = await Promise.all(
        ['Lima', 'Quito'].map((city) => outcome(loopOf(layers, answers(city)).run('Rain?'))),
      )
      same(together, alone, 'two runs at the same time')
    },
  ],
  [
    'a task continues with a new layer as with the same one',
    async (make) => {
      const results: unknown[] = []
      for (const isNew of [false, true]) {
        const layers = make()
        const answers = [callOf('Cusco'), 'Dry.']
        const { status, task } = await loopOf(layers, answers).run('Rain?', { taskId: 'task' })
        if (status !== 'waiting') {
          // The layer ends the turn before its calls wait.
          results.push(status)
          continue
        }
        const next = loopOf(isNew ? make() : layers, answers.slice(1))
        await decide(next, task, 'call', { decision: 'approve' })
        results.push(await outcome(next.resume(task)))
      }
      same(results[1], results[0], 'a task that continues elsewhere')
    },
  ],
  [
    'the error of a model is thrown',
    async (make) => {
      const error = new ModelCallError('the model is down', { kind: 'auth' })
      const loop = loopOf(make(), [error])
      same(await outcome(loop.run('Rain?')), 'model_call', 'a model that fails')
    },
  ],
  [
    'a call of a tool that does not exist is reported to the model',
    async (make) => {
      const run = loopOf(make(), [callOf('Lima', 'look_down'), 'Dry.']).run('Rain?')
      const thrown = await run.then(
        () => undefined,
        (error) => error,
      )
      // The layer may end the run for a reason of its own.
      if (thrown !== undefined && !isToolkitError(thrown))
        throw new Error(`A call of a tool that does not exist: expected an answer, received ${thrown}.`)
    },
  ],
  [
    'a cancelled run rejects with the reason of its signal',
    async (make) => {
      const reason = new Error('enough')
      const run = loopOf(make()).run('Rain?', { signal: AbortSignal.abort(reason) })
      const thrown = await run.then(
        () => 'an answer',
        (error) => error,
      )
      if (thrown !== reason) throw new Error(`A cancelled run: expected the reason of the signal, received ${thrown}.`)
    },
  ],
  [
    'the messages of the caller do not change',
    async (make) => {
      const messages = Object.freeze([new ChatMessage({ role: 'user', content: 'Hi' })])
      const before = messages.map((message) => message.toDict())
      await outcome(loopOf(make()).run('Rain?', { messages }))
      const after = messages.map((message) => message.toDict())
      same(after, before, 'messages of the caller')
    },
  ],
]
