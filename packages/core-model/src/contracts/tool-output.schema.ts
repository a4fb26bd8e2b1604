import { Boolean as Bool, String as Text } from 'typebox'
import { anything, record } from '../define.ts'

export const ToolOutput = record('ToolOutput', 'The output of a tool call.', {
  content: Text({ description: 'The output as a string, as models see it.' }),
  toolName: Text({ description: 'Name of the tool.' }),
  rawInput: anything({ description: 'The arguments of the call.', default: {} }),
  rawOutput: anything({ description: 'The value that the tool returned.', default: null }),
  isError: Bool({ description: 'Whether the call failed; content says why.', default: false }),
})
