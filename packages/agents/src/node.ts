/// <reference types="node" />
/**
 * @module
 * Conversations in a terminal, for Node. Entry `@x/agents/node`.
 */
export { terminal } from './runner/terminal.ts'
