/**
 * Submits and follows tasks of agents on Restate by plain HTTP, from a web server, a terminal or an edge function.
 * @module
 */

export type { OnRunEvent } from './agent-run.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { RestateTasks, reportTo } from './restate-tasks.ts'
export type { AgentAnswer, AgentRequest, AgentStatus } from './run-protocol.ts'
