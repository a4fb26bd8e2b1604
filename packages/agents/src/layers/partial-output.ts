/**
 * @module
 * Parts of a structured answer while the model writes it.
 */
import type { Layer } from '../loop/layer.ts'

/**
 * Passes the structured answer so far to a function while it streams: the layers `structured`, in its mode `tool`, and `streaming` are
 * needed too. The value is not checked against the schema yet; strings and lists may be incomplete, and numbers are passed when they end.
 * @param onPartial - receives each value that differs from the last one.
 */
export function partialOutput(onPartial: (value: unknown) => void, toolName = 'final_answer'): Layer {
  return {
    name: 'partialOutput',
    model: (next) => (request, scope) => {
      let text = ''
      let read = 0
      let last = ''
      const emit = (event: Parameters<NonNullable<typeof scope.emit>>[0]) => {
        if (event.type === 'turn_restarted') {
          text = last = ''
          read = 0
        } else if (event.type === 'tool_input_delta' && event.toolName === toolName) {
          text += event.delta
          // A long answer is read at every 2 percent, so that the time stays linear.
          if (text.length - read >= text.length / 50) {
            read = text.length
            const value = completed(text)
            if (value !== undefined && value !== last) {
              last = value
              onPartial(JSON.parse(value))
            }
          }
        }
        return scope.emit?.(event)
      }
      return next(request, { ...scope, emit })
    },
  }
}

/**
 * Completes the beginning of a JSON text: ends an open string, drops what cannot be completed, and closes open objects and lists. Returns
 * undefined before the first object or list.
 */
function completed(text: string): string | undefined {
  const closers: string[] = []
  /** The longest beginning that can be closed, and its open parts. */
  let end = 0
  let open: string[] = []
  let inString = false
  let isKey = false
  /** Whether the next string is a key. */
  let expectsKey = false
  const keep = (to: number) => {
    end = to
    open = [...closers]
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (inString) {
      if (character === '\\') i++
      else if (character === '"') {
        inString = false
        if (!isKey) keep(i + 1)
      }
    } else if (character === '"') {
      inString = true
      isKey = expectsKey
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']')
      expectsKey = character === '{'
      keep(i + 1)
    } else if (character === '}' || character === ']') {
      closers.pop()
      keep(i + 1)
    } else if (character === ',') {
      expectsKey = closers.at(-1) === '}'
      keep(i)
    } else if (character === ':') expectsKey = false
  }
  if (end === 0) return undefined
  // The text of an open string, without half an escape.
  const tail = inString && !isKey ? openString(text, end) : undefined
  const candidates = [
    ...(tail === undefined ? [] : [tail + [...closers].reverse().join('')]),
    text.slice(0, end) + [...open].reverse().join(''),
  ]
  for (const candidate of candidates) {
    try {
      return JSON.stringify(JSON.parse(candidate))
    } catch {}
  }
  return undefined
}

function openString(text: string, from: number): string {
  const whole = text.slice(from).replace(/\\(?:u[\da-fA-F]{0,3})?$/, '')
  return `${text.slice(0, from)}${whole}"`
}
