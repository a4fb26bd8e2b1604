/**
 * @module
 * A worker process: `worker.ts PORT DATABASE SLOW_MS`. Serves the agent of orders to Restate, and prints its port.
 */
import * as restate from '@restatedev/restate-sdk'
import { agentWorkflow } from '@x/restate'
import { orderAgent } from './order-agent.ts'
import { Shop } from './shop.ts'

const [port, path = '', slowMs] = process.argv.slice(2)
const shop = new Shop(path)
const order = agentWorkflow({
  restate,
  name: 'order',
  agent: (run) => orderAgent(run, shop, Number(slowMs)),
  onEvent: (event, mark) => shop.report(event, mark),
})
console.log(await restate.serve({ services: [order], port: Number(port) }))
process.stdin.on('close', () => process.exit()).resume()
