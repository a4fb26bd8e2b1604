/**
 * Measures how many tasks of six steps finish per second with 1, 2 and 4 worker processes, and the processor time of each process (on Linux).
 * The model and the tools take no time, so this is the cost of the engine and the agents.
 *
 * @example npm run restate-throughput -- 400
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Fleet } from '../../../../tools/fleet.ts'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { call } from './ingress.ts'

const TASKS = Number(process.argv[2] ?? 400)
const IN_FLIGHT = 32
const program = fileURLToPath(new URL('./throughput-worker.ts', import.meta.url))

const modes: Readonly<Record<string, (server: RestateServer, id: string) => Promise<unknown>>> = {
  workflow: (server, id) => call(server, `workflow/${id}/run`, 'Go!'),
  steps: async (server, id) => {
    await call(server, `steps/${id}/start`, 'Go!')
    return call(server, `steps/${id}/answer`)
  },
}

/** Returns the processor time of processes in seconds; NaN if the system does not report it. */
function processorSeconds(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => {
      const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
      return sum + (Number(user) + Number(system)) / 100
    }, 0)
  } catch {
    return Number.NaN
  }
}

async function runTasks(prefix: string, tasks: number, run: (id: string) => Promise<unknown>): Promise<void> {
  let next = 0
  const submit = async () => {
    while (next < tasks) await run(`${prefix}-${next++}`)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, submit))
}

async function measure(workers: number, mode: string): Promise<string> {
  const server = await startRestate()
  const fleet = new Fleet(program)
  try {
    await fleet.balancer.listen()
    await Promise.all(Array.from({ length: workers }, (_, index) => fleet.start(index, [])))
    await registerServices(server, fleet.uri)
    const run = (id: string) => modes[mode]!(server, id)
    await runTasks('first', 100, run)
    const pids = Array.from(fleet.workers.values(), ({ child }) => child.pid!)
    const before = [processorSeconds([server.pid]), processorSeconds(pids), processorSeconds([process.pid])]
    const started = performance.now()
    await runTasks('task', TASKS, run)
    const seconds = (performance.now() - started) / 1000
    const after = [processorSeconds([server.pid]), processorSeconds(pids), processorSeconds([process.pid])]
    const used = after.map((end, i) => end - before[i]!)
    const [engine, agents] = used.map((time) => `${((1000 * time) / TASKS).toFixed(1)} ms`)
    const busy = used.reduce((sum, time) => sum + time / seconds, 0)
    return (
      `${mode}, ${workers} workers: ${(TASKS / seconds).toFixed(0)} tasks and ${((6 * TASKS) / seconds).toFixed(0)} steps per second; ` +
      `processor time per task: server ${engine}, workers ${agents}; ${busy.toFixed(2)} of ${availableParallelism()} processors in use`
    )
  } finally {
    fleet.stop()
    await server.stop()
  }
}

for (const mode of Object.keys(modes)) for (const workers of [1, 2, 4]) console.log(await measure(workers, mode))
