import { messageRoles } from '@x/core-model'
import { component, oneOf } from '@x/core-model/schemas'
import { Boolean as Bool, String as Text } from 'typebox'
import { REACT_SYSTEM_HEADER } from './default-prompt.ts'

export const ReActChatFormatter = component('ReActChatFormatter', 'Creates the messages for a ReAct model.', {
  systemHeader: Text({
    description:
      'Template of the system message, with the variables tool_desc and tool_names, and context if there is a context.',
    default: REACT_SYSTEM_HEADER,
  }),
  context: Text({ description: 'Background information for the model; may be empty.', default: '' }),
  observationRole: oneOf(messageRoles, {
    extension: true,
    description: 'The role of the messages with tool outputs.',
    default: 'user',
  }),
  mergeSameRole: Bool({
    extension: true,
    description: 'Whether to join adjacent messages of the same role, for models that require alternating roles.',
    default: false,
  }),
})
