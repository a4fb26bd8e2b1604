/**
 * @module
 * Takes over the workflows of dead workers.
 */

import {
  callback,
  checkGiven,
  checkOptions,
  milliseconds,
  type OptionTable,
  unchecked,
  wholeNumber,
} from '@x/core/options'
import { addToList } from '@x/core/values'
import { ConfigurationError } from '@x/core-model'
import { pause } from '@x/core-model/async'
import type { DbosTakeover, DbosWorkflow } from './dbos-types.ts'

/** A connection to the database; a `Pool` of `pg` is one. */
interface SqlPool {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

/** A workflow that was taken over. */
export interface Takeover {
  workflowID: string
  /** The worker that died. */
  executorID: string
  /** Whether the workflow was cancelled, because its workers died too often. */
  givenUp: boolean
}

/** The options of {@link WorkerReaper}. */
export interface WorkerReaperOptions {
  /** `DBOS` of `@dbos-inc/dbos-sdk`. */
  dbos: DbosTakeover
  /** The database of the workers; the tables `x_dbos_workers` and `x_dbos_takeovers` are made in it. */
  pool: SqlPool
  /** The name of the application, as in the configuration of DBOS. */
  application: string
  /** The id of this worker, as in the configuration of DBOS: a different one for each process. */
  executorID: string
  /** The interval at which this worker reports that it is alive, and looks for dead workers, in milliseconds. @defaultValue 5000 */
  intervalMs?: number | undefined
  /** The time without a report after which a worker counts as dead, in milliseconds; at least twice the interval. @defaultValue 30000 */
  deadAfterMs?: number | undefined
  /**
   * The maximum number of takeovers of a workflow in a row, each within 10 minutes of the previous one, without a new step of the workflow
   * in between. Then it is cancelled, because it may be the reason why its workers die. @defaultValue 20
   */
  maxTakeovers?: number | undefined
  /** Receives the workflows that were taken over. */
  onTakeover?: ((takeovers: readonly Takeover[]) => void) | undefined
  /** Receives the errors of the database, for example if it has no free connection. The reaper tries again after the interval. */
  onError?: ((error: unknown) => void) | undefined
}

const reaperOptions: OptionTable<WorkerReaperOptions> = {
  dbos: unchecked,
  pool: unchecked,
  application: unchecked,
  executorID: unchecked,
  intervalMs: milliseconds(1),
  deadAfterMs: milliseconds(),
  maxTakeovers: wholeNumber(0),
  onTakeover: callback,
  onError: callback,
}

/**
 * Reports that its worker is alive, and puts the workflows of dead workers back into their queues. Start one in every worker; then
 * no manual action is needed when a machine dies. All times are those of the database, so clocks may differ.
 *
 * If a worker was only slow, DBOS refuses its results from then on. The call that it was making is made twice,
 * under the same key.
 * @example
 * import { DBOS } from '@dbos-inc/dbos-sdk'
 * import pg from 'pg'
 *
 * const startWorker = async (executorID: string, systemDatabaseUrl: string) => {
 *   DBOS.setConfig({ name: 'app', systemDatabaseUrl, executorID, applicationVersion: '1' })
 *   const pool = new pg.Pool({ connectionString: systemDatabaseUrl, max: 1 })
 *   const reaper = new WorkerReaper({ dbos: DBOS, pool, application: 'app', executorID, onError: console.error })
 *   await reaper.start()
 *   await DBOS.launch()
 * }
 */
export class WorkerReaper {
  private readonly options: WorkerReaperOptions
  private readonly intervalMs: number
  private readonly deadAfterMs: number
  private readonly maxTakeovers: number
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> = Promise.resolve()
  private readonly stopping = new AbortController()

  /**
   * @throws {ModelValidationError} if an option is unknown or out of range.
   * @throws {ConfigurationError} if the application or the worker has no name.
   */
  constructor(options: WorkerReaperOptions) {
    checkGiven('WorkerReaper', { options }, 'an object of options')
    const { application, executorID, intervalMs = 5000, deadAfterMs = 30_000, maxTakeovers = 20 } = options
    checkOptions('WorkerReaper', options, {
      ...reaperOptions,
      deadAfterMs: milliseconds(2 * intervalMs),
    })
    checkName('application', application)
    checkName('executorID', executorID)
    this.options = options
    this.intervalMs = intervalMs
    this.deadAfterMs = deadAfterMs
    this.maxTakeovers = maxTakeovers
  }

  /**
   * Reports this worker for the first time. Call it before `DBOS.launch()`, so that no workflow runs in an unknown worker. While the
   * database cannot be reached or has no free connection, it reports the error to `onError` and tries again after the interval.
   * @throws any other error of the database, such as that of a missing right, and an `AbortError` after `stop()`.
   */
  async start(): Promise<void> {
    const { pool, onError } = this.options
    for (;;) {
      try {
        await pool.query(TABLES)
        await this.report()
        return this.schedule()
      } catch (error) {
        if (!isConnectionError(error)) throw error
        onError?.(error)
      }
      await pause(this.intervalMs, this.stopping.signal)
    }
  }

  /** Ends the reports. Unfinished workflows of this worker are taken over like those of a dead worker. */
  async stop(): Promise<void> {
    this.stopping.abort()
    clearTimeout(this.timer)
    await this.running
  }

  private schedule(): void {
    if (this.stopping.signal.aborted) return
    this.timer = setTimeout(() => {
      this.running = this.tick()
        .catch((error: unknown) => this.options.onError?.(error))
        .then(() => this.schedule())
    }, this.intervalMs)
  }

  private async tick(): Promise<void> {
    await this.report()
    await this.takeOver()
  }

  private async report(): Promise<void> {
    const { pool, application, executorID } = this.options
    await pool.query(REPORT, [application, executorID])
  }

  private async takeOver(): Promise<void> {
    const { dbos, pool, application, executorID } = this.options
    // The reaper that marks a worker as dead has deadAfterMs to put its workflows back; then other reapers may do it.
    const { rows } = await pool.query(MARK, [application, executorID, this.deadAfterMs])
    const gone = rows.map((row) => (row as { executor_id: string }).executor_id)
    if (gone.length === 0) return
    const found = await dbos.listWorkflows({ status: 'PENDING', executorId: gone, loadInput: false })
    const givenUp = await this.countTakeovers(found)
    if (givenUp.size > 0) await dbos.cancelWorkflows([...givenUp])
    const resumed = found.filter(({ workflowID }) => !givenUp.has(workflowID))
    for (const [queueName, workflows] of byQueue(resumed))
      await dbos.resumeWorkflows(workflows, queueName === undefined ? {} : { queueName })
    await pool.query(FORGET, [application, gone, executorID])
    if (found.length === 0) return
    const takeovers = found.map(({ workflowID, executorId = '' }) => ({
      workflowID,
      executorID: executorId,
      givenUp: givenUp.has(workflowID),
    }))
    this.options.onTakeover?.(takeovers)
  }

  /** Returns the workflows that were taken over too often without a new step in between. */
  private async countTakeovers(workflows: readonly DbosWorkflow[]): Promise<Set<string>> {
    const { maxTakeovers } = this
    const { dbos, pool } = this.options
    const { rows } = await pool.query(COUNT, [workflows.map(({ workflowID }) => workflowID)])
    const tooOften = new Set<string>()
    for (const { workflow_id: id, times, steps: before } of rows as TakeoverRow[]) {
      // One takeover is nothing unusual, and a dead worker may have had thousands of workflows.
      if (times < 2 && maxTakeovers > 1) continue
      const steps = (await dbos.listWorkflowSteps(id))?.length ?? 0
      const isStuck = before === null || steps <= before
      await pool.query(NOTE, [id, isStuck ? times : 1, steps])
      if (isStuck && times > maxTakeovers) tooOften.add(id)
    }
    return tooOften
  }
}

interface TakeoverRow {
  workflow_id: string
  times: number
  /** The number of steps at the last takeover; null if they were not counted. */
  steps: number | null
}

/** SQL states of connections and resources, network errors of Node, and messages of pg about connections, which have no code. */
const CONNECTION_ERRORS = /^(?:08...|53...|57P..|E(?!RR_)[A-Z_]+)$|[Cc]onnect/

/** Whether the database cannot be reached now. */
function isConnectionError(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  return CONNECTION_ERRORS.test(String(code ?? message))
}

function checkName(option: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  const received = JSON.stringify(name) ?? 'nothing'
  throw new ConfigurationError(
    `WorkerReaper.${option}: expected the name in the configuration of DBOS, received ${received}.`,
  )
}

function byQueue(workflows: readonly DbosWorkflow[]): Map<string | undefined, string[]> {
  const queues = new Map<string | undefined, string[]>()
  for (const { workflowID, queueName } of workflows) addToList(queues, queueName, workflowID)
  return queues
}

// One message without values is one transaction. Workers that start together must not create a table twice.
const TABLES = `select pg_advisory_xact_lock(hashtext('x_dbos_workers'));
create table if not exists x_dbos_workers (
  application text, executor_id text, seen_at timestamptz not null, taken_by text, primary key (application, executor_id)
);
create table if not exists x_dbos_takeovers (
  workflow_id text primary key, times int not null, at timestamptz not null, steps int
)`

const REPORT = `insert into x_dbos_workers values ($1, $2, now(), null)
on conflict (application, executor_id) do update set seen_at = now(), taken_by = null`

const MARK = `update x_dbos_workers set seen_at = now(), taken_by = $2
where application = $1 and executor_id <> $2 and seen_at < now() - $3 * interval '1 millisecond' returning executor_id`

// Only takeovers in quick succession count: a workflow that waits for weeks outlives many workers, but one that kills its worker does so
// again soon.
const COUNT = `insert into x_dbos_takeovers as old select unnest($1::text[]), 1, now()
on conflict (workflow_id) do update set at = now(),
  times = case when old.at > now() - interval '10 minutes' then old.times + 1 else 1 end,
  steps = case when old.at > now() - interval '10 minutes' then old.steps end
returning workflow_id, times, steps`

const NOTE = 'update x_dbos_takeovers set times = $2, steps = $3 where workflow_id = $1'

const FORGET = `with old as (delete from x_dbos_takeovers where at < now() - interval '1 day')
delete from x_dbos_workers where application = $1 and executor_id = any($2) and taken_by = $3`
