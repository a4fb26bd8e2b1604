import { CallbackManager } from '@x/core-model'
import { RecordingCallbackHandler, ScriptedLLM } from '@x/core-model/testing'
import { expect, it } from 'vitest'
import { ChatMemoryBuffer } from '../memory/chat-memory-buffer.ts'
import { Task } from '../task.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { runToolCall } from './run-tool-call.ts'

const half = FunctionTool.fromDefaults({
  name: 'half',
  schema: { type: 'object', properties: { of: { type: 'number', minimum: 0 } }, required: ['of'] },
  fn: ({ of }) => of / 2,
})

it('gives each output to onOutput when its event has ended, that of a failure too', async () => {
  const handler = new RecordingCallbackHandler()
  const callbackManager = new CallbackManager([handler])
  const memory = ChatMemoryBuffer.fromDefaults({ llm: new ScriptedLLM() })
  const given: string[] = []
  const run = (of: number, onToolError: 'observe' | 'raise') =>
    runToolCall({ id: 'c', name: 'half', arguments: { of } }, [half], {
      callbackManager,
      onToolError,
      onUnknownTool: 'raise',
      task: new Task({ input: 'x', memory }),
      onOutput: (output) => void given.push(`${handler.summary().length} ${output}`),
    })
  await run(4, 'observe')
  await run(-4, 'observe')
  await expect(run(-4, 'raise')).rejects.toMatchObject({ code: 'tool_input' })
  expect(given).toEqual(['2 2', expect.stringMatching(/^4 .*at least 0/s)])
})
