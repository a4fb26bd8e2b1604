import { useEffect, useRef, useState } from 'preact/hooks'
import type { Editor } from '../editor.ts'
import { type Card, MOST_CARDS } from '../work.ts'
import type { ViewProps } from './common.tsx'

/** The document, and its elements or nodes, with places both ways. */
export function MarkdownView({ state, update, parsed }: ViewProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | null>(null)
  const [what, setWhat] = useState<'elements' | 'nodes'>('elements')
  const [cursor, setCursor] = useState(-1)
  useEffect(() => {
    let isGone = false
    void import('../editor.ts').then(({ createEditor }) => {
      if (isGone || !host.current) return
      host.current.replaceChildren()
      const onChange = (markdown: string) => update({ markdown })
      editor.current = createEditor(host.current, state.markdown, { onChange, onCursor: setCursor })
    })
    return () => {
      isGone = true
      editor.current?.destroy()
    }
  }, [])
  const cards = parsed?.[what] ?? []
  const count = parsed?.counts[what] ?? 0
  return (
    <>
      <section aria-label="Document">
        <h2>Markdown</h2>
        <div ref={host} class="editor">
          <p class="hint">The editor is loading …</p>
        </div>
      </section>
      <section aria-label="Parts">
        <div class="row">
          <fieldset class="row">
            <legend>Show</legend>
            {(['elements', 'nodes'] as const).map((name) => (
              <label key={name}>
                <input type="radio" name="what" checked={what === name} onChange={() => setWhat(name)} /> {name}
              </label>
            ))}
          </fieldset>
          <span class="hint" role="status" id="counts">
            {parsed &&
              `elements: ${parsed.counts.elements}, tables: ${parsed.counts.tables}, nodes: ${parsed.counts.nodes}, in ${parsed.milliseconds.toFixed(0)} ms`}
          </span>
        </div>
        <p class="hint">Choose a part to see its place, or put the cursor into the text.</p>
        {cards.map((card, index) => (
          <PartCard key={index} card={card} cursor={cursor} show={(start, end) => editor.current?.show(start, end)} />
        ))}
        {count > cards.length && (
          <p class="hint">
            The first {MOST_CARDS} of {count}.
          </p>
        )}
      </section>
    </>
  )
}

interface PartCardProps {
  card: Card
  cursor: number
  show(start: number, end: number): void
}

function PartCard({ card: { kind, text, start, end, table }, cursor, show }: PartCardProps) {
  const isHere = start !== null && end !== null && start <= cursor && cursor < end
  return (
    <button
      type="button"
      class={isHere ? 'card here' : 'card'}
      onClick={() => start !== null && end !== null && show(start, end)}
    >
      <strong>{kind}</strong> <span class="hint">{start === null ? 'no place' : `${start} to ${end}`}</span>
      {table ? <Grid columns={table.columns} rows={table.rows} /> : <pre>{text}</pre>}
    </button>
  )
}

function Grid({ columns, rows }: { columns: string[]; rows: string[][] }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
