/**
 * @module
 * Tasks of a loop in JSON, to wait for decisions in a database or a browser.
 */

import { checkGiven } from '@x/core/options'
import { modelReader, type RecordReader, readRecord } from '@x/core/reading'
import { isPlainObject, joinPath } from '@x/core/values'
import { ChatMessage, type ClassRegistry, ConfigurationError, type Dict, isToolkitError } from '@x/core-model'
import type { Loop } from '../loop/layer.ts'
import { isStateLike, newLoopState } from '../loop/loop-state.ts'
import { Transcript } from '../loop/transcript.ts'
import { readPendingCall } from '../task/approvals.ts'
import { type SavableClass, SavedClasses, StateReader, StateWriter } from '../task/state-codec.ts'
import { SavedTaskError, unreadable } from '../task/task-errors.ts'
import type { TaskLike } from '../task/task-like.ts'
import { readUsage } from '../task-usage.ts'

/** A task of a loop in JSON. It is plain data and may contain bigints, which `writeJsonText` writes and `readJsonText` reads. */
export interface LoopTaskDict {
  version: 1
  task_id: string
  input: string
  /** The messages before the task. */
  conversation: Dict[]
  /** The messages of the task. */
  messages: Dict[]
  /** The rest of its state. */
  state: Dict
}

/** Options of {@link writeLoopTask} and {@link readLoopTask}. */
interface LoopTaskOptions {
  /** Classes of raw outputs of tools and of values of your layers that are not built in. */
  registry?: ClassRegistry | readonly SavableClass[] | undefined
}

/**
 * Returns a task as plain JSON, to continue it later or in another process.
 * @throws {SerializationError} naming the value that cannot be saved.
 * @throws {ConfigurationError} for a task of an agent, which has `saveTask`.
 * @example
 * const llm = new ScriptedLLM({ answers: ['Thought: pay\nAction: pay\nAction Input: {}', 'Thought: done\nAnswer: Paid.'] })
 * const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
 * const loop = reactLoop({ llm, tools: [pay], layers: [approvals()] })
 * const { task, pending } = await loop.run('Pay!')
 * const text = JSON.stringify(writeLoopTask(task))
 *
 * const again = readLoopTask(loop, JSON.parse(text))
 * await decide(loop, again, pending[0].id, { decision: 'approve' })
 * const { text: answer } = await loop.resume(again)
 * answer // => 'Paid.'
 */
export function writeLoopTask(task: TaskLike, { registry }: LoopTaskOptions = {}): LoopTaskDict {
  checkGiven('writeLoopTask', { task }, 'a task', 'extraState')
  const { new_memory, ...state } = task.extraState as Dict & { new_memory: Transcript }
  const before = task.memory.getAll()
  if (!Array.isArray(before))
    throw new ConfigurationError('writeLoopTask: expected a task of toolLoop or reactLoop; agents have saveTask.')
  const dicts = (messages: readonly ChatMessage[]) => messages.map((message) => message.toDict())
  return {
    version: 1,
    task_id: task.taskId,
    input: task.input,
    conversation: dicts(before),
    messages: dicts(new_memory.getAll()),
    state: new StateWriter(new SavedClasses(registry)).write(state, 'task.extraState') as Dict,
  }
}

/**
 * Reads the result of {@link writeLoopTask}. The loop may be another one with the same protocol.
 * @throws {SavedTaskError} if the data is incomplete, or belongs to a loop with a different protocol.
 */
export function readLoopTask(loop: Loop, data: unknown, { registry }: LoopTaskOptions = {}): TaskLike {
  const classes = new SavedClasses(registry)
  const message = modelReader(ChatMessage)
  const read = (fields: RecordReader) => ({
    version: fields.oneOf('version', [1]),
    taskId: fields.string('task_id'),
    input: fields.string('input'),
    memory: new Transcript(fields.list('conversation', message)),
    new_memory: new Transcript(fields.list('messages', message)),
    state: fields.record('state', (state) => new StateReader(classes).read(state)),
  })
  const { taskId, input, memory, new_memory, state } = saved(() => readRecord('LoopTask', data, read, true))
  const extraState: Dict = { ...(isPlainObject(state) ? state : {}), new_memory }
  const { protocol } = loop
  if (extraState['protocol'] !== protocol.name)
    throw new SavedTaskError(
      `LoopTask.state.protocol: expected "${protocol.name}", received ${JSON.stringify(extraState['protocol'])}; read the task with a loop of its own kind.`,
    )
  checkOwn(extraState)
  const wrong = Object.entries(newLoopState(protocol, new_memory)).find(
    ([key, example]) => !isStateLike(extraState[key], example),
  )
  if (wrong) throw new SavedTaskError(`LoopTask.${joinPath('state', wrong[0])}: expected the state of a loop.`)
  return { taskId, input, memory, extraState }
}

/** Checks what a state has only at some times. */
function checkOwn(state: Dict): void {
  const allowed = (value: unknown) =>
    readRecord('LoopTask', value, (tool) => [tool.string('name'), tool.string('definition')])
  const read = (fields: RecordReader) => {
    fields.list('pending_calls', readPendingCall)
    fields.list('allowed_tools', allowed)
    if (fields.has('usage')) fields.record('usage', readUsage)
    if (fields.has('failing_call'))
      fields.record('failing_call', (failing) =>
        readRecord('LoopTask', failing, (call) => [call.string('key'), call.integer('times', 1)]),
      )
  }
  saved(() =>
    readRecord('LoopTask', { state }, (fields) =>
      fields.record('state', (value) => readRecord('LoopTask', value, read)),
    ),
  )
}

function saved<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw isToolkitError(error, 'model_validation') ? unreadable(error) : error
  }
}
