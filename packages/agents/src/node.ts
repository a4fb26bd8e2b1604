/// <reference types="node" />
/**
 * @module
 * Conversations in a terminal, for Node. Entry `@x/agents/node`.
 */

export type { ChatReplIo } from './runner/chat-repl.ts'
export { terminal } from './runner/terminal.ts'
