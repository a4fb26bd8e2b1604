/**
 * Kills the workers of agents on Restate while their tasks run, in every mode. Refuses lost steps, and effects with other arguments under
 * the same idempotency key. Counts effects that were repeated.
 *
 * @example npm run restate-kill -- 3
 */
import { EFFECTS_PER_TASK } from '../../../../tools/kill-rounds/six-steps.ts'
import { startRestate } from '../../../../tools/restate-server.ts'
import { killRound, modes } from './kill-rounds.ts'

const rounds = Number(process.argv[2] ?? 1)
const TASKS = 20
const server = await startRestate()
let failed = 0
for (const [name, mode] of Object.entries(modes)) {
  const total = { kills: 0, lost: 0, otherArguments: 0, repeatedEffects: 0, repeatedModelCalls: 0 }
  for (let round = 0; round < rounds; round++) {
    const report = await killRound(server, mode, { tasks: TASKS })
    if (report.lost + report.otherArguments > 0) failed++
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += report[key]
  }
  console.log(
    `${name}: ${rounds * TASKS} tasks, ${total.kills} kills, ${total.lost} steps lost, ${total.otherArguments} effects with other arguments ` +
      `under their key; repeated: ${total.repeatedEffects} of ${rounds * TASKS * EFFECTS_PER_TASK} effects, ${total.repeatedModelCalls} model calls`,
  )
}
const all = rounds * Object.keys(modes).length
console.log(`restate-kill: ${all - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
await server.stop()
