/** Tasks whose workers are killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Fleet } from '../../../../tools/fleet.ts'
import {
  countEffects,
  EFFECTS_PER_TASK,
  judgeSixSteps,
  type SixStepsReport,
} from '../../../../tools/kill-rounds/six-steps.ts'
import { type RestateServer, registerServices } from '../../../../tools/restate-server.ts'
import type { AgentStatus } from '../src/index.ts'
import { attach, call } from './ingress.ts'

/** The answer that the caller of a run receives. */
interface Answer {
  sources: { content: string }[]
}

/** The contents of the sources of each answer, by the id of its task. */
export type Answers = Map<string, string[]>

/** Submits tasks and waits for their answers. */
export type Mode = (server: RestateServer, prefix: string, tasks: number) => Promise<Answers>

const contents = ({ sources }: Answer): string[] => sources.map(({ content }) => content)

async function answersOf(ids: readonly string[], answer: (id: string) => Promise<Answer>): Promise<Answers> {
  return new Map(await Promise.all(ids.map(async (id) => [id, contents(await answer(id))] as const)))
}

const idsOf = (prefix: string, tasks: number) => Array.from({ length: tasks }, (_, i) => `${prefix}-${i}`)

/** Waits until a call waits for a decision. */
async function waitingCall(server: RestateServer, run: string): Promise<string> {
  for (;;) {
    const { state, calls } = await call<AgentStatus>(server, `${run}/status`)
    if (state === 'waiting' && calls[0]) return calls[0].id
    await pause(50)
  }
}

/** How agents run on Restate. */
export const modes: Readonly<Record<string, Mode>> = {
  /** One workflow per task. */
  workflow: (server, prefix, tasks) =>
    answersOf(idsOf(prefix, tasks), (id) => call<Answer>(server, `errand/${id}/run`, 'Do it.')),
  /** One workflow per task, whose third call needs an approval. */
  approval: (server, prefix, tasks) =>
    answersOf(idsOf(prefix, tasks), async (id) => {
      await call(server, `payment/${id}/run/send`, 'Do it.')
      await call(server, `payment/${id}/decide`, {
        callId: await waitingCall(server, `payment/${id}`),
        type: 'approve',
      })
      return attach<Answer>(server, `payment/${id}`)
    }),
  /** One object per task and one invocation per step; the third call needs an approval. */
  steps: (server, prefix, tasks) =>
    answersOf(idsOf(prefix, tasks), async (id) => {
      await call(server, `steps/${id}/start`, 'Do it.')
      await call(server, `steps/${id}/decide`, { callId: await waitingCall(server, `steps/${id}`), type: 'approve' })
      return call<Answer>(server, `steps/${id}/answer`)
    }),
  /** Conversations of two messages, which are sent at once. */
  conversation: async (server, prefix, tasks) => {
    const messages = idsOf(prefix, tasks / 2).flatMap((id) => [id, id])
    const answers = messages.map(async (id) => {
      const answer = await call<Answer & { taskId: string }>(server, `conversation/${id}/chat`, 'Do it.')
      return [answer.taskId, contents(answer)] as const
    })
    return new Map(await Promise.all(answers))
  },
}

/** Tasks of all modes at once; the number must be a multiple of eight. */
export const everyMode: Mode = async (server, prefix, tasks) => {
  const each = Object.entries(modes)
  const answers = each.map(([name, mode]) => mode(server, `${prefix}-${name}`, tasks / each.length))
  return new Map((await Promise.all(answers)).flatMap((one) => [...one]))
}

/** The options of a round of kills. */
export interface KillOptions {
  /** The number of tasks. @defaultValue 20 */
  tasks?: number
  /** The number of kills of each of the two workers. @defaultValue 2 */
  kills?: number
  /** Whether the first worker never comes back. @defaultValue false */
  isFirstGone?: boolean
}

const program = fileURLToPath(new URL('./kill-worker.ts', import.meta.url))
let rounds = 0

/** Runs tasks of one mode on two workers, which are killed while the tasks run. */
export async function killRound(
  server: RestateServer,
  mode: Mode,
  { tasks = 20, kills = 2, isFirstGone = false }: KillOptions = {},
): Promise<SixStepsReport & { kills: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'restate-kill-'))
  const file = join(folder, 'effects.jsonl')
  const fleet = new Fleet(program)
  try {
    await fleet.balancer.listen()
    await Promise.all([0, 1].map((index) => fleet.start(index, [file])))
    await registerServices(server, fleet.uri)
    const running = mode(server, `${process.pid}-${rounds++}`, tasks)
    const state = { isDone: false }
    const ended = () => {
      state.isDone = true
    }
    running.then(ended, ended)
    const restarts: (Promise<void> | undefined)[] = []
    const steps = (tasks * EFFECTS_PER_TASK) / (2 * kills + 1)
    for (let n = 0; n < 2 * kills && !state.isDone; n++) {
      // After so many effects, so that kills are spread over the tasks on any machine.
      const target = countEffects(file) + Math.floor(steps * (0.5 + Math.random() / 2))
      while (!state.isDone && countEffects(file) < target) await pause(5)
      const index = isFirstGone ? Math.min(n, 1) : n % 2
      await restarts[index]
      await fleet.kill(index)
      if (!isFirstGone || index > 0) restarts[index] = fleet.restart(index, [file])
    }
    const answers = await running
    await Promise.all(restarts)
    return { ...judgeSixSteps(file, answers), kills: fleet.kills }
  } finally {
    fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
