import { useId } from 'preact/hooks'
import { descriptionOf, type FormField, formClasses, formOf } from '../chain.ts'
import type { ChainStep } from '../state.ts'

/** The steps of a chain, each with a form from the JSON Schema of its class. */
export function ChainForm({ chain, change }: { chain: ChainStep[]; change(chain: ChainStep[]): void }) {
  const replace = (index: number, step: ChainStep) => change(chain.map((old, i) => (i === index ? step : old)))
  const swap = (index: number) =>
    change(chain.map((old, i) => (i === index - 1 ? chain[index]! : i === index ? chain[index - 1]! : old)))
  return (
    <>
      <ol class="steps">
        {chain.map((step, index) => (
          <li key={index} class="card">
            <div class="row">
              <select
                aria-label={`Step ${index + 1}`}
                value={step.name}
                onChange={({ currentTarget }) => replace(index, { name: currentTarget.value, fields: {} })}
              >
                {Object.keys(formClasses).map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
              <button
                type="button"
                disabled={index === 0}
                aria-label={`Move step ${index + 1} up`}
                onClick={() => swap(index)}
              >
                ↑
              </button>
              <button
                type="button"
                aria-label={`Remove step ${index + 1}`}
                onClick={() => change(chain.filter((_, i) => i !== index))}
              >
                ×
              </button>
            </div>
            <p class="hint">{descriptionOf(step.name)}</p>
            {formOf(step.name).map((field) => (
              <Field
                key={field.name}
                field={field}
                value={step.fields[field.name] ?? field.byDefault}
                change={(value) => replace(index, { ...step, fields: { ...step.fields, [field.name]: value } })}
              />
            ))}
          </li>
        ))}
      </ol>
      <button
        type="button"
        onClick={() => change([...chain, { name: 'SimilarityPostprocessor', fields: { similarityCutoff: 0.5 } }])}
      >
        Add a step
      </button>
    </>
  )
}

interface FieldProps {
  field: FormField
  value: unknown
  change(value: unknown): void
}

function Field({ field, value, change }: FieldProps) {
  const id = useId()
  return (
    <div class="field" title={field.description}>
      <label for={id}>{field.name}</label> <Input id={id} field={field} value={value} change={change} />
    </div>
  )
}

function Input({ id, field: { kind, choices = [], isWhole, min, max }, value, change }: FieldProps & { id: string }) {
  if (kind === 'flag')
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
    )
  if (kind === 'choice')
    return (
      <select id={id} value={String(value)} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  // A link may bring a text, whose error the page shows.
  if (kind === 'number' && typeof value !== 'string')
    return (
      <input
        id={id}
        type="number"
        step={isWhole ? 1 : 'any'}
        min={min}
        max={max}
        value={value === null ? '' : String(value)}
        onInput={({ currentTarget }) => change(currentTarget.value === '' ? null : Number(currentTarget.value))}
      />
    )
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  const read = (given: string) => {
    if (kind === 'number') return Number.isFinite(Number(given)) ? Number(given) : given
    if (kind !== 'list') return given
    const items = given.split(',').map((item) => item.trim())
    return items.filter((item) => item !== '')
  }
  return <input id={id} value={text} onChange={({ currentTarget }) => change(read(currentTarget.value))} />
}
