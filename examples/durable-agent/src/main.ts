/**
 * @module
 * Runs the example in a terminal: `npm run durable-agent -- [--orders N] [--workers N] [--kills N] [--patience SECONDS] [--port N]`.
 */
import { parseArgs } from 'node:util'
import { run } from './run.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '8' },
    workers: { type: 'string', default: '3' },
    kills: { type: 'string', default: '6' },
    patience: { type: 'string', default: '10' },
    slow: { type: 'string', default: '600' },
    port: { type: 'string', default: '0' },
  },
})
/** Reads an option. */
const integer = (name: keyof typeof values, least: number): number => {
  const number = Number(values[name] || Number.NaN)
  if (Number.isInteger(number) && number >= least) return number
  throw new Error(`--${name}: expected an integer of at least ${least}, received ${values[name]}.`)
}
try {
  await run({
    orders: integer('orders', 1),
    workers: integer('workers', 1),
    kills: integer('kills', 0),
    patience: integer('patience', 0),
    slowMs: integer('slow', 1),
    port: integer('port', 0),
    print: (line) => console.log(line),
  })
} catch (error) {
  console.error(`durable-agent: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
