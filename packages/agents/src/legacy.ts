/**
 * @module
 * Agents under their old names. Entry `@x/agents/legacy`.
 */
export {
  LegacyFunctionCallingAgent,
  LegacyReActAgent,
} from './legacy/legacy-agents.ts'
