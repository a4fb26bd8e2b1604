import { anything, freeForm, nullable, plainRecord, typedData } from '@x/core/schemas'
import { Boolean as Bool, Array as List, String as Text } from 'typebox'
import type { ContentPart } from '../messages/content-part.ts'

export const ToolOutput = plainRecord('ToolOutput', 'The output of a tool call.', {
  content: Text({ description: 'The output as a string, for models.' }),
  toolName: Text({ description: 'Name of the tool.' }),
  rawInput: anything({ description: 'The arguments of the call.', default: {} }),
  rawOutput: anything({ description: 'The value that the tool returned.', default: null }),
  isError: Bool({ description: 'Whether the call failed; content is the error message.', default: false }),
  parts: typedData<readonly ContentPart[] | null>(
    nullable(List(freeForm()), {
      description: 'Text, images and files, for models that accept them; null if content is the whole output.',
      extension: true,
    }),
  ),
  untrusted: Bool({
    description: 'Whether the output is text from outside, which may contain instructions for the model.',
    default: false,
    extension: true,
  }),
})
