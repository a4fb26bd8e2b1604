import { component, freeForm, live } from '@x/core-model/schemas'
import { String as Text } from 'typebox'

export const Task = component('Task', 'A run of an agent for one user input.', {
  taskId: Text({ description: 'Identifier; a random UUID when it is not given.', default: '' }),
  input: Text({ description: 'What the user said.' }),
  memory: live({
    type: 'BaseMemory',
    imports: { BaseMemory: '@x/core-model' },
    holds: ['get', 'getAll', 'put', 'set', 'reset'],
    required: true,
    description: 'The conversation before the task.',
  }),
  callbackManager: live({
    type: 'CallbackManager',
    imports: { CallbackManager: '@x/core-model' },
    holds: ['startEvent', 'event'],
    description: 'Told about events.',
  }),
  extraState: freeForm({
    description: 'State of the worker and of the user; may be changed while the task runs.',
    default: {},
  }),
})
