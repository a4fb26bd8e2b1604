import type { State } from '../state.ts'
import type { Failure, Parsed } from '../work.ts'

/** An error for a person: what was expected, with its code. */
export function Problem({ failure }: { failure: Failure | null }) {
  if (!failure) return null
  return (
    <pre role="alert" class="problem">
      {failure.code === null ? '' : `${failure.code}: `}
      {failure.message}
    </pre>
  )
}

/** What each tab receives. */
export interface ViewProps {
  state: State
  update(part: Partial<State>): void
  /** The parts of the document; null until it was parsed for the first time. */
  parsed: Parsed | null
}
