/**
 * @module
 * Layers for agents that work long: each is one value for the option `layers` of an agent or a loop.
 */

export { background } from './background.ts'
export { clearResults } from './clear-results.ts'
export { cost, costOf, type ModelPrice, type Prices, type TaskCost } from './cost.ts'
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export { files } from './files.ts'
export { longTermMemory } from './long-term-memory.ts'
export { offload } from './offload.ts'
export { type SandboxResult, sandbox } from './sandbox.ts'
export { type Skill, type SkillSource, skills } from './skills.ts'
export { type Steering, steer } from './steer.ts'
export { type FileEntry, StoredFiles } from './stored-files.ts'
export { subagents } from './subagents.ts'
export { type Todo, todo, todosOf } from './todo.ts'
export { toolSearch } from './tool-search.ts'
export { type MemoryEntry, UserMemory } from './user-memory.ts'
