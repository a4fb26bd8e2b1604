import { useCalled } from '../calls.ts'
import type { Searched } from '../work.ts'
import { ChainForm } from './chain-form.tsx'
import type { ViewProps } from './common.tsx'
import { PassagesForm, Problem } from './common.tsx'
import { LedgerPicture } from './ledger-picture.tsx'

/** A search in the document or in passages by its words, and what each postprocessor did with the results. */
export function SearchView({ state, update, parsed }: ViewProps) {
  const { query, chain, passages } = state
  const { result: searched, failure } = useCalled('search', [query, chain, passages], [parsed, query, chain, passages])
  return (
    <>
      <section aria-label="Search and chain">
        <h2>Search</h2>
        <label class="field">
          <span>Query</span>{' '}
          <input value={query} onInput={({ currentTarget }) => update({ query: currentTarget.value })} />
        </label>
        <h2>Postprocessors</h2>
        <ChainForm chain={chain} change={(next) => update({ chain: next })} />
        <PassagesForm passages={passages} update={update} />
      </section>
      <section aria-label="Results">
        <h2>What each step did</h2>
        <Problem failure={failure} />
        {searched && !failure && <Results searched={searched} />}
      </section>
    </>
  )
}

function Results({ searched: { found, results, ledger } }: { searched: Searched }) {
  return (
    <>
      <p class="hint" role="status" id="found">
        {found} nodes found, {results.length} left
      </p>
      <LedgerPicture entries={ledger} />
      <div class="scrolls">
        <table>
          <thead>
            <tr>
              <th>Step</th>
              <th>Node</th>
              <th>Change</th>
              <th>Rank</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {ledger.map(({ step, nodeId, change, rankBefore, rankAfter, reason }) => (
              <tr key={`${step} ${nodeId}`} class={change}>
                <td>{step}</td>
                <td>{nodeId.slice(0, 8)}</td>
                <td>{change}</td>
                <td>
                  {rankBefore ?? '–'} → {rankAfter ?? '–'}
                </td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Results</h2>
      <ol>
        {results.map(({ id, text, score }) => (
          <li key={id}>
            <span class="hint">{score?.toFixed(2)}</span>
            <pre>{text}</pre>
          </li>
        ))}
      </ol>
    </>
  )
}
