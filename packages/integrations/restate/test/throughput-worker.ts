/**
 * `throughput-worker.ts PORT MODE`: serves an agent whose model and tool take no time, or a workflow of the SDK without an agent; prints
 * its port.
 */
import * as restate from '@restatedev/restate-sdk'
import { FunctionCallingAgent } from '@x/agents'
import { answer, results, sixTurns } from '../../../durable/test/six-turns.ts'
import { type AgentRun, agentSteps, agentWorkflow } from '../src/index.ts'

const agent = ({ durable, newId, now }: AgentRun) =>
  FunctionCallingAgent.fromTools({ ...sixTurns, durable, newId, now })

const plain = restate.workflow({
  name: 'plain',
  handlers: {
    run: async (ctx: restate.WorkflowContext) => {
      for (const [i, result] of results.entries()) await ctx.run(`step-${i}`, async () => result)
      return answer
    },
  },
})
/** The same calls with results and an answer of one character: what their bytes cost. */
const tiny = restate.workflow({
  name: 'tiny',
  handlers: {
    run: async (ctx: restate.WorkflowContext) => {
      for (const i of results.keys()) await ctx.run(`step-${i}`, async () => 'x')
      return 'x'
    },
  },
})
/** The same with the other entries of the workflow of an agent: what `status`, `decide` and `cancel` need. */
const sameEntries = restate.workflow({
  name: 'same-entries',
  handlers: {
    run: async (ctx: restate.WorkflowContext) => {
      ctx.set('invocation', ctx.request().id)
      for (const [i, result] of results.entries()) {
        await ctx.run(`step-${i}`, async () => result)
        if (i === 0) ctx.set('begin', 'x'.repeat(50))
      }
      ctx.set('status', { state: 'finished', step: 6, calls: [] })
      return answer
    },
  },
})

const [, , port, mode] = process.argv
const services = [
  plain,
  tiny,
  sameEntries,
  agentWorkflow({ restate, name: 'workflow', agent }),
  agentSteps({ restate, name: 'steps', agent }),
  agentSteps({ restate, name: 'steps-1', agent, stepsPerInvocation: 1 }),
]
console.log(await restate.serve({ services: services.filter(({ name }) => name === mode), port: Number(port) }))
process.stdin.on('close', () => process.exit()).resume()
