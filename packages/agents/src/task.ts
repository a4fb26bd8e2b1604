/**
 * @module
 * One run of an agent for one user input.
 */
import { Model, newId } from '@x/core-model'
import { type TaskFields, type TaskOptions, taskSpec } from './generated/models.ts'

export interface Task extends TaskFields {}

/**
 * One run of an agent for one user input. What the worker needs between steps is in `extraState`.
 * @example
 * const memory = ChatMemoryBuffer.fromDefaults()
 * new Task({ taskId: 't', input: 'Hello', memory }).toDict()
 * // => { task_id: 't', input: 'Hello', extra_state: {}, class_name: 'Task' }
 */
export class Task extends Model {
  /** @throws {ModelValidationError} when the input or the memory is missing. */
  constructor(options: TaskOptions) {
    super(options.taskId ? options : { ...options, taskId: newId() })
  }

  static override spec() {
    return taskSpec
  }
}
