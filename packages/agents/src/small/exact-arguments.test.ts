import { expect, it } from 'vitest'
import { scriptedToolModel, toolCall, toolCalls } from '../../test/function-calling-llm.ts'
import { FunctionTool, toolLoop } from '../loop.ts'

it('a loop without lenientArguments keeps the digits of long integers', async () => {
  const received: unknown[] = []
  const tool = (name: string, type: string) =>
    FunctionTool.fromDefaults({
      name,
      schema: { type: 'object', properties: { account: { type } } },
      fn: (args) => {
        received.push(args)
        return 'paid'
      },
    })
  const calls = toolCalls(
    toolCall('a', 'by_number', '{"account": 9007199254740993}'),
    toolCall('b', 'by_any', '{"others": [9007199254740993]}'),
  )
  const tools = [tool('by_number', 'integer'), tool('by_any', 'string')]
  const { sources } = await toolLoop({ llm: scriptedToolModel([calls, 'Done.']), tools }).run('Pay.')
  // A number would be another account.
  expect(received).toEqual([{ others: [9007199254740993n] }])
  expect(String(sources[0])).toContain('9007199254740993, which is too large for a number')
})
