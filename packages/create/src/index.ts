/**
 * @module
 * Makes projects that run, for your own programs. The command is `npm create @x`.
 */
export { createProject } from './program.ts'
