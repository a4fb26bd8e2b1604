import { formatWithSources, PromptTemplate, type SourcedText } from '@x/prompts'
import { type Failure, failureOf } from '../work.ts'
import type { ViewProps } from './common.tsx'
import { Problem } from './common.tsx'

/** A template, its variables, and the text with the source of each part. */
export function PromptView({ state: { template, variables }, update }: ViewProps) {
  const { names, sourced, failure } = filled(template, variables)
  return (
    <>
      <section aria-label="Template">
        <h2>Template</h2>
        <textarea
          aria-label="Template"
          rows={8}
          value={template}
          onInput={({ currentTarget }) => update({ template: currentTarget.value })}
        />
        {names.map((name) => (
          <label key={name} class="field">
            <span>{name}</span>{' '}
            <input
              value={variables[name] ?? ''}
              onInput={({ currentTarget }) => update({ variables: { ...variables, [name]: currentTarget.value } })}
            />
          </label>
        ))}
      </section>
      <section aria-label="Text">
        <h2>Text with its sources</h2>
        <Problem failure={failure} />
        {sourced && (
          <pre id="filled">
            {sourced.sources.map(({ start, end, source, variable }) => (
              <span
                key={start}
                class={`source-${source}`}
                title={variable === undefined ? source : `${source} ${variable}`}
              >
                {sourced.text.slice(start, end)}
              </span>
            ))}
          </pre>
        )}
        <p class="hint">Marked: from a variable. Point at a part to see which.</p>
      </section>
    </>
  )
}

interface Filled {
  names: string[]
  sourced: SourcedText | null
  failure: Failure | null
}

function filled(template: string, variables: Record<string, string>): Filled {
  let names = Object.keys(variables)
  try {
    const prompt = new PromptTemplate({ template })
    names = [...prompt.templateVars]
    const values = Object.fromEntries(names.map((name) => [name, variables[name] ?? '']))
    return { names, sourced: formatWithSources(prompt, values), failure: null }
  } catch (error) {
    return { names, sourced: null, failure: failureOf(error) }
  }
}
