/**
 * @module
 * The tasks of agents behind tool calls that wait, inside a saved task.
 */
import { isPlainObject } from '@x/core/values'
import type { Dict } from '@x/core-model'
import { innerEntries } from './inner-store.ts'
import { readJournal } from './read-journal.ts'
import { type SavedClasses, StateWriter } from './state-codec.ts'
import { type Change, patched, type SavedTask } from './versions.ts'

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
  const { pending_calls: pending, ...state } = saved.task.extra_state as Dict
  if (!Array.isArray(pending)) return saved
  // An agent that waits has gone on since the states that can be restored by undo.
  const undo = saved.undo.map((change) => {
    const calls = partAt(change, ['task', 'extra_state', 'pending_calls'])
    const items: unknown = Array.isArray(calls) ? calls.at(-1) : undefined
    if (!Array.isArray(items)) return change
    const given = [...(calls as unknown[]).slice(0, -1), items.map(withAgentTask)]
    return patched(change, { task: { extra_state: { pending_calls: [given] } } }) as Change
  })
  return {
    ...saved,
    task: { ...saved.task, extra_state: { ...state, pending_calls: pending.map(withAgentTask) } },
    undo,
  }

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

function partAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((part, key) => (isPlainObject(part) ? part[key] : undefined), value)
}
