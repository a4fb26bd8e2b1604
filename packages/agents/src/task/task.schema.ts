import type { BaseMemory, CallbackManager, ChatMessage, ChatMessageOptions } from '@x/core-model'
import { component, freeForm, live, nested } from '@x/core-model/schemas'
import { String as Text } from 'typebox'

export const Task = component('Task', 'A run of an agent for one user input.', {
  taskId: Text({ description: 'Identifier; a random UUID by default.', default: '' }),
  input: Text({ description: 'The text that the user wrote.' }),
  memory: nested<BaseMemory>({
    holds: ['get', 'getAll', 'put', 'set', 'reset'],
    description: 'The conversation before the task.',
  }),
  callbackManager: live<CallbackManager>({
    holds: ['startEvent', 'event'],
    schema: { type: 'object', default: {} },
    description: 'Receives events.',
  }),
  extraState: freeForm({
    json: false,
    description: 'State of the worker and of the user; may be changed while the task runs.',
    default: {},
  }),
  inputMessage: nested<ChatMessage, ChatMessageOptions>({
    required: false,
    extension: true,
    description: 'The whole message of the user, if it is more than a string: text, images and files.',
  }),
})
