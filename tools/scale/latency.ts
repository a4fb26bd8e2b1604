/**
 * Measures how long a task takes, from its submission to its answer, while so many others run: six turns of a model that takes a fixed
 * time, and five calls of a tool that takes none. The worker is in this process.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { TaskStore } from '@x/core-model'
import { agentWorkflow as dbosWorkflow } from '@x/dbos'
import { DbosTasks } from '@x/dbos/client'
import { type DurableTasks, StoredTasks } from '@x/durable'
import { openDatabase, PostgresTaskStore } from '@x/postgres'
import { openDatabase as openFile, SqliteTaskStore } from '@x/sqlite'
import pg from 'pg'
import { useRestateTasks } from '../../packages/integrations/restate/test/use-tasks.ts'
import { startPostgres } from '../postgres-server.ts'
import { agentOf, TURNS } from './measure.ts'

const MODEL_MS = 200
/** The time of the model in a task, in milliseconds. */
export const TASK_MODEL_MS = TURNS * MODEL_MS
/** At least so many tasks are measured, and three for each that runs at the same time. */
const FEWEST = 20

/** The times of the tasks of an engine at one load, in milliseconds. */
export interface Latency {
  p50: number
  p99: number
  tasksPerSecond: number
}

/** Measures the first 1,000 tasks of a worker, at the highest number of tasks at once, and then each number. */
export async function measureLatency(engine: string, loads: readonly number[]): Promise<Latency[]> {
  const found: Latency[] = []
  await ENGINES[engine]!(async (tasks) => {
    found.push(await measure(tasks, 'first', loads.at(-1)!, 1000))
    for (const atOnce of loads) found.push(await measure(tasks, `${atOnce}`, atOnce, Math.max(FEWEST, 3 * atOnce)))
  })
  return found
}

/** Runs so many tasks, so many of them at once: each that ends starts the next. */
async function measure(tasks: DurableTasks, prefix: string, atOnce: number, count: number): Promise<Latency> {
  const times: number[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const started = performance.now()
      await tasks.answer(await tasks.submit('Order all parts.', { taskId: `${prefix}-${next++}` }))
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: atOnce }, lane))
  const seconds = (performance.now() - started) / 1000
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), tasksPerSecond: count / seconds }
}

/** Returns the smallest value that is at least as large as this part of all. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)]!
}

const agent = agentOf({ modelMs: MODEL_MS })

type Engine = (use: (tasks: DurableTasks) => Promise<void>) => Promise<void>

export const ENGINES: Readonly<Record<string, Engine>> = {
  'StoredTasks on SQLite': async (use) => {
    const folder = await mkdtemp(join(tmpdir(), 'latency-'))
    const database = await openFile(join(folder, 'data.sqlite'))
    await useStore(new SqliteTaskStore(database), use)
    database.close()
    await rm(folder, { recursive: true })
  },
  'StoredTasks on PostgreSQL': async (use) => {
    const server = await startPostgres()
    const pool = new pg.Pool({ connectionString: server.connectionString, max: 8 })
    await useStore(new PostgresTaskStore(await openDatabase(pool)), use)
    await pool.end()
    await server.stop()
  },
  DBOS: async (use) => {
    const server = await startPostgres()
    const logger = { info() {}, debug() {}, warn() {}, error() {} }
    const systemDatabaseUrl = server.connectionString
    DBOS.setConfig({ name: 'latency', systemDatabaseUrl, executorID: 'one', applicationVersion: 'one', logger })
    dbosWorkflow({ dbos: DBOS, name: 'six turns', agent })
    await DBOS.launch()
    await DBOS.registerQueue('agents', { minPollingIntervalMs: 50 })
    await use(new DbosTasks({ dbos: DBOS, workflow: 'six turns', queue: 'agents', pollingIntervalMs: 100 }))
    await DBOS.shutdown()
    await server.stop()
  },
  'Restate, workflow': (use) => useRestateTasks('workflow', agent, use),
  'Restate, steps': (use) => useRestateTasks('steps', agent, use),
}

async function useStore(store: TaskStore, use: (tasks: DurableTasks) => Promise<void>): Promise<void> {
  const tasks = new StoredTasks({ store, agent, maxRunning: 1000 })
  await tasks.start()
  await use(tasks)
  await tasks.stop()
}
