import { CallbackManager, ToolOutput } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { Task } from '../task/task.ts'
import { type AsyncBaseTool, errorOutput } from '../tool/base-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { runToolCall } from './run-tool-call.ts'

const half = FunctionTool.fromDefaults({
  name: 'half',
  schema: { type: 'object', properties: { of: { type: 'number', minimum: 0 } }, required: ['of'] },
  fn: ({ of }) => of / 2,
})

const task = new Task({ input: 'x', memory: ChatMemoryBuffer.fromDefaults({ llm: new ScriptedLLM() }) })

it('runToolCall passes each output, even of a failure, to onOutput after its event has ended', async () => {
  const handler = new RecordingCallbackHandler()
  const callbackManager = new CallbackManager([handler])
  const given: string[] = []
  const run = async (of: number, onToolError: 'observe' | 'raise') =>
    runToolCall({ id: 'c', name: 'half', arguments: { of } }, [half], {
      callbackManager,
      onToolError,
      onUnknownTool: 'raise',
      task,
      onOutput: (output) => void given.push(`${handler.summary().length} ${output}`),
    })
  await run(4, 'observe')
  await run(-4, 'observe')
  await expect(run(-4, 'raise')).rejects.toMatchObject({ code: 'tool_input' })
  expect(given).toEqual(['2 2', expect.stringMatching(/^4 .*at least 0/s)])
})

it('runToolCall accepts outputs and promises of outputs, and rejects other values', async () => {
  const output = new ToolOutput({ content: 'yes', toolName: 't', rawInput: {}, rawOutput: null })
  // biome-ignore lint/suspicious/noThenProperty: a promise of another kind
  const thenable = { then: (resolve: (value: unknown) => void) => resolve(output) }
  const fail = () => {
    throw new Error('out of order')
  }
  const run = async (call: () => unknown) => {
    const handler = new RecordingCallbackHandler()
    const tool = { takesArguments: true, metadata: half.metadata, call } as AsyncBaseTool
    const result = await runToolCall({ id: 'c', name: 'half', arguments: {} }, [tool], {
      callbackManager: new CallbackManager([handler]),
      onToolError: 'observe',
      onUnknownTool: 'raise',
      task,
    })
    return { result: String(result), events: handler.summary() }
  }
  expect((await run(() => output)).result).toBe('yes')
  for (const [now, later] of [
    [() => output, async () => output],
    [() => output, () => thenable],
    [fail, async () => fail()],
    [() => 'no output', async () => 'no output'],
  ]) {
    const first = await run(now!)
    expect(await run(later!)).toEqual(first)
    expect(first.result).toMatch(/^(yes|Error: (out of order|.*returned no output))$/)
  }
})

it('runToolCall passes the context to the tool, and reports call, task and failure in its event', async () => {
  const handler = new RecordingCallbackHandler()
  const callbackManager = new CallbackManager([handler], { newId: () => 'event' })
  const given: unknown[] = []
  const tool: AsyncBaseTool = {
    takesArguments: true,
    metadata: half.metadata,
    call: (_args, context) => {
      given.push(context)
      return errorOutput('half', 'broken', {})
    },
  }
  const onProgress = () => {}
  const options = { callbackManager, task, idempotencyKey: 'k', context: { user: 'ann' }, onProgress, parentId: 'step' }
  await runToolCall({ id: 'c', name: 'half', arguments: {} }, [tool], options)
  expect(given).toEqual([
    {
      toolCallId: 'c',
      task,
      idempotencyKey: 'k',

      context: { user: 'ann' },
      onProgress,
      parentId: 'event',
    },
  ])
  expect(handler.events[0]).toMatchObject({ parent: 'step', payload: { call_id: 'c', task_id: task.taskId } })
  expect(handler.events[1]).toMatchObject({ payload: { is_error: true } })
})

it('runToolCall throws a fatal failure, which is still fatal for outer runs', async () => {
  const down = Object.assign(new Error('no disk'), { fatal: true })
  const tool: AsyncBaseTool = { takesArguments: true, metadata: half.metadata, call: () => Promise.reject(down) }
  const run = async () =>
    runToolCall({ id: 'c', name: 'half', arguments: {} }, [tool], {
      callbackManager: new CallbackManager(),
      onToolError: 'observe',
      onUnknownTool: 'observe',
      task,
    })
  await expect(run()).rejects.toMatchObject({ code: 'tool_execution', cause: down, fatal: true })
})
