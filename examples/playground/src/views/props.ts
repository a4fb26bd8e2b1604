import type { State } from '../state.ts'
import type { Parsed } from '../work.ts'

/** What each tab receives. */
export interface ViewProps {
  state: State
  update(part: Partial<State>): void
  /** The parts of the document; null until it was parsed for the first time. */
  parsed: Parsed | null
}
