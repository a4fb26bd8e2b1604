/**
 * @module
 * The tasks of a store as a list shows them, whether an engine runs them or not.
 */

import { checkOption, required } from '@x/core/options'
import type { TaskStore } from '@x/core-model'
import { damageOf, type TaskFailure } from './durable-errors.ts'
import type { ListTasksOptions, TaskStatus, WaitingCall } from './durable-tasks.ts'
import { hasEnded, listedTasks } from './task-checks.ts'
import { type TaskRecord, TaskRecords, taskOfRecord } from './task-record.ts'
import { submittedText } from './task-submission.ts'
import { Timeline, type TimelineRow, timelineOf } from './task-timeline.ts'

const isStore = /* @__PURE__ */ required('a task store', 'load', 'list')

/** A task in a list. */
export interface ListedTask {
  taskId: string
  /** The question. */
  input: string
  /**
   * - `stopped`: it has no answer, waits for nobody, and no engine knows it
   * - `damaged`: its record or its journal cannot be read
   */
  status: TaskStatus | 'stopped' | 'damaged'
  /** The number of completed steps. */
  turns: number
  /** The tokens of its model calls, estimated for those that were stopped. */
  usage: { inputTokens: number; outputTokens: number; totalTokens: number }
  /** The id of the task that it was forked from. */
  forkedFrom: string | null
  /** Whether an engine runs it. */
  isSubmitted: boolean
  /** Why it is damaged or failed, or why the last worker that took it could not run it, so that it is queued for another one. */
  problem?: TaskFailure
  /** When it was submitted, or began, in milliseconds since 1970-01-01 UTC; null if the store has no time of it. */
  at: number | null
}

/** A task with its timeline. */
export interface FoundTask extends ListedTask {
  /** What happened; empty for a task that has not begun. */
  rows: TimelineRow[]
  /** The calls that wait for a decision. Arguments from a model with native tool calls are JSON. */
  waiting: readonly Pick<WaitingCall, 'id' | 'name' | 'arguments'>[]
}

/**
 * Returns the tasks of a store, of all states and users, or of one. Reads the record and the journal of each task of this user; with one of
 * the states `queued`, `running` and `waiting`, only those that have not ended. Without a state, damaged tasks are among them.
 * @param options.status - only tasks in this state. @defaultValue all
 * @param options.user - only tasks of this user, by `ownedId`. @defaultValue all
 * @throws {ModelValidationError} if `status` is not a state, or `user` not a user, such as an empty string or undefined.
 * @example
 * import { journal, MemoryTaskStore, ReActAgent } from '@x/agents'
 * const store = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore: journal(store) })
 * await agent.chat('How much is 2 + 2?', { taskId: 'sum' })
 * const tasks = await listTasks(store)
 * tasks.map(({ taskId, input, status, turns }) => [taskId, input, status, turns]) // => [['sum', 'How much is 2 + 2?', 'finished', 1]]
 */
export async function listTasks(store: TaskStore, options: ListTasksOptions = {}): Promise<ListedTask[]> {
  checkOption('listTasks', 'store', store, isStore)
  const isListed = listedTasks('listTasks', options)
  const { status } = options
  const all = await store.list({ unfinished: status !== undefined && !hasEnded(status) })
  const ids = new Set(all.map(({ taskId }) => taskOfRecord(taskId) ?? taskId).filter(isListed))
  const found = await Promise.all(Array.from(ids, (id) => findTask(store, id)))
  return found.flatMap((task) => {
    if (task === null || (status !== undefined && task.status !== status)) return []
    const { rows: _, waiting: _waiting, ...listed } = task
    return [listed]
  })
}

/**
 * Returns a task of a store with what happened in it; null if the store has none with this id. Of a damaged one, it has the error alone.
 */
export async function findTask(store: TaskStore, taskId: string): Promise<FoundTask | null> {
  checkOption('findTask', 'store', store, isStore)
  let record: TaskRecord | null | undefined
  try {
    record = await new TaskRecords(store).find(taskId)
    return taskOf(taskId, record, await timelineOf(store, taskId, record))
  } catch (error) {
    const damage = damageOf(error)
    if (!damage) throw error
    const { code, message: text } = damage
    const timeline = new Timeline()
    timeline.add({ kind: 'error', code, text }, 0)
    const found = taskOf(taskId, record ?? null, timeline)
    return found && { ...found, status: 'damaged', problem: damage, isSubmitted: record !== null }
  }
}

function taskOf(taskId: string, record: TaskRecord | null, timeline: Timeline | null): FoundTask | null {
  if (timeline === null && record === null) return null
  const rows = timeline?.rows ?? []
  const live = rows.filter(({ isUndone }) => !isUndone)
  const waiting = record?.calls ?? openCalls(live)
  const ended = live.at(-1)?.kind === 'answer' ? 'finished' : 'stopped'
  const problem = record?.problem ?? record?.error
  // The rows have the calls of the step that runs, the state those that were stopped.
  const tokens = (kind: keyof ListedTask['usage']) =>
    Math.max(
      live.reduce((sum, { usage }) => sum + (usage?.[kind] ?? 0), 0),
      timeline?.used[kind] ?? 0,
    )
  return {
    taskId,
    input: live.find(({ kind }) => kind === 'input')?.text ?? (record ? submittedText(record.request) : ''),
    status: record?.status ?? (waiting.length > 0 ? 'waiting' : ended),
    turns: timeline?.completed ?? 0,
    usage: {
      inputTokens: tokens('inputTokens'),
      outputTokens: tokens('outputTokens'),
      totalTokens: tokens('totalTokens'),
    },
    forkedFrom: timeline?.forkedFrom ?? record?.request.fork?.taskId ?? null,
    isSubmitted: record !== null,
    ...(problem && { problem }),
    at: record?.submittedAt ?? rows.find(({ at }) => at !== undefined)?.at ?? null,
    rows,
    waiting,
  }
}

/** The calls of a task that wait and were not decided. */
function openCalls(rows: readonly TimelineRow[]): FoundTask['waiting'] {
  const open = new Map<string, FoundTask['waiting'][number]>()
  for (const { kind, callId = '', toolName = '', data, inner } of rows) {
    if (kind === 'waiting' && inner === undefined)
      open.set(callId, { id: callId, name: toolName, arguments: data as WaitingCall['arguments'] })
    if (kind === 'decision') open.delete(callId)
  }
  return [...open.values()]
}
