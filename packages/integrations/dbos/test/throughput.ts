/**
 * Measures how many tasks of six turns finish per second, beside the smallest workflow of DBOS with as many steps, results as long and the
 * same answer. The model and the tools take no time, so this is the cost of the engine and the agents. First, each runs many tasks: the
 * code of an agent costs two to three times as much until it has been compiled for speed. In each round both run as many tasks, in an order
 * that changes. Prints the ratios of the rounds, by time and by the processor time of this process, and their median with the middle half:
 * what else the machine does changes times more.
 *
 * @example npm run dbos-throughput
 * @example npm run dbos-throughput -- --rounds 20 --tasks 200
 */
import { deepStrictEqual } from 'node:assert'
import { parseArgs } from 'node:util'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent } from '@x/agents'
import { answer, results, sixTurns } from '../../../durable/test/six-turns.ts'
import { agentWorkflow } from '../src/agent-workflow.ts'
import { launch } from './launch.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    tasks: { type: 'string', default: '100' },
    /** Tasks of a mode before the first round; with 0, the first rounds show what a cold worker takes. */
    'warm-up': { type: 'string', default: '3000' },
  },
})
const AT_ONCE = 32
const tasks = Number(values.tasks)

const modes: Record<string, (taskId: string) => Promise<unknown>> = {}
const server = await launch(() => {
  const workflow = agentWorkflow({
    dbos: DBOS,
    name: 'agent',
    agent: ({ durable, newId }) => FunctionCallingAgent.fromTools({ ...sixTurns, durable, newId }),
  })
  const plain = DBOS.registerWorkflow(
    async (_input: string) => {
      for (const [i, result] of results.entries()) await DBOS.runStep(async () => result, { name: `step-${i}` })
      return { output: null, ...answer }
    },
    { name: 'plain' },
  )
  modes['plain'] = async (workflowID) => (await DBOS.startWorkflow(plain, { workflowID })('Go!')).getResult()
  modes['agent'] = async (workflowID) =>
    (await DBOS.startWorkflow(workflow, { workflowID })({ input: 'Go!' })).getResult()
})

/** What the tasks of a mode took in a round, in milliseconds. */
interface Measured {
  time: number
  processor: number
}

deepStrictEqual(await modes['agent']!('same'), await modes['plain']!('same answer'))

let count = 0
async function measure(mode: string): Promise<Measured> {
  const start = performance.now()
  const before = process.cpuUsage()
  let left = tasks
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await modes[mode]!(`${mode}-${count++}`)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return { time: performance.now() - start, processor: (user + system) / 1000 }
}

const quantile = (list: readonly number[], part: number) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * part)]!
for (let i = 0; i < Number(values['warm-up']); i += tasks) for (const mode of ['plain', 'agent']) await measure(mode)
const rounds: Record<string, Measured>[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  const found: Record<string, Measured> = {}
  for (const mode of round % 2 ? ['plain', 'agent'] : ['agent', 'plain']) found[mode] = await measure(mode)
  rounds.push(found)
}
for (const mode of ['plain', 'agent']) {
  const median = (what: keyof Measured) =>
    quantile(
      rounds.map((found) => found[mode]![what]),
      0.5,
    )
  const speed = (1000 * tasks) / median('time')
  console.log(
    `${mode}: ${speed.toFixed(0)} tasks per second, ${(median('processor') / tasks).toFixed(1)} ms of the processor per task`,
  )
}
for (const what of ['time', 'processor'] as const) {
  const ratios = rounds.map(({ plain, agent }) => plain![what] / agent![what])
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2))
  console.log(
    `agent beside plain by ${what}: ${middle} (${low} to ${high}); rounds ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
  )
}
await server.stop()
