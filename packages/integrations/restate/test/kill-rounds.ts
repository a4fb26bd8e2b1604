/** Lanes of Restate: two workers each behind one address, which are killed; now and then the server too. */
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RestateServer, registerServices, startRestate } from '../../../../tools/restate-server.ts'
import {
  type Answers,
  type KillLane,
  type KillReport,
  killWorkers,
  runApproved,
} from '../../../durable/test/kill-rounds/engine-rounds.ts'
import { lastCaller, type SixStepsAnswer } from '../../../durable/test/kill-rounds/six-steps.ts'
import { RestateTasks } from '../src/restate-tasks.ts'
import { Fleet } from './fleet.ts'

const runTask =
  (mode: 'workflow' | 'steps') =>
  (ingress: string, service: string, name: string): Promise<Answers> =>
    runApproved(new RestateTasks({ ingress, service, mode, fetch: patientFetch }), name)

/** How agents run on Restate: the name of the service, and how its tasks are run. */
export const modes = {
  workflow: runTask('workflow'),
  /** The third call needs an approval. */
  approval: runTask('workflow'),
  /** Some steps per invocation; the third call needs an approval. */
  steps: runTask('steps'),
  /** Two messages at once of a conversation. */
  conversation: async (ingress: string, service: string, name: string): Promise<Answers> => {
    const chat = async (message: number) => {
      const response = await patientFetch(`${ingress}/${service}/${name}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': `${name}-${message}` },
        body: JSON.stringify('Do it.'),
      })
      if (!response.ok) throw new Error(`chat: ${response.status} ${await response.text()}`)
      return (await response.json()) as SixStepsAnswer & { taskId: string }
    }
    const answers = await Promise.all([chat(1), chat(2)])
    return new Map(answers.map((answer) => [answer.taskId, answer]))
  },
} as const

export type Mode = keyof typeof modes

const LANES = 2
/** The server is killed with every so many workers. */
const WORKERS_PER_SERVER = 5
const program = fileURLToPath(new URL('./kill-worker.ts', import.meta.url))

/** Runs tasks of a mode until their workers were killed so often. */
export async function killRounds(
  mode: Mode,
  kills: number,
  { everySo = WORKERS_PER_SERVER } = {},
): Promise<KillReport> {
  const server = new KilledServer(await startRestate(), everySo)
  try {
    const lanes = Array.from({ length: LANES }, (_, i) => new Lane(server, mode, `${mode}${i}`))
    return { ...(await killWorkers(lanes, kills)), restarts: server.restarts }
  } finally {
    await server.stop()
  }
}

/** A server that is killed with some of the workers. */
class KilledServer {
  restarts = 0
  private kills = 0
  private restarting: Promise<void> | undefined
  readonly server: RestateServer
  private readonly everySo: number

  constructor(server: RestateServer, everySo: number) {
    this.server = server
    this.everySo = everySo
  }

  /** Call it with each kill of a worker. */
  async workerKilled(): Promise<void> {
    if (++this.kills % this.everySo === 0) {
      this.restarts++
      this.restarting = this.server.restart()
    }
    await this.restarting
  }

  async stop(): Promise<void> {
    await this.restarting
    await this.server.stop()
  }
}

/** A service and its two workers. */
class Lane implements KillLane {
  readonly died = new Promise<never>(() => {})
  private readonly fleet = new Fleet(program)
  private readonly restarts: Promise<void>[] = []
  private readonly server: KilledServer
  private readonly mode: Mode
  private readonly service: string
  private args: string[] = []

  constructor(server: KilledServer, mode: Mode, service: string) {
    this.server = server
    this.mode = mode
    this.service = service
  }

  async start(file: string): Promise<void> {
    this.args = [file, this.mode, this.service]
    await this.fleet.balancer.listen()
    for (const index of [0, 1]) await this.fleet.start(index, this.args)
    await registerServices(this.server.server, this.fleet.uri)
  }

  run(name: string): Promise<Answers> {
    return modes[this.mode](this.server.server.ingress, this.service, name)
  }

  async kill(): Promise<void> {
    const caller = lastCaller(this.args[0]!)
    const running = () => [...this.fleet.workers].find(([, { child }]) => child.pid === caller)
    // A worker that has just restarted may call before it is known here.
    if (!running()) await Promise.all(this.restarts)
    const [index] = running()!
    await this.fleet.kill(index)
    // The other worker continues meanwhile.
    this.restarts[index] = this.fleet.restart(index, this.args)
    await this.server.workerKilled()
  }

  async stop(): Promise<void> {
    await Promise.all(this.restarts)
    this.fleet.stop()
  }
}

/** Sends a request again while the server restarts. */
async function patientFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  for (;;) {
    try {
      const response = await fetch(...request)
      return new Response(await response.arrayBuffer(), response)
    } catch (error) {
      if (request[1]?.signal?.aborted) throw error
      await pause(100)
    }
  }
}
