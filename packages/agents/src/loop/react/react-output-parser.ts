/**
 * @module
 * Parses the text of a ReAct model to a tool call or an answer.
 */
import { strip, withoutThinking } from '@x/core-model/text'
import { readArguments } from '../../tool/read-arguments.ts'
import { ReActParseError, ToolArgumentsError } from '../../tool/tool-errors.ts'
import type { ActionReasoningStep, ResponseReasoningStep } from './reasoning-step.ts'

/** The thought of an answer without markers. */
const IMPLICIT_THOUGHT = 'The text has no markers, so it is the answer.'

type MarkerName = 'Thought' | 'Action' | 'Action Input' | 'Answer' | 'Final Answer' | 'Observation'

interface Marker {
  name: MarkerName
  /** The offset of the blanks before the marker. */
  start: number
  /** The offset after the colon. */
  end: number
}

/**
 * Parses the text of a model to a tool call or an answer.
 *
 * Markers are recognized at the start of a line. The first marker determines the result: an `Action:` directly followed by an
 * `Action Input:` is a tool call, and text that the model invented after it is ignored. An `Answer:` or `Final Answer:` is an answer up
 * to the end of the text. Text without markers is an answer. Thinking blocks (`<think>…</think>`) are dropped first.
 * @example
 * new ReActOutputParser().parse('Thought: easy\nAction: add\nAction Input: {"a": 1}')
 * // => { kind: 'action', thought: 'easy', action: 'add', actionInput: { a: 1 } }
 */
export class ReActOutputParser {
  /**
   * @param options.isStreaming - stored in the record of an answer.
   * @throws {ReActParseError} if the text contains markers but neither a valid tool call nor an answer.
   */
  parse(output: string, options?: { isStreaming?: boolean }): ActionReasoningStep | ResponseReasoningStep {
    const text = withoutThinking(output)
    const isStreaming = options?.isStreaming ?? false
    let hasAction = false
    let before: Marker | undefined
    const hasOtherEnds = text.includes('\r') || text.includes('\u2028') || text.includes('\u2029')
    // All white space before the text is ignored, as in a streaming answer.
    for (let at = text.length - text.trimStart().length; at < text.length; at = nextLine(text, at, hasOtherEnds)) {
      const marker = markerAt(text, at)
      if (!marker) continue
      const { name, start, end } = marker
      if (name === 'Answer' || name === 'Final Answer') {
        return response(thoughtBefore(text, start), strip(text.slice(end)), isStreaming)
      }
      if (name === 'Action Input' && before?.name === 'Action') return readAction(text, before, marker, hasOtherEnds)
      hasAction ||= name === 'Action'
      before = marker
    }

    const thought = text.indexOf('Thought:')
    if (thought >= 0) {
      const inline = /(?:Final )?Answer:/g
      inline.lastIndex = thought
      const found = inline.exec(text)
      if (!found) throw unreadable('a thought without an action and its input, and without an answer', text)
      return response(
        strip(text.slice(thought + 'Thought:'.length, found.index)),
        strip(text.slice(inline.lastIndex)),
        isStreaming,
      )
    }
    if (hasAction) throw unreadable('an action without an action input', text)
    return { ...response(IMPLICIT_THOUGHT, text, isStreaming), implicit: true }
  }
}

const LINE_END = /[\n\r\u2028\u2029]/g

/** Returns the offset of the next line, or that of the end. */
function nextLine(text: string, at: number, hasOtherEnds: boolean): number {
  // Lines usually end with line feeds, which indexOf finds faster.
  if (!hasOtherEnds) return text.indexOf('\n', at) + 1 || text.length
  LINE_END.lastIndex = at
  return LINE_END.test(text) ? LINE_END.lastIndex : text.length
}

/** Returns the marker of a line: `··Action Input: ...`, where `·` is a space or tab. */
function markerAt(text: string, start: number): Marker | undefined {
  let at = start
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at++
  const name = nameAt(text, at)
  return name && { name, start, end: at + name.length + 1 }
}

/** Markers by first letter, because most lines start with none of these letters. */
function nameAt(text: string, at: number): MarkerName | undefined {
  switch (text.charCodeAt(at)) {
    case 0x54:
      return text.startsWith('Thought:', at) ? 'Thought' : undefined
    case 0x41:
      if (text.startsWith('Action:', at)) return 'Action'
      if (text.startsWith('Action Input:', at)) return 'Action Input'
      return text.startsWith('Answer:', at) ? 'Answer' : undefined
    case 0x46:
      return text.startsWith('Final Answer:', at) ? 'Final Answer' : undefined
    case 0x4f:
      return text.startsWith('Observation:', at) ? 'Observation' : undefined
    default:
      return undefined
  }
}

function response(thought: string, text: string, isStreaming: boolean): ResponseReasoningStep {
  return { kind: 'response', thought, response: text, isStreaming, implicit: false }
}

function readAction(text: string, action: Marker, input: Marker, hasOtherEnds: boolean): ActionReasoningStep {
  const named = text.slice(action.end, input.start)
  const name = PLAIN_NAME.exec(named)?.[1] ?? toolName(named)
  if (name === '') throw unreadable('an action that names no tool', text)
  const brace = text.indexOf('{', input.end)
  let line = nextLine(text, input.end, hasOtherEnds)
  while (line < brace && !markerAt(text, line)) line = nextLine(text, line, hasOtherEnds)
  if (brace === -1 || line < brace) throw unreadable('an action input without a JSON object', text)
  return {
    kind: 'action',
    thought: thoughtBefore(text, action.start),
    action: name,
    actionInput: readInput(text, brace),
  }
}

/** A name that is alone in its line, the usual case. */
const PLAIN_NAME = /^ *([\w.-]+)[ \r\n]*$/

/** `` `my-tool`(a=1) `` → `my-tool` */
function toolName(rest: string): string {
  const line = rest.split(/[\r\n\u2028\u2029(]/)[0]!.trim()
  return unquote(unquote(line).trim().split(/\s/)[0]!)
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
  return start < 0 ? '' : strip(text.slice(start + 'Thought:'.length, end))
}

function unreadable(what: string, text: string): ReActParseError {
  return new ReActParseError(`The model's text contains ${what}.`, text)
}

function readInput(text: string, start: number): Record<string, unknown> {
  try {
    return readArguments(text, start).value
  } catch (error) {
    throw error instanceof ToolArgumentsError ? new ReActParseError(error.message, text) : error
  }
}
