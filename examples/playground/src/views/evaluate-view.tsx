import type { EvaluationRun, MeasureName } from '@x/evaluate'
import { useCalled } from '../calls.ts'
import type { ViewProps } from './common.tsx'
import { PassagesForm, Problem } from './common.tsx'

/** The search and the chain of the other tab, measured by questions with the passages that answer them. */
export function EvaluateView({ state: { testSet, chain, passages }, update, parsed }: ViewProps) {
  const { result: run, failure } = useCalled('evaluate', [testSet, chain, passages], [parsed, testSet, chain, passages])
  return (
    <>
      <section aria-label="Test set">
        <h2>Test set</h2>
        <p class="hint">One question per line, with a quote of each passage that answers it.</p>
        <textarea
          aria-label="Test set"
          rows={14}
          value={testSet}
          onInput={({ currentTarget }) => update({ testSet: currentTarget.value })}
        />
        <PassagesForm passages={passages} update={update} />
      </section>
      <section aria-label="Measures">
        <h2>Measures</h2>
        <Problem failure={failure} />
        {run && !failure && <Report run={run} />}
      </section>
    </>
  )
}

function Report({ run: { measures, questions, unanswerable } }: { run: EvaluationRun }) {
  return (
    <>
      <table id="measures">
        <tbody>
          {Object.entries(measures).map(([name, { mean, low, high }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{mean.toFixed(2)}</td>
              <td>
                <meter min={0} max={1} value={mean} aria-label={name} />
              </td>
              <td class="hint">
                {low.toFixed(2)} to {high.toFixed(2)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">Not counted, because the document has no answer: {unanswerable}.</p>
      <ol>
        {questions.map(({ id, question, measures: own, misses }) => (
          <li key={id}>
            {question} <span class="hint">nDCG {own['ndcg' satisfies MeasureName].toFixed(2)}</span>
            {misses.map(({ place, reason }) => (
              <p key={place} class="problem">
                {place}: {reason}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}
