/**
 * @module
 * Reads tool calls that arrive in pieces. Servers number the pieces in many ways, or not at all.
 */
import { jsonOr } from '@x/core/values'
import type { AnswerBuilder } from '@x/core-model'

/** A piece of a tool call, as a server sent it. */
export interface SentCallPiece {
  /** The number of the call, unique or not. */
  index?: unknown
  id?: unknown
  name?: unknown
  /** The next characters of the JSON text of the arguments, or the arguments as an object. */
  arguments?: unknown
  /** Whether `arguments` replaces what arrived before. @defaultValue false */
  isWhole?: boolean | undefined
  /** Data of the provider that must be sent back with the call. */
  metadata?: object | undefined
}

interface Call {
  key: number
  index: string
  id: string
  name: string
  text: string
  json: ObjectEnd
  /** Whether the text was sent as a whole. */
  isWhole?: boolean
  /** The complete arguments in one form of writing; empty if something else follows them. */
  canonical?: string | undefined
}

/**
 * Adds the pieces of tool calls to an answer, and decides which call a piece belongs to:
 * - A piece without a name never starts a call. It continues the call with its index and id, else with its index, else with its id, else
 *   the last one.
 * - A piece with a name starts a call, unless it continues one: the same id is repeated, or the name while the arguments are incomplete.
 * - Behind a complete object of arguments, a repetition of the whole call is ignored, and another object is another call.
 * @example
 * const answer = new AnswerBuilder()
 * const calls = new ToolCallPieces(answer)
 * calls.add({ index: 0, id: 'a', name: 'pay', arguments: '{"amount"' })
 * calls.add({ index: 0, arguments: ':1}' })
 * calls.add({ index: 0, name: 'pay', arguments: '{"amount":2}' })
 * toolCallsOf(answer.response().message).map((call) => call.arguments) // => ['{"amount":1}', '{"amount":2}']
 */
export class ToolCallPieces {
  readonly #answer: AnswerBuilder
  readonly #calls: Call[] = []
  /** The last call with each index, and with each id. */
  readonly #byIndex = new Map<string, Call>()
  readonly #byId = new Map<string, Call>()

  /** @param answer - the answer that the calls are added to. */
  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  /** The number of calls so far, also of those whose name is not known yet. */
  get count(): number {
    return this.#calls.length
  }

  /** Adds a piece. */
  add(piece: SentCallPiece): void {
    const { isWhole = false, metadata } = piece
    const [id, name, text] = [word(piece.id), word(piece.name), argumentText(piece.arguments)]
    const index = piece.index === undefined || piece.index === null ? '' : String(piece.index)
    const known = this.#known(index, id, name)
    const isSame =
      known && (isWhole ? replaces(known, { name, text }) : continues(known, { id, name, text }, index !== ''))
    const call = isSame ? known : this.#begin(index)
    if (index !== '') this.#byIndex.set(index, call)
    if (id !== '') this.#byId.set(id, call)
    const isRepeated = isSame && !isWhole && isRepetition(call, text)
    call.id ||= id
    call.name ||= name
    const added = isRepeated ? '' : text
    if (added !== '') addText(call, added, isWhole)
    this.#answer.addToolCall({ key: call.key, id, name, arguments: added, isWhole: isWhole && text !== '', metadata })
  }

  #begin(index: string): Call {
    const call = { key: this.#calls.length, index, id: '', name: '', text: '', json: new ObjectEnd() }
    this.#calls.push(call)
    return call
  }

  /** Returns the call that a piece may belong to. */
  #known(index: string, id: string, name: string): Call | undefined {
    const last = this.#calls.at(-1)
    const byIndex = this.#byIndex.get(index)
    const byId = id === '' ? undefined : this.#byId.get(id)
    if (byIndex) return name === '' && byId?.index === index ? byId : byIndex
    // Several calls may have the same id, but different indices.
    if (byId && (index === '' || name === '')) return byId
    if (index === '') return last
    return name === '' && last && !last.json.isComplete ? last : undefined
  }
}

/** Whether a whole call belongs to one that began; calls that are both whole may have the same id. */
function replaces(call: Call, { name, text }: { name: string; text: string }): boolean {
  if (name === '' || call.name === '') return true
  return name === call.name && (!call.isWhole || canonical(text) === canonical(call.text))
}

/** Whether a piece continues a call. */
function continues(call: Call, piece: { id: string; name: string; text: string }, isNumbered: boolean): boolean {
  const { id, name, text } = piece
  if (name === '' || call.name === '') return true
  if (name !== call.name) return false
  const isSameId = id !== '' && id === call.id
  if (call.json.isComplete) return isSameId && (text.trim() === '' || isRepetition(call, text))
  // Some servers send another id with every piece.
  const isOtherId = id !== '' && call.id !== '' && !isSameId
  return isSameId || call.text !== '' || text !== '' || (isNumbered && !isOtherId)
}

function addText(call: Call, text: string, isWhole: boolean): void {
  if (isWhole) Object.assign(call, { text: '', json: new ObjectEnd(), canonical: undefined, isWhole })
  else if (call.json.isComplete && text.trim() !== '') call.canonical = ''
  call.text += text
  call.json.add(text)
}

/** Whether a string is that of the arguments again. */
function isRepetition(call: Call, text: string): boolean {
  if (!call.json.isComplete || !/^\s*\{/.test(text)) return false
  call.canonical ??= canonical(call.text)
  return call.canonical !== '' && canonical(text) === call.canonical
}

function canonical(json: string): string {
  return JSON.stringify(jsonOr(json)) ?? ''
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns the text of arguments, which some servers send as an object; an empty one if they are missing. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Finds the end of a JSON object that arrives in pieces; each character is read once. */
class ObjectEnd {
  /** Whether the object is complete. */
  isComplete = false
  private depth = 0
  private isInString = false
  private isEscaped = false

  add(text: string): void {
    for (const sign of text) {
      if (this.isComplete) return
      if (this.isEscaped) this.isEscaped = false
      else if (this.isInString) {
        if (sign === '\\') this.isEscaped = true
        else if (sign === '"') this.isInString = false
      } else if (sign === '"') this.isInString = true
      else if (sign === '{' || sign === '[') this.depth++
      else if (sign === '}' || sign === ']') this.isComplete = --this.depth === 0
    }
  }
}
