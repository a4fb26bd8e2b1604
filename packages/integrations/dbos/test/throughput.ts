/**
 * Measures how many tasks of six turns finish per second, beside the smallest workflow of DBOS with as many steps and results as long. The model
 * and the tools take no time, so this is the cost of the engine and the agents. In each round both run as many tasks, in an order that
 * changes. Prints the ratios of the rounds, and their median with the middle half.
 *
 * @example npm run dbos-throughput
 * @example npm run dbos-throughput -- --rounds 20 --tasks 200
 */
import { parseArgs } from 'node:util'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { FunctionCallingAgent } from '@x/agents'
import { results, sixTurns } from '../../../durable/test/six-turns.ts'
import { agentWorkflow } from '../src/agent-workflow.ts'
import { launch } from './launch.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, tasks: { type: 'string', default: '100' } },
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
      return results[10]
    },
    { name: 'plain' },
  )
  modes['plain'] = async (workflowID) => (await DBOS.startWorkflow(plain, { workflowID })('Go!')).getResult()
  modes['agent'] = async (workflowID) =>
    (await DBOS.startWorkflow(workflow, { workflowID })({ input: 'Go!' })).getResult()
})

let count = 0
/** Returns the tasks per second of a mode. */
async function speedOf(mode: string): Promise<number> {
  const start = performance.now()
  let left = tasks
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await modes[mode]!(`${mode}-${count++}`)
    }),
  )
  return (tasks / (performance.now() - start)) * 1000
}

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[list.length >> 1]!
for (let i = 0; i < 4; i++) for (const mode of ['plain', 'agent']) await speedOf(mode)
const speeds: Record<string, number[]> = { plain: [], agent: [] }
for (let round = 0; round < Number(values.rounds); round++)
  for (const mode of round % 2 ? ['plain', 'agent'] : ['agent', 'plain']) speeds[mode]!.push(await speedOf(mode))
const ratios = speeds['agent']!.map((speed, i) => speed / speeds['plain']![i]!)
const sorted = ratios.toSorted((a, b) => a - b)
const quarter = (part: number) => sorted[Math.floor(sorted.length * part)]!.toFixed(2)
console.log(
  `plain: ${median(speeds['plain']!).toFixed(0)} tasks per second, agent: ${median(speeds['agent']!).toFixed(0)}`,
)
console.log(
  `agent beside plain: ${median(ratios).toFixed(2)} (${quarter(0.25)} to ${quarter(0.75)}); rounds ${ratios.map((one) => one.toFixed(2)).join(' ')}`,
)
await server.stop()
