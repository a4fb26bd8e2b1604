/**
 * @module
 * One run of an agent for one user input.
 */
import type { Dict, Model, ModelConstructor, ReadOptions } from '@x/core-model'
import { isPlainObject, newId } from '@x/core-model/internal'
import { TaskModel, type TaskOptions } from './generated/task.ts'
import { ChatMemoryBuffer } from './memory/chat-memory-buffer.ts'

/**
 * One run of an agent for one user input. What the worker needs between steps is in `extraState`.
 * @throws {ModelValidationError} when the input or the memory is missing.
 * @example
 * const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 100 })
 * const task = new Task({ taskId: 't', input: 'Hello', memory })
 * task.toDict().memory // => memory.toDict()
 * Task.fromDict(task.toDict()).equals(task) // => true
 */
export class Task extends TaskModel {
  constructor(options: TaskOptions) {
    super(options.taskId ? options : { ...options, taskId: newId() })
  }

  /**
   * Reads a task from its wire form. The memory in the data must be a {@link ChatMemoryBuffer}; give any other one in
   * `overrides`.
   * @throws {ModelValidationError} when the data does not fit.
   * @throws {UnknownClassNameError} when the data has a memory of another class.
   */
  static override fromDict<T extends Model>(
    this: ModelConstructor<T>,
    data: unknown,
    overrides: Dict = {},
    options: ReadOptions = {},
  ): T {
    return super.fromDict.call(this, data, { ...memoryOf(data), ...overrides }, options) as T
  }
}

/** The memory in the data of a task, when it is one that can be read. */
function memoryOf(data: unknown): Dict {
  const memory = isPlainObject(data) ? data['memory'] : undefined
  if (!isPlainObject(memory)) return {}
  const { class_name: className = ChatMemoryBuffer.className() } = memory
  return className === ChatMemoryBuffer.className() ? { memory: ChatMemoryBuffer.fromDict(memory) } : {}
}
