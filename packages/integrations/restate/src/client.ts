/**
 * Submits and follows tasks of agents on Restate by plain HTTP, from a web server, a terminal or an edge function.
 * @module
 */

export type { OnRunEvent } from './agent-run.ts'
export { RestateTasks, reportTo } from './restate-tasks.ts'
export type { AgentAnswer, AgentRequest, AgentStatus } from './run-protocol.ts'
