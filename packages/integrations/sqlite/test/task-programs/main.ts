/** Runs random programs of durable tasks and prints what is wrong: `npm run task-programs -- COUNT [FIRST_SEED]`. */
import { runProgram } from './program.ts'

const [count = 500, first = 1] = process.argv.slice(2).map(Number)
let faults = 0
for (let seed = first; seed < first + count; seed++) {
  const fault = await runProgram(seed)
  if (fault === null) continue
  faults++
  console.log(fault)
}
console.log(`${count} programs from seed ${first}, in memory and on SQLite in turn: ${faults} with faults`)
process.exit(faults === 0 ? 0 : 1)
