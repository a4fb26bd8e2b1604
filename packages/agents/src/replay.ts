/**
 * @module
 * Runs of agents that were recorded once, repeated without their model and tools: entry `@x/agents/replay`.
 */
export {
  RECORDING_VERSION,
  type RecordedError,
  type RecordedExchange,
  type RecordedRun,
  type RecordedTool,
  Recording,
} from './replay/recording.ts'
export { Replay } from './replay/replay.ts'
