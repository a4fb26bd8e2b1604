/**
 * @module
 * Runs the example in a terminal:
 * `npm run durable-agent -- [--engine NAME] [--orders N] [--workers N] [--kills N] [--patience SECONDS] [--port N]`.
 */
import { parseArgs } from 'node:util'
import { ENGINES, type EngineName } from './engines.ts'
import { run } from './run.ts'

/** Reads the options. @throws {Error} when one is unknown or wrong. */
function readOptions() {
  const type = 'string' as const
  const { values } = parseArgs({
    options: {
      engine: { type, default: 'restate' },
      orders: { type, default: '8' },
      workers: { type, default: '3' },
      kills: { type, default: '6' },
      patience: { type, default: '10' },
      slow: { type, default: '600' },
      port: { type, default: '0' },
    },
  })
  const integer = (name: keyof typeof values, least: number, most: number): number => {
    const number = Number(values[name] || Number.NaN)
    if (Number.isInteger(number) && number >= least && number <= most) return number
    throw new Error(`--${name}: expected an integer from ${least} to ${most}, received ${values[name]}.`)
  }
  const engine = values.engine as EngineName
  if (!ENGINES.includes(engine))
    throw new Error(`--engine: expected one of ${ENGINES.join(', ')}, received ${values.engine}.`)
  return {
    engine,
    // All on one machine, and each order is shown on the page.
    orders: integer('orders', 1, 1000),
    workers: integer('workers', 1, 50),
    kills: integer('kills', 0, 1000),
    patience: integer('patience', 0, 86_400),
    slowMs: integer('slow', 1, 60_000),
    port: integer('port', 0, 65535),
  }
}

// Everything that was started ends with this process.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
try {
  await run({ ...readOptions(), print: (line) => console.log(line) })
} catch (error) {
  console.error(`durable-agent: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
