/**
 * @module
 * Records agent runs and repeats them without model and tools. Entry `@x/testing/replay`.
 */
export {
  RECORDING_VERSION,
  type RecordedError,
  type RecordedRun,
  Recording,
  ReplayMismatchError,
} from './replay/recording.ts'
export { Replay } from './replay/replay.ts'
