import type { DynamicToolUIPart } from 'ai'
import { useState } from 'react'
import { Button } from './button.tsx'
import { entries, inputOf, labelOf, type Schema, schemasOf, shown, values, words } from './values.ts'

/** `input`: the arguments that the person has changed. */
export type Decide = (
  part: DynamicToolUIPart,
  decision: { approved: boolean; reason?: string; input?: Record<string, unknown> },
) => void

export interface ToolProps {
  part: DynamicToolUIPart
  isLive: boolean
  /** Absent while another answer is written. */
  decide?: Decide | undefined
}

/** A call of a tool: a quiet row that opens, or a card while it waits for an approval. */
export function Tool({ part, isLive, decide }: ToolProps) {
  if (part.state === 'approval-requested') return <Approval part={part} decide={decide} />
  const { toolName, title = words(toolName), input, state } = part
  const label = labelOf(part, isLive)
  return (
    <details className={`tool ${label}`}>
      <summary>
        <span className="dot" aria-hidden="true" />
        <span>{title}</span>
        <span className="args">{values(input).join(', ')}</span>
        <span className="state">{label}</span>
      </summary>
      <dl>
        <Fields title="Asked" value={input} />
        {state === 'output-available' && <Fields title="Returned" value={part.output} />}
        {state === 'output-error' && <Fields title="Failed" value={part.errorText} />}
        {part.approval?.reason && <Fields title="Reason" value={part.approval.reason} />}
      </dl>
    </details>
  )
}

function Fields({ title, value }: { title: string; value: unknown }) {
  const rows = typeof value === 'object' ? entries(value) : [['', value] as const]
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {rows.map(([name, item]) => (
          <span key={name} className="field">
            {name && <i>{words(name)}</i>}
            {shown(item)}
          </span>
        ))}
      </dd>
    </>
  )
}

function Approval({ part, decide }: Omit<ToolProps, 'isLive'>) {
  const [mode, setMode] = useState<'ask' | 'edit' | 'reject'>('ask')
  const submit = (form: FormData) => {
    if (mode === 'reject') decide?.(part, { approved: false, reason: String(form.get('reason') ?? '') })
    else decide?.(part, { approved: true, ...(mode === 'edit' && { input: inputOf(part, form) }) })
  }
  const id = `approval-${part.toolCallId}`
  const input: Record<string, unknown> = Object(part.input)
  return (
    <form className="approval" aria-labelledby={id} action={submit}>
      <p className="waits">Needs your approval</p>
      <h2 id={id}>{part.title ?? words(part.toolName)}?</h2>
      <dl className="fields">
        {Object.entries(schemasOf(part)).map(([name, schema]) => (
          <div key={name}>
            <dt>{words(name)}</dt>
            <dd>{mode === 'edit' ? <Field name={name} value={input[name]} schema={schema} /> : shown(input[name])}</dd>
          </div>
        ))}
      </dl>
      {mode === 'reject' && (
        <label className="reason">
          <span>Reason, for the assistant (optional)</span>
          {/* biome-ignore lint/a11y/noAutofocus: it opens for writing */}
          <input name="reason" autoFocus />
        </label>
      )}
      <div className="buttons">
        <button type="submit" className={mode === 'reject' ? 'danger' : 'primary'} disabled={!decide}>
          {mode === 'reject' ? 'Reject' : mode === 'edit' ? 'Approve with changes' : 'Approve'}
        </button>
        {mode === 'ask' && <Button onClick={() => setMode('edit')}>Edit</Button>}
        {mode === 'ask' && <Button onClick={() => setMode('reject')}>Reject</Button>}
        {mode !== 'ask' && <Button onClick={() => setMode('ask')}>Back</Button>}
      </div>
    </form>
  )
}

function Field({ name, value, schema }: { name: string; value: unknown; schema: Schema }) {
  const { type, enum: choices } = schema
  const props = {
    name: `input ${name}`,
    'aria-label': words(name),
    defaultValue: String(value ?? ''),
    required: value !== undefined,
  }
  if (choices)
    return (
      <select {...props}>
        {[...new Set([props.defaultValue, ...choices])].map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  if (type === 'number' || type === 'integer') return <input type="number" step="any" {...props} />
  return type === 'string' ? <input {...props} /> : shown(value)
}
