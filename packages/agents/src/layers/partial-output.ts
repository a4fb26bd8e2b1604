/**
 * @module
 * Parts of a structured answer while the model writes it.
 */
import type { Layer } from '../loop/layer.ts'
import type { StepEvent } from '../task/agent-event.ts'

/**
 * Reports the structured answer so far while it streams, as the event `partial_output`, which pages receive as a chunk. The layers
 * `structured`, in any mode, and `streaming` are needed too. The value is not checked against the schema yet; strings and lists may be
 * incomplete, and numbers are reported when they end.
 * @param onPartial - also receives each value that differs from the last one.
 * @param toolName - the tool whose arguments are the answer.
 */
export function partialOutput(onPartial?: (output: unknown) => void, toolName = 'final_answer'): Layer {
  return {
    name: 'partialOutput',
    model: (next) => (request, scope) => {
      let text = ''
      let read = 0
      let last = ''
      const add = (delta: string) => {
        text += delta
        // A long answer is read at every 2 percent, so that the time stays linear.
        if (text.length - read < text.length / 50) return
        read = text.length
        const value = completed(text)
        if (value === undefined || value === last) return
        last = value
        const output: unknown = JSON.parse(value)
        scope.emit?.({ type: 'partial_output', output })
        if (!onPartial) return
        if (scope.hold) scope.hold(() => onPartial(output))
        else onPartial(output)
      }
      const emit = (event: StepEvent) => {
        if (event.type === 'turn_restarted') {
          text = last = ''
          read = 0
        } else if (event.type === 'tool_input_delta' && event.toolName === toolName) add(event.delta)
        return scope.emit?.(event)
      }
      // Without an answer tool, the reply is the answer.
      const onText = request.options.responseFormat?.type === 'json' ? add : undefined
      return next(request, { ...scope, emit, onText })
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
