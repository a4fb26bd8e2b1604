/**
 * @module
 * Agents under their old names. Entry `@x/agents/legacy`.
 */
export {
  LegacyFunctionCallingAgent,
  type LegacyFunctionCallingAgentOptions,
  LegacyReActAgent,
} from './legacy/legacy-agents.ts'
