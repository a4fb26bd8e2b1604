/**
 * @module
 * Finds the answer in the streamed text of a ReAct model, so that only the answer is streamed to the reader.
 */
import { ReActOutputParser } from './react-output-parser.ts'
import type { ActionReasoningStep, ResponseReasoningStep } from './reasoning-step.ts'

const OPENERS = ['Thought:', 'Action:', 'Answer:', 'Final Answer:']
const DECIDERS = ['Action:', 'Answer:', 'Final Answer:']
const AFTER_ACTION = ['Action Input:', 'Observation:']

const BLANK = /[ \t]/
const LINE_END = /[\n\r\u2028\u2029]/
const NEXT_LINE = /[\n\r\u2028\u2029]/g

/**
 * Receives the pieces of a model's text one by one and returns the pieces of the answer, without thoughts, markers and tool calls. The
 * result does not depend on how the text is split into pieces.
 * @example
 * const stream = new ReActAnswerStream()
 * const pieces = ['Tho', 'ught: easy\nAns', 'wer: fo', 'ur'].map((delta) => stream.push(delta))
 * pieces // => ['', '', 'fo', 'ur']
 */
export class ReActAnswerStream {
  /** Everything pushed so far. The engine stores it as a rope; searching it at every piece would take quadratic time. */
  text = ''
  /** The kind of text, as far as it is known. `undecided` may still become any other. */
  kind: 'undecided' | 'structured' | 'implicit' | 'answer' | 'action' = 'undecided'
  /** Whether a piece of the answer was returned. */
  emitted = false
  /** Whether an invented observation follows the action input. Text after it is ignored, so the model may be stopped. */
  observationSeen = false

  /** The start of the current line, without blanks, while it may still become a marker; null after that. */
  private word: string | null = ''
  private inputSeen = false
  private readonly parser: ReActOutputParser

  constructor(parser: ReActOutputParser = new ReActOutputParser()) {
    this.parser = parser
  }

  /** Returns the next piece of the answer, or an empty string. */
  push(delta: string): string {
    this.text += delta
    let at = 0
    if (this.kind === 'undecided') at = this.open(delta)
    if (this.kind === 'structured' || this.kind === 'action') at = this.readLines(delta, at)
    let piece = ''
    if (this.kind === 'implicit') piece = this.emitted ? delta : this.text
    else if (this.kind === 'answer') piece = this.emitted ? delta : delta.slice(at).trimStart()
    if (piece !== '') this.emitted = true
    return piece
  }

  /**
   * Parses the whole text. Call it at the end. An answer of which no piece was returned before (such as one in the same line as the
   * thought) is returned here.
   * @throws {ReActParseError} if the text cannot be parsed.
   */
  end(): ActionReasoningStep | ResponseReasoningStep {
    return this.parser.parse(this.text)
  }

  /** Reads the first word. Returns the offset in `delta` where it ends. */
  private open(delta: string): number {
    for (let at = 0; at < delta.length; at++) {
      const char = delta[at]!
      if (this.word === '' && /\s/.test(char)) continue
      this.word += char
      if (OPENERS.includes(this.word!)) {
        this.kind = this.word === 'Thought:' ? 'structured' : decided(this.word!)
        this.word = null
        return at + 1
      }
      if (!startsOne(OPENERS, this.word!)) {
        this.kind = 'implicit'
        break
      }
    }
    return delta.length
  }

  /** Reads line by line until an answer starts. Returns the offset in `delta` where it starts. */
  private readLines(delta: string, start: number): number {
    let at = start
    while (at < delta.length) {
      if (this.word === null) {
        NEXT_LINE.lastIndex = at
        if (!NEXT_LINE.test(delta)) break
        at = NEXT_LINE.lastIndex
        this.word = ''
        continue
      }
      const char = delta[at++]!
      if (LINE_END.test(char)) {
        this.word = ''
        continue
      }
      if (this.word === '' && BLANK.test(char)) continue
      this.word += char
      const wanted = this.kind === 'structured' ? DECIDERS : AFTER_ACTION
      if (wanted.includes(this.word)) {
        if (this.kind === 'structured') this.kind = decided(this.word)
        else if (this.word === 'Action Input:') this.inputSeen = true
        else this.observationSeen = this.inputSeen
        this.word = null
        if (this.kind === 'answer') return at
      } else if (!startsOne(wanted, this.word)) this.word = null
    }
    return delta.length
  }
}

function decided(marker: string): 'action' | 'answer' {
  return marker === 'Action:' ? 'action' : 'answer'
}

function startsOne(markers: string[], word: string): boolean {
  return markers.some((marker) => marker.startsWith(word))
}
