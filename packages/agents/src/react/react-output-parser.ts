/**
 * @module
 * Reading what a ReAct model wrote: a tool call, or an answer.
 */
import { ReActParseError, readArguments } from '../read-arguments.ts'
import type { ActionReasoningStep, ResponseReasoningStep } from './reasoning-step.ts'

/** The thought of an answer that came without any marker. */
export const IMPLICIT_THOUGHT = 'The text has no markers, so it is the answer.'

interface Marker {
  name: string
  /** Where the blanks before the marker start. */
  start: number
  /** Behind the colon. */
  end: number
}

/**
 * Reads a tool call or an answer out of the text of a model.
 *
 * Markers count at the start of a line. The first one decides: an `Action:` directly followed by an `Action Input:` is
 * a tool call, and what the model invented after it is ignored; an `Answer:` or `Final Answer:` is an answer up to the
 * end of the text. Text without markers is an answer as a whole.
 * @example
 * new ReActOutputParser().parse('Thought: easy\nAction: add\nAction Input: {"a": 1}')
 * // => { kind: 'action', thought: 'easy', action: 'add', actionInput: { a: 1 } }
 */
export class ReActOutputParser {
  /**
   * @param options.isStreaming - goes into the record of an answer.
   * @throws {ReActParseError} when the text has markers but holds neither a readable tool call nor an answer.
   */
  parse(text: string, options?: { isStreaming?: boolean }): ActionReasoningStep | ResponseReasoningStep {
    const markers = markersOf(text)
    const action = markers.findIndex(({ name }, i) => name === 'Action' && markers[i + 1]?.name === 'Action Input')
    const answer = markers.findIndex(({ name }) => name === 'Answer' || name === 'Final Answer')
    if (action >= 0 && (answer < 0 || action < answer)) return readAction(text, markers, action)

    const isStreaming = options?.isStreaming ?? false
    if (answer >= 0) {
      const { start, end } = markers[answer]!
      return response(thoughtBefore(text, start), text.slice(end).trim(), isStreaming)
    }
    const thought = text.indexOf('Thought:')
    if (thought >= 0) {
      const inline = /(?:Final )?Answer:/g
      inline.lastIndex = thought
      const found = inline.exec(text)
      if (!found) throw unreadable('a thought without an action and its input, and without an answer', text)
      return response(
        text.slice(thought + 'Thought:'.length, found.index).trim(),
        text.slice(inline.lastIndex).trim(),
        isStreaming,
      )
    }
    if (markers.some(({ name }) => name === 'Action')) throw unreadable('an action without an action input', text)
    return { ...response(IMPLICIT_THOUGHT, text, isStreaming), implicit: true }
  }
}

/** The names by their first letter. */
const NAMES: Record<string, readonly string[]> = {
  T: ['Thought'],
  A: ['Action Input', 'Action', 'Answer'],
  F: ['Final Answer'],
  O: ['Observation'],
}
const OTHER_LINE_ENDS = /[\r\u2028\u2029]/
const LINE_START = /^/gm

/** The markers at the start of lines: `··Action Input: ...`, where `·` is a space or tab. */
function markersOf(text: string): Marker[] {
  const markers: Marker[] = []
  if (OTHER_LINE_ENDS.test(text)) {
    for (const { index } of text.matchAll(LINE_START)) addMarker(markers, text, index)
  } else {
    // Nearly always: lines end with line feeds, which are found without a pattern.
    for (let at = 0; at >= 0; ) {
      addMarker(markers, text, at)
      const end = text.indexOf('\n', at)
      at = end < 0 ? -1 : end + 1
    }
  }
  return markers
}

function addMarker(markers: Marker[], text: string, start: number): void {
  let at = start
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at++
  for (const name of NAMES[text[at] ?? ''] ?? []) {
    const end = at + name.length
    if (text[end] === ':' && text.startsWith(name, at)) {
      markers.push({ name, start, end: end + 1 })
      return
    }
  }
}

function response(thought: string, text: string, isStreaming: boolean): ResponseReasoningStep {
  return { kind: 'response', thought, response: text, isStreaming, implicit: false }
}

function readAction(text: string, markers: Marker[], at: number): ActionReasoningStep {
  const [action, input, next] = [markers[at]!, markers[at + 1]!, markers[at + 2]]
  const name = toolName(text.slice(action.end, input.start))
  if (name === '') throw unreadable('an action that names no tool', text)
  const brace = text.indexOf('{', input.end)
  if (brace < 0 || (next && brace >= next.start)) throw unreadable('an action input without a JSON object', text)
  return {
    kind: 'action',
    thought: thoughtBefore(text, action.start),
    action: name,
    actionInput: readArguments(text, brace).value,
  }
}

const PLAIN_NAME = /^[\w.-]+$/

/** `` `my-tool`(a=1) `` → `my-tool` */
function toolName(rest: string): string {
  const whole = rest.trim()
  if (PLAIN_NAME.test(whole)) return whole
  const line = rest.split(/[\r\n\u2028\u2029(]/, 1)[0]!.trim()
  return unquote(unquote(line).trim().split(/\s/, 1)[0]!)
}

function unquote(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && '"\'`'.includes(text[start]!)) start++
  while (end > start && '"\'`'.includes(text[end - 1]!)) end--
  return text.slice(start, end)
}

function thoughtBefore(text: string, end: number): string {
  const start = text.indexOf('Thought:')
  return start < 0 || start >= end ? '' : text.slice(start + 'Thought:'.length, end).trim()
}

function unreadable(what: string, text: string): ReActParseError {
  return new ReActParseError(`The model's text holds ${what}.`, text)
}
