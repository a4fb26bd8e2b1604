/**
 * @module
 * Agents under their old names. Entry `@x/agents/legacy`.
 */
// Makes the error codes known to `isToolkitError`: the declarations have no other way to them.
export type {} from './errors.ts'
export {
  LegacyFunctionCallingAgent,
  LegacyReActAgent,
} from './legacy/legacy-agents.ts'
