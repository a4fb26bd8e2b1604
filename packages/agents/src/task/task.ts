/**
 * @module
 * A task: one run of an agent for one user input.
 */
import { isPlainObject } from '@x/core/values'
import {
  CallbackManager,
  ChatMessage,
  type Dict,
  type Model,
  type ModelConstructor,
  type ReadOptions,
} from '@x/core-model'
import { newId } from '@x/core-model/data'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { TaskModel, type TaskOptions } from '../generated/task.ts'

/**
 * One run of an agent for one user input. `extraState` contains the state that the worker keeps between steps.
 * @throws {ModelValidationError} if the input or the memory is missing.
 * @example
 * const memory = ChatMemoryBuffer.fromDefaults({ tokenLimit: 100 })
 * const task = new Task({ taskId: 't', input: 'Hello', memory })
 * task.toDict().memory // => memory.toDict()
 * Task.fromDict(task.toDict()).equals(task) // => true
 */
export class Task<ExtraState extends object = Record<string, unknown>> extends TaskModel {
  declare extraState: ExtraState & Record<string, unknown>

  constructor(options: TaskOptions) {
    super(options?.taskId ? options : { ...options, taskId: newId() })
  }

  static override makeDefault(field: string): unknown {
    return field === 'callbackManager' ? new CallbackManager() : null
  }

  static override nested() {
    return { inputMessage: [ChatMessage] }
  }

  /**
   * Reads a task from its wire form. The memory in the data must be a {@link ChatMemoryBuffer}; pass any other memory in
   * `overrides`.
   * @throws {ModelValidationError} if the data is invalid.
   * @throws {UnknownClassNameError} if the data contains a memory of another class.
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

/** Reads the memory in the data of a task, if its class is known. */
function memoryOf(data: unknown): Dict {
  const memory = isPlainObject(data) ? data['memory'] : undefined
  if (!isPlainObject(memory)) return {}
  const { class_name: className = ChatMemoryBuffer.className() } = memory
  return className === ChatMemoryBuffer.className() ? { memory: ChatMemoryBuffer.fromDict(memory) } : {}
}
