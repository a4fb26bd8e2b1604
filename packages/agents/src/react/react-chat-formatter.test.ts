import { expect, it } from 'vitest'
import { FunctionTool } from '../tool/function-tool.ts'
import { ReActChatFormatter } from './react-chat-formatter.ts'

it('describes the tools that there are, also when a list has grown', () => {
  const formatter = new ReActChatFormatter({ systemHeader: '{tool_names}' })
  const tool = (name: string) => FunctionTool.fromDefaults({ name, schema: {}, fn: () => 1 })
  const tools = [tool('a')]
  expect(formatter.format(tools, [])[0]!.content).toBe('a')
  tools.push(tool('b'))
  expect(formatter.format(tools, [])[0]!.content).toBe('a, b')
  tools[0] = tool('c')
  expect(formatter.format(tools, [])[0]!.content).toBe('c, b')
})
