/// <reference types="node" />
/**
 * @module
 * Conversations in a terminal, for Node. Entry `@x/agents/node`.
 */

// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export type { ChatReplIo } from './runner/chat-repl.ts'
export { terminal } from './runner/terminal.ts'
