/**
 * Measures how many tasks of six turns finish per second, beside workflows of the SDK without an agent: the smallest one with as many
 * calls, results as long as those of the agent and the same answer (`plain`), the same with one character for each of them (`tiny`), and
 * one with the same entries of the journal; and the processor time of the server, the workers and the callers (on Linux). The model and the
 * tools take no time, so this is the cost of the engine and the agents.
 *
 * Each mode has workers of its own. First, it runs many tasks per worker: the code of an agent costs two to three times as much until it
 * has been compiled for speed, after one to three thousand tasks. Then, in each round, every mode runs as many tasks, in an order that
 * changes, and the ratio to the others is computed from that round alone: what else the machine does affects neighbours alike. Prints the
 * ratios of all rounds, and their median with the middle half.
 *
 * @example npm run restate-throughput
 * @example npm run restate-throughput -- --workers 2 --rounds 40 --tasks 200 --modes plain,workflow
 */
import { deepStrictEqual } from 'node:assert'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { answer } from '../../../durable/test/six-turns.ts'
import { call } from './endpoint.ts'
import { Fleet } from './fleet.ts'

const modes: Readonly<Record<string, (server: RestateServer, id: string) => Promise<unknown>>> = {
  plain: (server, id) => call(server, `plain/${id}/run`, 'Go!'),
  tiny: (server, id) => call(server, `tiny/${id}/run`, 'Go!'),
  'same-entries': (server, id) => call(server, `same-entries/${id}/run`, 'Go!'),
  workflow: (server, id) => call(server, `workflow/${id}/run`, 'Go!'),
  steps: (server, id) => call(server, `steps/${id}/run`, 'Go!'),
  'steps-1': (server, id) => call(server, `steps-1/${id}/run`, 'Go!'),
}

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '15' },
    /** Tasks of a mode in a round. */
    tasks: { type: 'string', default: '500' },
    /** Tasks of a mode before the first round, per worker. */
    'warm-up': { type: 'string', default: '3000' },
    'in-flight': { type: 'string', default: '32' },
    modes: { type: 'string', default: Object.keys(modes).join() },
  },
})
const ROUNDS = Number(values.rounds)
const TASKS = Number(values.tasks)
const WARM_UP = Number(values['warm-up'])
const IN_FLIGHT = Number(values['in-flight'])
const chosen = values.modes.split(',')
const program = fileURLToPath(new URL('./throughput-worker.ts', import.meta.url))

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

/** What the tasks of a mode took in a round, in seconds. */
interface Measured {
  time: number
  /** The processor time of the server, the workers and this process. */
  processor: readonly number[]
}

/** The modes of a round in another order: each begins equally often, and every second round is the reverse of the one before. */
function orderOf(round: number): string[] {
  const turned = chosen.map((_, i) => chosen[(i + (round >> 1)) % chosen.length]!)
  return round % 2 === 0 ? turned : turned.reverse()
}

/** With an invocation per step (`steps-1`), a task runs the code around an agent six times, and takes three times as long. */
function warmUpOf(mode: string): number {
  return mode === 'steps-1' ? WARM_UP / 6 : WARM_UP
}

async function measure(workers: number): Promise<void> {
  const server = await startRestate()
  const fleets = new Map(chosen.map((mode) => [mode, new Fleet(program)]))
  try {
    for (const [mode, fleet] of fleets) {
      await fleet.balancer.listen()
      await Promise.all(Array.from({ length: workers }, (_, index) => fleet.start(index, [mode])))
      await registerServices(server, fleet.uri)
    }
    const pidsOf = ({ workers: processes }: Fleet) => Array.from(processes.values(), ({ child }) => child.pid!)
    const processor = (mode: string) => [[server.pid], pidsOf(fleets.get(mode)!), [process.pid]].map(processorSeconds)
    const rounds: Map<string, Measured>[] = []
    for (const mode of chosen) if (mode !== 'tiny') deepStrictEqual(await modes[mode]!(server, 'same'), answer)
    for (const mode of chosen) await runTasks('warm-up', warmUpOf(mode) * workers, (id) => modes[mode]!(server, id))
    for (let round = 0; round < ROUNDS; round++) {
      const found = new Map<string, Measured>()
      for (const mode of orderOf(round)) {
        const before = processor(mode)
        const started = performance.now()
        await runTasks(`round-${round}`, TASKS, (id) => modes[mode]!(server, id))
        const time = (performance.now() - started) / 1000
        found.set(mode, { time, processor: processor(mode).map((end, i) => end - before[i]!) })
      }
      rounds.push(found)
    }
    report(workers, rounds)
  } finally {
    for (const fleet of fleets.values()) fleet.stop()
    await server.stop()
  }
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.round(part * (values.length - 1))]!

const total = ({ processor }: Measured) => processor.reduce((sum, time) => sum + time, 0)

function report(workers: number, rounds: readonly ReadonlyMap<string, Measured>[]): void {
  console.log(
    `\n${workers} ${workers === 1 ? 'worker' : 'workers'}, ${rounds.length} rounds of ${TASKS} tasks, ${IN_FLIGHT} at once`,
  )
  for (const mode of chosen) {
    const own = rounds.map((found) => found.get(mode)!)
    const mean = (part: (measured: Measured) => number) => own.reduce((sum, found) => sum + part(found), 0) / own.length
    const parts = ['server', 'workers', 'callers'].map((name, i) => {
      const time = mean(({ processor }) => processor[i]!)
      return `${((1000 * time) / TASKS).toFixed(1)} ${name}`
    })
    const rate = quantile(
      own.map(({ time }) => TASKS / time),
      0.5,
    )
    console.log(`${mode}: ${rate.toFixed(0)} tasks per second; ms of a processor per task: ${parts.join(', ')}`)
    for (const other of chosen.slice(0, Math.min(3, chosen.indexOf(mode))))
      for (const [what, of] of [
        ['time', ({ time }: Measured) => time],
        ['processor', total],
      ] as const) {
        const ratios = rounds.map((found) => of(found.get(other)!) / of(found.get(mode)!))
        const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2))
        console.log(
          `  beside ${other} by ${what}: ${middle} (${low} to ${high}); rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
        )
      }
  }
}

for (const workers of values.workers.split(',').map(Number)) await measure(workers)
