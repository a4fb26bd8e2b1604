// Generated from the schema of the model by x-codegen. Do not edit.
import { type BaseMemory, type CallbackManager, type ChatMessage, type ChatMessageOptions, Model, modelOf } from '@x/core-model'

/** The fields of {@link Task}. */
export interface TaskFields {
  /** Identifier; a random UUID by default. @defaultValue '' */
  taskId: string
  /** The text that the user wrote. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager: CallbackManager
  /** State of the worker and of the user; may be changed while the task runs. @defaultValue {} */
  extraState: Record<string, unknown>
  /** The whole message of the user, if it is more than a string: text, images and files. */
  inputMessage: ChatMessage | null
}

/** Constructor options of {@link Task}. */
export interface TaskOptions {
  /** Identifier; a random UUID by default. @defaultValue '' */
  taskId?: string | undefined
  /** The text that the user wrote. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager?: CallbackManager | null | undefined
  /** State of the worker and of the user; may be changed while the task runs. @defaultValue {} */
  extraState?: Readonly<Record<string, unknown>> | undefined
  /** The whole message of the user, if it is more than a string: text, images and files. */
  inputMessage?: ChatMessage | ChatMessageOptions | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options: TaskOptions)
}
interface Declared extends TaskFields {}

/** The typed base class of {@link Task}. */
export const TaskModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'Task',
  description: 'A run of an agent for one user input.',
  className: 'Task',
  fields: {
    taskId: { schema: { type: 'string', description: 'Identifier; a random UUID by default.' }, default: '' },
    input: { schema: { type: 'string', description: 'The text that the user wrote.' }, required: true },
    memory: { schema: { 'x-nested': true, description: 'The conversation before the task.' }, required: true, holds: ['get', 'getAll', 'put', 'set', 'reset'] },
    callbackManager: { schema: { type: 'object', default: {}, description: 'Receives events.' }, runtime: true, holds: ['startEvent', 'event'] },
    extraState: { schema: { type: 'object', description: 'State of the worker and of the user; may be changed while the task runs.' }, default: {}, json: false },
    inputMessage: { schema: { 'x-nested': true, description: 'The whole message of the user, if it is more than a string: text, images and files.' }, extension: true },
  },
})
