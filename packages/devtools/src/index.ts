/**
 * @module
 * Shows the tasks of a store as a page. The command is `npx @x/devtools`.
 */
export { runDevtools } from './program.ts'
export { type ServedTasks, serveTasks } from './serve-tasks.ts'
export { type ShownTask, TaskViews } from './task-views.ts'
