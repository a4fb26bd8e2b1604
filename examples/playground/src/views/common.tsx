import type { Failure } from '../work.ts'

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
