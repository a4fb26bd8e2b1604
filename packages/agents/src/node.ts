/// <reference types="node" />
/**
 * @module
 * What needs Node: conversations in a terminal, and tasks kept in files.
 */
export { FileTaskStore } from './runner/file-task-store.ts'
export { terminal } from './runner/terminal.ts'
