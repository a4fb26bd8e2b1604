import { type PythonObject, readPython } from '../python.ts'
import { type Failure, failureOf } from '../work.ts'
import type { ViewProps } from './common.tsx'
import { Problem } from './common.tsx'

/** JSON of LlamaIndex for Python as an object, what differs when it is written back, and the JSON that is written. */
export function PythonView({ state: { python }, update }: ViewProps) {
  const { read, failure } = reading(python)
  return (
    <>
      <section aria-label="JSON of Python">
        <h2>JSON of LlamaIndex for Python</h2>
        <p class="hint">The result of to_dict() or to_json(): nodes, documents, messages, prompts, postprocessors.</p>
        <textarea
          aria-label="JSON of Python"
          rows={22}
          value={python}
          onInput={({ currentTarget }) => update({ python: currentTarget.value })}
        />
      </section>
      <section aria-label="Object">
        <h2>Object</h2>
        <Problem failure={failure} />
        {read && <Read read={read} />}
      </section>
    </>
  )
}

function Read({ read: { className, fields, differences, back } }: { read: PythonObject }) {
  return (
    <>
      <p role="status" id="differences">
        <strong>{className}</strong>:{' '}
        {differences.length === 0 ? 'written back, it is the same' : `${differences.length} differences`}
      </p>
      <ul>
        {differences.map((difference) => (
          <li key={difference}>{difference}</li>
        ))}
      </ul>
      <div class="scrolls">
        <table>
          <tbody>
            {fields.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <code>{value}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Written back</h2>
      <pre>{back}</pre>
    </>
  )
}

function reading(text: string): { read: PythonObject | null; failure: Failure | null } {
  try {
    return { read: readPython(text), failure: null }
  } catch (error) {
    return { read: null, failure: failureOf(error) }
  }
}
