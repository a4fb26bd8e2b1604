import { messageRoles } from '@x/core-model'
import { component, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, String as Text } from 'typebox'
import { REACT_SYSTEM_HEADER } from './default-prompt.ts'

export const ReActChatFormatter = component('ReActChatFormatter', 'Writes what a ReAct model sees.', {
  systemHeader: Text({
    description: 'Template of the system message; variables tool_desc and tool_names, and context when there is one.',
    default: REACT_SYSTEM_HEADER,
  }),
  context: Text({ description: 'What the model should know; empty for nothing.', default: '' }),
  observationRole: oneOf(messageRoles, {
    extension: true,
    description: 'Who says what the tools gave.',
    default: 'user',
  }),
  mergeSameRole: Bool({
    extension: true,
    description: 'Put neighbouring messages of one role together, for models that insist on alternating roles.',
    default: false,
  }),
})
