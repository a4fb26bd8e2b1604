/**
 * @module
 * The TypeBox schemas of the models of this package.
 */
export { ReActChatFormatter } from './react/react-chat-formatter.schema.ts'
export { Task } from './task.schema.ts'
export { CustomSimpleAgentWorker, QueryPipelineAgentWorker } from './worker/custom-simple-agent-worker.schema.ts'
