import { ChatMemoryBuffer } from '@x/core-model/memory'
import { expect, test } from 'vitest'
import { type TaskPhase, TaskState } from './agent-state.ts'
import { Task } from './task.ts'

const PATHS: Record<TaskPhase, TaskPhase[]> = {
  open: [],
  running: ['running'],
  saving: ['saving'],
  finalizing: ['finalizing'],
  finalized: ['finalizing', 'finalized'],
}
const PHASES = Object.keys(PATHS) as TaskPhase[]

function stateIn(phase: TaskPhase): TaskState {
  const state = new TaskState({ task: new Task({ taskId: 't', input: '', memory: ChatMemoryBuffer.fromDefaults() }) })
  for (const next of PATHS[phase]) state.enter(next)
  return state
}

test('a task changes its phase only along these transitions', () => {
  const codeOf = (from: TaskPhase, to: TaskPhase) => {
    try {
      stateIn(from).enter(to)
      return to
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  const table = PHASES.map((from) => `${from}: ${PHASES.map((to) => codeOf(from, to)).join(' ')}`)
  expect(table).toEqual([
    'open: task_finalized running saving finalizing task_finalized',
    'running: open task_busy saving task_busy task_busy',
    'saving: open task_busy task_busy task_busy task_busy',
    'finalizing: task_finalized task_finalized task_finalized finalizing finalized',
    'finalized: task_finalized task_finalized task_finalized task_finalized task_finalized',
  ])
})

test('nextPhase resolves when a step is over', async () => {
  const state = stateIn('running')
  const seen: TaskPhase[] = []
  const waiting = state.nextPhase().then(() => seen.push(state.phase))
  state.enter('saving')
  await undefined
  expect(seen).toEqual([])
  state.enter('open')
  await waiting
  expect(seen).toEqual(['open'])
})
