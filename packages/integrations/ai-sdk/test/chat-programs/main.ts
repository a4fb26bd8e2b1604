/** Runs random programs of chats and prints what is wrong: `npm run chat-programs -- COUNT [FIRST_SEED]`. */
import { runProgram } from './program.ts'

const [count = 2500, first = 1] = process.argv.slice(2).map(Number)
let faults = 0
for (let seed = first; seed < first + count; seed++) {
  for (const isDurable of [false, true]) {
    const fault = await runProgram(seed, isDurable)
    if (fault === null) continue
    faults++
    console.log(fault)
  }
}
console.log(`${count} programs from seed ${first}, each with an agent and with durable tasks: ${faults} with faults`)
process.exit(faults === 0 ? 0 : 1)
