/**
 * Tasks of six steps on an engine whose workers are killed: one loop for every engine. Each lane runs a task on workers of its own, which
 * are killed at random moments after the task has called a model or a tool.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DurableTasks } from '@x/durable'
import { countCalls, EFFECTS_PER_TASK, judgeSixSteps, type SixStepsAnswer, type SixStepsReport } from './six-steps.ts'

/** The answers of the tasks, by their ids. */
export type Answers = ReadonlyMap<string, SixStepsAnswer>

/** Workers that run one task after the other. */
export interface KillLane {
  /** Starts the workers, which write the calls of their tasks into a file. */
  start(file: string): Promise<void>
  /** Runs a task with a new name, or several at once, and returns the answers. */
  run(name: string): Promise<Answers>
  /** Kills the worker that runs the task. */
  kill(): Promise<void>
  /** Rejects when a worker ends that was not killed. */
  readonly died: Promise<never>
  stop(): Promise<void>
}

/** The result of the tasks. */
export interface KillReport extends SixStepsReport {
  tasks: number
  /** Kills of workers. */
  kills: number
  /** Kills of the server of the engine. */
  restarts?: number
}

const KILLS_PER_TASK = 2
/** A worker is killed so many milliseconds after a call, at most. */
const LONGEST_LIFE = 120

/** Runs tasks in the lanes until their workers were killed so often. */
export async function killWorkers(lanes: readonly KillLane[], kills: number): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'kill-rounds-'))
  const files = lanes.map((_, i) => join(folder, `lane-${i}.jsonl`))
  const answers = new Map<string, SixStepsAnswer>()
  let tasks = 0
  let done = 0
  const play = async (lane: KillLane, file: string) => {
    while (done < kills) {
      let isRunning = true
      const running = lane.run(`task-${++tasks}`).finally(() => {
        isRunning = false
      })
      // It is awaited below.
      running.catch(() => {})
      for (let i = 0; i < KILLS_PER_TASK && isRunning; i++) {
        const before = countCalls(file)
        while (isRunning && countCalls(file) === before) await pause(5)
        await Promise.race([running, pause(Math.random() * LONGEST_LIFE)])
        if (!isRunning) break
        done++
        await lane.kill()
      }
      for (const [taskId, answer] of await running) answers.set(taskId, answer)
    }
  }
  try {
    // One after the other: the first worker may make tables.
    for (const [i, lane] of lanes.entries()) await lane.start(files[i]!)
    const playing = Promise.all(lanes.map((lane, i) => play(lane, files[i]!)))
    await Promise.race([playing, ...lanes.map(({ died }) => died)])
    return { tasks: answers.size, kills: done, ...judgeSixSteps(files, answers) }
  } finally {
    await Promise.all(lanes.map((lane) => lane.stop()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Submits a task, approves the calls that wait, and returns the answer. */
export async function runApproved(tasks: DurableTasks, taskId: string): Promise<Answers> {
  await tasks.submit('Do it.', { taskId })
  for (;;) {
    const status = await tasks.status(taskId)
    if (status === 'waiting')
      for (const { id } of await tasks.waiting(taskId))
        await tasks.decide(taskId, { callId: id, type: 'approve' }).catch((error) => {
          // A request that was cut off had its effect.
          if (error.code !== 'approval') throw error
        })
    else if (status !== 'queued' && status !== 'running') break
    await pause(20)
  }
  return new Map([[taskId, await tasks.answer(taskId)]])
}

/** Kills the workers of each mode so often as the first argument of the command says, and prints a row of a table for each. */
export async function killCommand(
  name: string,
  modes: Readonly<Record<string, (kills: number) => Promise<KillReport>>>,
): Promise<void> {
  const kills = Number(process.argv[2] ?? 20)
  if (!Number.isSafeInteger(kills) || kills < 1) throw new Error(`${name}: expected a number of kills.`)
  console.log(
    '| mode | kills | tasks | steps lost | wrong answers | other arguments under a key | saved effects repeated | effects repeated | model calls repeated |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  let failed = 0
  for (const [mode, run] of Object.entries(modes)) {
    const report = await run(kills)
    const { tasks, lost, wrongAnswers, otherArguments, repeatedSaved, repeatedEffects, repeatedModelCalls } = report
    const effects = `${repeatedEffects} of ${tasks * EFFECTS_PER_TASK}`
    const calls = `${repeatedModelCalls} of ${tasks * (EFFECTS_PER_TASK + 1)}`
    const killed = report.restarts ? `${report.kills}, server ${report.restarts}` : report.kills
    const cells = [mode, killed, tasks, lost, wrongAnswers, otherArguments, repeatedSaved, effects, calls]
    console.log(`| ${cells.join(' | ')} |`)
    if (lost + wrongAnswers + otherArguments + repeatedSaved > 0) failed++
  }
  console.log(`${name}: ${Object.keys(modes).length - failed} modes passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
