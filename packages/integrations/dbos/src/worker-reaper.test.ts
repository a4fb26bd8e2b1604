import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../../tools/postgres-server.ts'
import type { DbosWorkflow } from './dbos-types.ts'
import { type Takeover, WorkerReaper, type WorkerReaperOptions } from './worker-reaper.ts'

let server: PostgresServer
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = new pg.Pool({ connectionString: server.connectionString, max: 4 })
})
afterAll(async () => {
  await pool.end()
  await server.stop()
})
beforeEach(() => pool.query('drop table if exists x_dbos_workers, x_dbos_takeovers'))

/** A DBOS stand-in with workflows, which records the operations on them. */
class Workflows {
  pending: DbosWorkflow[] = []
  readonly log: string[] = []
  steps = 0
  executorID = ''

  async listWorkflows({ executorId }: { executorId: string[] }) {
    return this.pending.filter(({ executorId: id }) => executorId.includes(id!))
  }
  async resumeWorkflows(ids: string[], { queueName }: { queueName?: string } = {}) {
    this.remove(ids, `resume ${ids} on ${queueName}`)
  }
  async cancelWorkflows(ids: string[]) {
    this.remove(ids, `cancel ${ids}`)
  }
  async listWorkflowSteps() {
    return Array.from({ length: this.steps }, (_, i) => ({ name: `step-${i}` }))
  }
  run(workflowID: string, executorId: string, queueName?: string) {
    const queue = queueName !== undefined && { queueName }
    this.pending.push({ workflowID, executorId, status: 'PENDING', createdAt: 0, ...queue })
  }
  private remove(ids: string[], what: string) {
    this.log.push(what)
    this.pending = this.pending.filter(({ workflowID }) => !ids.includes(workflowID))
  }
}

async function start(dbos: Workflows, executorID: string, options: Partial<WorkerReaperOptions> = {}) {
  const reaper = new WorkerReaper({
    dbos,
    pool,
    application: 'app',
    executorID,
    intervalMs: 20,
    deadAfterMs: 600_000,
    ...options,
  })
  await reaper.start()
  return reaper
}

/** Sets the last report of a worker to an hour ago. */
const forget = (executorID: string) =>
  pool.query("update x_dbos_workers set seen_at = now() - interval '1 hour' where executor_id = $1", [executorID])

/** A connection that counts how often a reaper has looked for dead workers. */
function countingPool() {
  const counting = {
    looks: 0,
    query: async (text: string, values?: unknown[]) => {
      const result = await pool.query(text, values)
      if (text.includes('returning executor_id')) counting.looks++
      return result
    },
  }
  return counting
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('WorkerReaper', () => {
  it('puts the workflows of a dead worker back into their queues, once', async () => {
    const dbos = new Workflows()
    const takeovers: Takeover[] = []
    const onTakeover = (some: readonly Takeover[]) => takeovers.push(...some)
    await (await start(dbos, 'gone')).stop()
    const pools = ['a', 'b', 'c'].map((id) => ({ id, pool: countingPool() }))
    const alive = await Promise.all(pools.map(({ id, pool }) => start(dbos, id, { onTakeover, pool })))
    dbos.run('1', 'gone', 'agents')
    dbos.run('2', 'gone')
    dbos.run('3', 'gone', 'agents')
    dbos.run('4', 'a', 'agents')
    await forget('gone')
    await until(() => takeovers.length === 3)
    const looks = pools.map(({ pool }) => pool.looks)
    await until(() => pools.every(({ pool }, i) => pool.looks > looks[i]! + 1))
    await Promise.all(alive.map((reaper) => reaper.stop()))
    expect(dbos.log.sort()).toEqual(['resume 1,3 on agents', 'resume 2 on undefined'])
    expect(takeovers.map(({ executorID, givenUp }) => `${executorID} ${givenUp}`)).toEqual(Array(3).fill('gone false'))
    const { rows } = await pool.query('select executor_id from x_dbos_workers order by 1')
    expect(rows.map(({ executor_id: id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('does not touch the workers of other applications', async () => {
    const dbos = new Workflows()
    await (await start(dbos, 'gone', { application: 'theirs' })).stop()
    await forget('gone')
    dbos.run('1', 'gone', 'agents')
    const counting = countingPool()
    const ours = await start(dbos, 'ours', { pool: counting })
    await until(() => counting.looks > 2)
    expect(dbos.log).toEqual([])
    const theirs = await start(dbos, 'next', { application: 'theirs' })
    await until(() => dbos.log.length === 1)
    await Promise.all([ours.stop(), theirs.stop()])
  })

  it('does not touch a worker that reports again', async () => {
    const dbos = new Workflows()
    await (await start(dbos, 'slow')).stop()
    await forget('slow')
    const slow = await start(dbos, 'slow')
    dbos.run('1', 'slow', 'agents')
    const counting = countingPool()
    const other = await start(dbos, 'other', { pool: counting })
    await until(() => counting.looks > 2)
    await Promise.all([slow.stop(), other.stop()])
    expect(dbos.log).toEqual([])
  })

  it('cancels a workflow whose workers die one soon after the other', async () => {
    const dbos = new Workflows()
    const takeovers: Takeover[] = []
    const alive = await start(dbos, 'alive', { maxTakeovers: 1, onTakeover: (some) => takeovers.push(...some) })
    for (const id of ['first', 'second', 'long after']) {
      if (id === 'long after') await pool.query("update x_dbos_takeovers set at = now() - interval '11 minutes'")
      await (await start(dbos, id)).stop()
      dbos.run('poison', id, 'agents')
      await forget(id)
      await until(() => dbos.pending.length === 0)
    }
    await alive.stop()
    expect(dbos.log).toEqual(['resume poison on agents', 'cancel poison', 'resume poison on agents'])
    expect(takeovers.map(({ givenUp }) => givenUp)).toEqual([false, true, false])
  })

  it('counts from the start again when a workflow has a new step', async () => {
    const dbos = new Workflows()
    const alive = await start(dbos, 'alive', { maxTakeovers: 2 })
    for (let death = 0; death < 8; death++) {
      // It makes progress until the sixth death.
      if (death < 6) dbos.steps++
      await (await start(dbos, `worker ${death}`)).stop()
      dbos.run('long', `worker ${death}`)
      await forget(`worker ${death}`)
      await until(() => dbos.pending.length === 0)
    }
    await alive.stop()
    expect(dbos.log).toEqual([...Array(7).fill('resume long on undefined'), 'cancel long'])
  })

  it('tries again after an error, and takes over from a reaper that died', async () => {
    const dbos = new Workflows()
    const errors: unknown[] = []
    const { resumeWorkflows } = dbos
    dbos.resumeWorkflows = async () => {
      throw new Error('connection lost')
    }
    await (await start(dbos, 'gone')).stop()
    const alive = await start(dbos, 'alive', { onError: (error) => errors.push(error) })
    dbos.run('1', 'gone', 'agents')
    await forget('gone')
    await until(() => errors.length === 1)
    dbos.resumeWorkflows = resumeWorkflows
    await forget('gone')
    await until(() => dbos.log.length === 1)
    await alive.stop()
    expect(errors).toMatchObject([{ message: 'connection lost' }])
  })

  it('waits until the database has a free connection, and throws other errors', async () => {
    const small = await startPostgres({ maxConnections: 5 })
    const taken = Array.from({ length: 5 }, () => new pg.Client(small.connectionString))
    await Promise.all(taken.map((client) => client.connect()))
    const errors: unknown[] = []
    const options = { dbos: new Workflows(), application: 'app', executorID: 'a', intervalMs: 20, deadAfterMs: 60_000 }
    const one = new pg.Pool({ connectionString: small.connectionString, max: 1 })
    const onError = (error: unknown) => errors.push(error)
    const reaper = new WorkerReaper({ ...options, pool: one, onError })
    const starting = reaper.start()
    await until(() => errors.length > 2)
    expect(errors[0]).toMatchObject({ code: '53300' })
    const stopped = new WorkerReaper({ ...options, pool: one, executorID: 'b', onError })
    const refused = expect(stopped.start()).rejects.toMatchObject({ name: 'AbortError' })
    await stopped.stop()
    await refused

    await taken.pop()!.end()
    await starting
    const { rows } = await one.query('select executor_id from x_dbos_workers')
    expect(rows).toEqual([{ executor_id: 'a' }])
    await reaper.stop()
    await one.query('create role guest login')
    await one.end()
    const url = small.connectionString.replace('postgres@', 'guest@')
    const guest = new pg.Pool({ connectionString: url, max: 1 })
    await taken.pop()!.end()
    await taken.pop()!.end()
    await taken.pop()!.end()
    await expect(new WorkerReaper({ ...options, pool: guest }).start()).rejects.toMatchObject({ code: '42501' })
    await guest.end()
    await taken.pop()!.end()
    await small.stop()
  })

  it('refuses numbers that are out of range, and a worker without an id', () => {
    const make = (options: Partial<WorkerReaperOptions>) => () =>
      new WorkerReaper({ dbos: new Workflows(), pool, application: 'app', executorID: 'a', ...options })
    const refused = expect.objectContaining({ code: expect.stringMatching(/model_validation|configuration/) })
    expect(make({ executorID: '' })).toThrow(refused)
    expect(make({ application: undefined as never })).toThrow(refused)
    expect(make({ intervalMs: 0 })).toThrow(refused)
    expect(make({ intervalMs: 100, deadAfterMs: 199 })).toThrow(refused)
    expect(make({ maxTakeovers: -1 })).toThrow(refused)
  })
})
