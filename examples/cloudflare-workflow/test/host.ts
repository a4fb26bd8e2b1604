/**
 * Runs the worker in workerd: `node host.ts SCRIPT DIRECTORY BINDINGS`. Prints the address. The state of the workflows is in the directory.
 */
import { dirname } from 'node:path'
import { Miniflare } from 'miniflare'

const [scriptPath = '', workflowsPersist = '', bindings = '{}'] = process.argv.slice(2)
const host = new Miniflare({
  modules: true,
  modulesRoot: dirname(scriptPath),
  scriptPath,
  compatibilityDate: '2026-07-01',
  bindings: JSON.parse(bindings),
  workflows: { AGENT: { name: 'agent', className: 'AgentWorkflow' } },
  workflowsPersist,
})
console.log(String(await host.ready))
