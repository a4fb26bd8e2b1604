/** Arguments and results of calls, as people read and write them. */
import type { DynamicToolUIPart } from 'ai'

/** A name such as `look_up_price` as words. */
export const words = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')
export const shown = (value: unknown) =>
  value === undefined || value === '' ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)
export const entries = (value: unknown) => Object.entries(Object(value)).filter(([, item]) => item !== '')
export const values = (value: unknown) => entries(value).map(([, item]) => shown(item))

export interface Schema {
  type?: string
  enum?: (string | number)[]
}

/** The JSON Schemas of the arguments that a call has or may have: those of the tool, or what their values show. */
export function schemasOf({ input, approval }: DynamicToolUIPart): Record<string, Schema> {
  const shown = Object.entries(Object(input)).map(([name, value]) => [name, { type: typeof value }])
  const descriptor = approval?.descriptor as { schema?: { properties?: Record<string, Schema> } } | undefined
  return { ...Object.fromEntries(shown), ...descriptor?.schema?.properties }
}

/** The arguments with the values that the form has changed: strings and numbers. */
export function inputOf(part: DynamicToolUIPart, form: FormData): Record<string, unknown> {
  const changed = Object.entries(schemasOf(part)).flatMap(([name, { type }]) => {
    const given = form.get(`input ${name}`)
    if (given === null || (given === '' && !(name in Object(part.input)))) return []
    return [[name, type === 'string' ? given : Number(given)]]
  })
  return { ...Object(part.input), ...Object.fromEntries(changed) }
}

const states: Partial<Record<DynamicToolUIPart['state'], string>> = {
  'output-available': 'done',
  'output-error': 'failed',
  'output-denied': 'rejected',
  'approval-responded': 'approved',
}

/** What has become of a call, in a word. */
export const labelOf = ({ state, approval }: DynamicToolUIPart, isLive: boolean) =>
  approval?.approved === false ? 'rejected' : (states[state] ?? (isLive ? 'running' : 'stopped'))
