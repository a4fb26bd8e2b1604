/**
 * @module
 * Layers for agents that work long: each is one value for the option `layers` of an agent or a loop.
 */

export { type BackgroundOptions, background } from './background.ts'
export { type ClearResultsOptions, clearResults } from './clear-results.ts'
export { type CostOptions, cost, costOf, type ModelPrice, type Prices, type TaskCost } from './cost.ts'
// The errors by their codes, for `isToolkitError`.
export type {} from './errors.ts'
export { type FilesOptions, files } from './files.ts'
export { type LongTermMemoryOptions, longTermMemory } from './long-term-memory.ts'
export { type OffloadOptions, offload } from './offload.ts'
export { type SandboxLimits, type SandboxOptions, type SandboxRequest, type SandboxResult, sandbox } from './sandbox.ts'
export { type Skill, type SkillSource, type SkillsOptions, skills } from './skills.ts'
export { type Steering, steer } from './steer.ts'
export { type FileEntry, StoredFiles } from './stored-files.ts'
export { type Helper, type SubagentsOptions, subagents } from './subagents.ts'
export { type Todo, todo, todosOf } from './todo.ts'
export { type MemoryEntry, UserMemory, type UserMemoryOptions } from './user-memory.ts'
