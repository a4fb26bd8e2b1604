import { Boolean as Bool, String as Text } from 'typebox'
import { anything, record } from '../define.ts'

export const ToolOutput = record('ToolOutput', 'What a tool answered.', {
  content: Text({ description: 'The answer as text, as models see it.' }),
  toolName: Text({ description: 'Name of the tool.' }),
  rawInput: anything({ description: 'What the tool was called with.', default: {} }),
  rawOutput: anything({ description: 'What the tool gave.', default: null }),
  isError: Bool({ description: 'The call failed; content says why.', default: false }),
})
