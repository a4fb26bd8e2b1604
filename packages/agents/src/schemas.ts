/**
 * @module
 * The TypeBox schemas of the models of this package.
 */

export { CustomSimpleAgentWorker, QueryPipelineAgentWorker } from './loop/custom-simple-agent-worker.schema.ts'
export { ReActChatFormatter } from './loop/react/react-chat-formatter.schema.ts'
export { Task } from './task/task.schema.ts'
