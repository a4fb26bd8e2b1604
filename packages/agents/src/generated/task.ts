// Generated from the schema of the model by x-codegen. Do not edit.
import { type BaseMemory, type CallbackManager, Model, modelOf } from '@x/core-model'

/** The fields of {@link Task}. */
export interface TaskFields {
  /** Identifier; a random UUID by default. @defaultValue '' */
  taskId: string
  /** What the user said. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager: CallbackManager | null
  /** State of the worker and of the user; may be changed while the task runs. @defaultValue {} */
  extraState: Record<string, unknown>
}

/** Constructor options of {@link Task}. */
export interface TaskOptions {
  /** Identifier; a random UUID by default. @defaultValue '' */
  taskId?: string | undefined
  /** What the user said. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager?: CallbackManager | null | undefined
  /** State of the worker and of the user; may be changed while the task runs. @defaultValue {} */
  extraState?: Readonly<Record<string, unknown>> | undefined
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
    taskId: { wire: 'task_id', schema: { type: 'string', description: 'Identifier; a random UUID by default.' }, default: '' },
    input: { schema: { type: 'string', description: 'What the user said.' }, required: true },
    memory: { schema: { 'x-nested': true, description: 'The conversation before the task.' }, required: true, holds: ['get', 'getAll', 'put', 'set', 'reset'] },
    callbackManager: { wire: 'callback_manager', schema: { description: 'Receives events.' }, runtime: true, holds: ['startEvent', 'event'] },
    extraState: { wire: 'extra_state', schema: { type: 'object', description: 'State of the worker and of the user; may be changed while the task runs.' }, default: {}, json: false },
  },
})
