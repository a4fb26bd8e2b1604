/**
 * Runs tasks of six steps with effects, and kills their workers twice during each: first workers that start again, then workers that are
 * gone for good. Refuses lost steps, and effects with other arguments under the same idempotency key.
 *
 * @example npm run dbos-kill -- 20
 */
import { killRounds } from './kill-rounds.ts'

const tasks = Number(process.argv[2] ?? 20)
if (!Number.isSafeInteger(tasks) || tasks < 1) throw new Error('dbos-kill: expected a number of tasks.')
let bad = 0
for (const mode of ['back', 'gone'] as const) {
  const { kills, lost, otherArguments, repeatedEffects, repeatedModelCalls } = await killRounds(mode, tasks)
  const workers = mode === 'back' ? 'workers that start again' : 'workers that are gone for good'
  console.log(
    `${workers}: ${tasks} tasks, ${kills} kills: ${lost} steps lost, ${otherArguments} effects with other arguments ` +
      `under their key, ${repeatedEffects} effects repeated, ${repeatedModelCalls} model calls repeated`,
  )
  bad += lost + otherArguments
}
process.exitCode = bad === 0 ? 0 : 1
