/**
 * @module
 * The tasks of agents behind tool calls that wait, inside a saved task.
 */
import { isPlainObject } from '@x/core/values'
import type { Dict } from '@x/core-model'
import { innerEntries } from './inner-store.ts'
import { readJournal } from './read-journal.ts'
import type { SavedClasses } from './saved-classes.ts'
import type { SavedTask } from './saved-task.ts'
import { StateWriter } from './state-codec.ts'

/** Reads a journal as a saved task that needs no store: its waiting calls contain the tasks of their agents. */
export function readWholeJournal(entries: readonly unknown[], classes: SavedClasses): SavedTask {
  const parts = innerEntries(entries)
  return withAgentTasks(readJournal(entries), (place) => parts.get(place), classes)
}

/**
 * Adds the tasks of agents to the calls that wait for them.
 * @param partOf - returns the entries of the agent behind the call at a place.
 */
export function withAgentTasks(
  saved: SavedTask,
  partOf: (place: string) => readonly unknown[] | undefined,
  classes: SavedClasses,
): SavedTask {
  // An agent that waits has gone on since the states that can be restored by undo.
  const states = [saved.task.extra_state, ...saved.undo.map(({ extra_state }) => extra_state)]
  const indexes = new Set(states.map((state) => pendingList(state as Dict)))
  const lists = saved.lists.map((items, i) => (indexes.has(i) ? items.map(withAgentTask) : items))
  return { ...saved, lists }

  function withAgentTask(call: unknown): unknown {
    // A call with a parent is one of an agent, with a place in the task of that agent.
    const isOwn = isPlainObject(call) && !('parent' in call) && !('agentTask' in call)
    const place = isOwn ? call['place'] : undefined
    const entries = typeof place === 'string' ? partOf(place) : undefined
    if (!entries || entries.length === 0) return call
    const agentTask = new StateWriter(classes).write(readWholeJournal(entries, classes), 'agentTask')
    return { ...(call as object), agentTask }
  }
}

/** Returns the index of the list with the calls of a state that wait. */
function pendingList({ pending_calls: pending }: Dict): number | undefined {
  const { value } = (pending ?? {}) as { value?: unknown }
  return Array.isArray(value) ? (value as [number, number])[0] : undefined
}
