/**
 * @module
 * When somebody has to look at a task.
 */
import { callOptions, checkOption, checkOptions, milliseconds, required } from '@x/core/options'
import { pause, raceAbort } from '@x/core-model/async'
import type { DurableTasks, TaskStatus } from './durable-tasks.ts'
import { hasEnded } from './task-checks.ts'

/** Options of {@link settled}. */
interface SettledOptions {
  /** How often the state is read, in milliseconds, from engines that do not report changes. @defaultValue 200 */
  pollMs?: number | undefined
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
}

/**
 * Resolves when a task does not continue by itself: it has ended, or waits for a decision or a result. Works with every engine.
 * @returns its state: `finished`, `failed`, `cancelled` or `waiting`.
 * @throws {TaskNotFoundError} if there is no such task.
 * @throws the reason of the signal.
 * @example
 * import { MemoryTaskStore, ReActAgent } from '@x/agents'
 * const llm = new ScriptedLLM({ answers: ['Answer: Done.'] })
 * const agent = ({ taskStore }: TaskRun) => ReActAgent.fromTools({ llm, taskStore })
 * const tasks = new StoredTasks({ store: new MemoryTaskStore(), agent })
 * await tasks.start()
 * const taskId = await tasks.submit('Go!')
 * const state = await settled(tasks, taskId)
 * await tasks.stop()
 * state // => 'finished'
 */
export async function settled(
  tasks: Pick<DurableTasks, 'status'> & { changed?(): Promise<void> },
  taskId: string,
  options: SettledOptions = {},
): Promise<Exclude<TaskStatus, 'queued' | 'running'>> {
  checkOption('settled', 'tasks', tasks, required('an engine of tasks', 'status'))
  checkOptions('settled', options, { pollMs: milliseconds(), signal: callOptions.signal })
  const { pollMs = 200, signal } = options
  for (;;) {
    signal?.throwIfAborted()
    // Before the state is read, so that no change is missed.
    const changed = tasks.changed?.()
    const status = await tasks.status(taskId)
    if (status === 'waiting' || hasEnded(status)) return status as Exclude<TaskStatus, 'queued' | 'running'>
    if (changed) await raceAbort(changed, signal)
    else await pause(pollMs, signal)
  }
}
