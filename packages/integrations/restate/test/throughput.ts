/**
 * Measures how many tasks of six turns finish per second with 1, 2 and 4 worker processes, beside two workflows of the SDK without an agent: the
 * smallest one with as many calls, and one with the same entries of the journal; and the processor time of each process (on Linux). The model and the tools take no time, so this is the cost of the
 * engine and the agents. The modes take turns, so that a change of the machine's speed affects all.
 *
 * @example npm run restate-throughput -- 400
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Fleet } from '../../../../tools/fleet.ts'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { call } from './ingress.ts'

const TASKS = Number(process.argv[2] ?? 400)
const IN_FLIGHT = 32
const program = fileURLToPath(new URL('./throughput-worker.ts', import.meta.url))

/** Each mode runs its tasks in so many parts. */
const PARTS = 8

const modes: Readonly<Record<string, (server: RestateServer, id: string) => Promise<unknown>>> = {
  plain: (server, id) => call(server, `plain/${id}/run`, 'Go!'),
  'same-entries': (server, id) => call(server, `same-entries/${id}/run`, 'Go!'),
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

function table(head: readonly string[]): void {
  for (const cells of [head, head.map(() => '---')]) console.log(`| ${cells.join(' | ')} |`)
}

interface Measured {
  seconds: number
  /** The processor time of the server, the workers and this process, in seconds. */
  processor: number[]
}

async function measure(workers: number): Promise<void> {
  const server = await startRestate()
  const fleet = new Fleet(program)
  try {
    await fleet.balancer.listen()
    await Promise.all(Array.from({ length: workers }, (_, index) => fleet.start(index, [])))
    await registerServices(server, fleet.uri)
    const pids = Array.from(fleet.workers.values(), ({ child }) => child.pid!)
    const processor = () => [[server.pid], pids, [process.pid]].map(processorSeconds)
    const found = new Map<string, Measured>()
    // The first part warms up.
    for (let part = 0; part <= PARTS; part++)
      for (const [mode, run] of Object.entries(modes)) {
        const before = processor()
        const started = performance.now()
        await runTasks(`part-${part}`, TASKS / PARTS, (id) => run(server, id))
        const { seconds = 0, processor: used = [0, 0, 0] } = (part > 0 && found.get(mode)) || {}
        found.set(mode, {
          seconds: seconds + (performance.now() - started) / 1000,
          processor: processor().map((end, i) => used[i]! + end - before[i]!),
        })
      }
    const total = (mode: string) => found.get(mode)!.processor.reduce((sum, time) => sum + time, 0)
    for (const [mode, { seconds, processor }] of found) {
      const times = [...processor, total(mode)].map((time) => ((1000 * time) / TASKS).toFixed(1))
      const beside = (other: string) =>
        `${(found.get(other)!.seconds / seconds).toFixed(2)}, ${(total(other) / total(mode)).toFixed(2)}`
      const cells = [workers, mode, (TASKS / seconds).toFixed(0), beside('plain'), beside('same-entries'), ...times]
      console.log(`| ${cells.join(' | ')} |`)
    }
  } finally {
    fleet.stop()
    await server.stop()
  }
}

/** The ratios are those of the tasks per second, and of the tasks per second of a processor. */
table([
  'workers',
  'mode',
  'tasks per second',
  'beside plain',
  'beside same-entries',
  'server, ms of a processor per task',
  'workers',
  'callers',
  'all',
])
for (const workers of [1, 2, 4]) await measure(workers)
