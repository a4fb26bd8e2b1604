/**
 * @module
 * For tests of agents: runs that were recorded once and are repeated without their model and tools.
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
