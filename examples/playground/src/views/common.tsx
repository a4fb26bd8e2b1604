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

/** What is searched: the document, or passages of one's own. */
export function PassagesForm({ passages, update }: Pick<State, 'passages'> & Pick<ViewProps, 'update'>) {
  return (
    <>
      <h2>Passages</h2>
      <p class="hint" id="about-passages">
        Empty: the document of the tab Markdown is searched. Otherwise these are, one JSON object per line with id and
        text; with a score they count as found.
      </p>
      <textarea
        aria-label="Passages"
        aria-describedby="about-passages"
        rows={4}
        value={passages}
        placeholder={'{"id": "a", "text": "Pears are green.", "score": 0.9}'}
        onInput={({ currentTarget }) => update({ passages: currentTarget.value })}
      />
    </>
  )
}
