import { ScriptedLLM } from '@x/llm/testing'
import { Type } from 'typebox'
import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { journal } from '../journal.ts'
import { structured } from '../layers/structured.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { agentFromLlm } from './agent-from-llm.ts'
import { FunctionCallingAgent } from './function-calling-agent.ts'
import { ReActAgent } from './react-agent.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const
const time = FunctionTool.fromDefaults({ name: 'time', schema: { type: 'object', properties: {} }, fn: () => 'noon' })
const final = (args: unknown, id = 'f') => toolCalls(toolCall(id, 'final_answer', args))
const action = (name: string, args: string) => `Thought: x\nAction: ${name}\nAction Input: ${args}`

describe.each([false, true])('an agent with an output schema (stream: %s)', (stream) => {
  const ask = async (agent: FunctionCallingAgent | ReActAgent) => {
    if (!stream) return agent.chat('x')
    const answer = await agent.streamChat('x')
    await answer.done
    return answer
  }

  it('returns the arguments of the final_answer call, after the other tool calls', async () => {
    const llm = scriptedToolModel([toolCalls(toolCall('t', 'time', {})), final({ city: 'Lima', days: '3' })])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [time], output: structured(schema) })
    const { output, response, sources } = await ask(agent)
    expect(output).toEqual({ city: 'Lima', days: 3 })
    expect(response).toBe('{"city":"Lima","days":3}')
    expect(sources.map(String)).toEqual(['noon'])
    // A call without its tool message would be refused by providers.
    expect(agent.chatHistory.at(-1)).toMatchObject({ role: 'assistant', content: response, additionalKwargs: {} })
    const { tools, toolChoice } = llm.calls[0]!.options as {
      tools: { function: { name: string } }[]
      toolChoice: string
    }
    expect(tools.map((tool) => tool.function.name)).toEqual(['time', 'final_answer'])
    expect(toolChoice).toBe('required')
  })

  it('returns the input of the final_answer action of a ReAct agent', async () => {
    const answers = [action('time', '{}'), action('final_answer', '{"city": "Lima"}')]
    const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools: [time], output: structured(schema) })
    expect((await ask(agent)).output).toEqual({ city: 'Lima' })
    expect(agent.chatHistory.map(String)).toEqual(['user: x', 'assistant: {"city":"Lima"}'])
  })

  it.each([
    ['a wrong call', final({ town: 'Lima' }), 'Error: '],
    ['text', 'Lima, I think.', 'Error: the answer does not match the schema: expected JSON'],
    ['wrong JSON', '{"city": 5}', 'Error: the answer does not match the schema: city: '],
    [
      'a call beside others',
      toolCalls(toolCall('t', 'time', {}), toolCall('f', 'final_answer', { city: 'Lima' })),
      'noon',
    ],
  ])('asks the model again after %s', async (_, wrong, reported) => {
    const llm = scriptedToolModel([wrong, final({ city: 'Lima' }, 'g')])
    const agent = FunctionCallingAgent.fromTools({ llm, tools: [time], output: structured(schema) })
    expect((await ask(agent)).output).toEqual({ city: 'Lima' })
    const messages = llm.calls[1]!.messages!.map(({ content }) => String(content))
    expect(messages.some((content) => content.startsWith(reported))).toBe(true)
  })

  it('accepts text that matches the schema', async () => {
    const llm = scriptedToolModel(['<think>{}</think>```json\n{"city": "Lima"}\n```'])
    expect((await ask(FunctionCallingAgent.fromTools({ llm, output: structured(schema) }))).output).toEqual({
      city: 'Lima',
    })
  })

  it('throws InvalidOutputError if no answer matches the schema', async () => {
    const llm = scriptedToolModel(['no', final({}), '{}'])
    const agent = FunctionCallingAgent.fromTools({ llm, output: structured(schema) })
    await expect(ask(agent)).rejects.toMatchObject({ code: 'invalid_output', text: '{}', issues: [{ path: 'city' }] })
    const once = FunctionCallingAgent.fromTools({
      llm: scriptedToolModel(['no']),
      output: structured(schema, { maxRepairs: 0 }),
    })
    await expect(ask(once)).rejects.toMatchObject({ code: 'invalid_output', text: 'no' })
  })

  it('requests the schema as the format of the reply', async () => {
    const llm = scriptedToolModel(['{"city": "Lima", "days": "3"}'])
    const agent = FunctionCallingAgent.fromTools({
      llm,
      tools: [time],
      output: structured(schema, { mode: 'response_format' }),
    })
    expect((await ask(agent)).output).toEqual({ city: 'Lima', days: 3 })
    const { tools, responseFormat } = llm.calls[0]!.options as { tools: unknown[]; responseFormat: object }
    expect(tools).toHaveLength(1)
    expect(responseFormat).toEqual({ type: 'json', schema, name: 'answer' })
  })

  it.each([[final({ value: ['a', 'b'] })], ['["a", "b"]'], ['{"value": ["a", "b"]}']])(
    'accepts a value that is not an object: %s',
    async (reply) => {
      const output = { type: 'array', items: { type: 'string' } } as const
      const agent = FunctionCallingAgent.fromTools({ llm: scriptedToolModel([reply]), output: structured(output) })
      expect((await ask(agent)).output).toEqual(['a', 'b'])
    },
  )

  it('requests a structured answer at the limit of model calls too', async () => {
    const llm = scriptedToolModel([toolCalls(toolCall('t', 'time', {})), final({ city: 'Lima' })])
    const options = { tools: [time], output: structured(schema), maxIterations: 1, onMaxIterations: 'answer' } as const
    expect((await ask(FunctionCallingAgent.fromTools({ llm, ...options }))).output).toEqual({ city: 'Lima' })
    expect(llm.calls[1]!.options).toMatchObject({ toolChoice: { function: { name: 'final_answer' } } })
  })

  it('keeps the structured answer in a saved task', async () => {
    const make = () =>
      FunctionCallingAgent.fromTools({
        llm: scriptedToolModel([final({ city: 'Lima' })]),
        output: structured(schema),
        taskStore: journal(),
      })
    const agent = make()
    await ask(agent)
    const other = make()
    const { taskId } = await other.loadTask(JSON.parse(JSON.stringify(agent.saveTask(agent.listTasks()[0]!.taskId))))
    expect((await other.finalizeResponse(taskId)).output).toEqual({ city: 'Lima' })
  })
})

it('types the answer by its schema', async () => {
  const llm = () => scriptedToolModel([final({ city: 'Lima' })])
  const plain = await FunctionCallingAgent.fromTools({ llm: llm(), output: structured(schema) }).chat('x')
  expectTypeOf(plain.output.city).toEqualTypeOf<string>()
  expectTypeOf(plain.output.days).toEqualTypeOf<number | undefined>()
  const box = await FunctionCallingAgent.fromTools({
    llm: llm(),
    output: structured(Type.Object({ city: Type.String() })),
  }).chat('x')
  expectTypeOf(box.output.city).toEqualTypeOf<string>()
  const zod = agentFromLlm({
    llm: llm(),
    output: structured(z.object({ city: z.string().transform((city) => city.length) })),
  })
  const measured = await zod.chat('x')
  expectTypeOf(measured.output).toEqualTypeOf<{ city: number }>()
  expect(measured.output).toEqual({ city: 4 })
  const none = await FunctionCallingAgent.fromTools({ llm: scriptedToolModel(['text']) }).chat('x')
  expectTypeOf(none.output).toEqualTypeOf<null>()
  expect(none.output).toBeNull()
})

it('throws for a schema without a JSON form, and for a tool named final_answer', () => {
  const standard = { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } }
  const llm = scriptedToolModel([])
  expect(() => FunctionCallingAgent.fromTools({ llm, output: structured(standard) })).toThrow(
    'output: the schema cannot be converted',
  )
  const tool = FunctionTool.fromDefaults({ name: 'final_answer', schema: { type: 'object' }, fn: () => '' })
  expect(() => FunctionCallingAgent.fromTools({ llm, output: structured(schema), tools: [tool] })).toThrow(
    '"final_answer"',
  )
})
