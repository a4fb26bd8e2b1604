/**
 * Runs tasks of six steps with effects, and kills their workers twice during each: first workers that restart, then workers that are
 * gone for good, then workers that are stopped until others have taken over. Refuses lost steps, and effects with different arguments under the
 * same idempotency key.
 *
 * @example npm run dbos-kill -- 20
 */
import { killRounds } from './kill-rounds.ts'

const tasks = Number(process.argv[2] ?? 20)
if (!Number.isSafeInteger(tasks) || tasks < 1) throw new Error('dbos-kill: expected a number of tasks.')
const WORKERS = {
  back: 'workers that restart',
  gone: 'workers that never restart',
  slow: 'workers that are stopped for a while',
}
let bad = 0
for (const mode of ['back', 'gone', 'slow'] as const) {
  const { kills, lost, otherArguments, repeatedEffects, repeatedModelCalls } = await killRounds(mode, tasks)
  console.log(
    `${WORKERS[mode]}: ${tasks} tasks, ${kills} kills: ${lost} steps lost, ${otherArguments} effects with different arguments ` +
      `under their key, ${repeatedEffects} effects repeated, ${repeatedModelCalls} model calls repeated`,
  )
  bad += lost + otherArguments
}
process.exitCode = bad === 0 ? 0 : 1
