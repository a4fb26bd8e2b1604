/// <reference types="node" />
/**
 * @module
 * Conversations in a terminal, for Node: entry `@x/agents/node`.
 */
export { terminal } from './runner/terminal.ts'
