/**
 * @module
 * Finding the answer in the streamed text of a ReAct model, so that only the answer streams to the reader.
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
 * Takes the pieces of a model's text one by one and gives back the pieces of the answer, and nothing else: no thought,
 * no marker, no tool call. What comes out does not depend on where the text was cut.
 * @example
 * const stream = new ReActAnswerStream()
 * const pieces = ['Tho', 'ught: easy\nAns', 'wer: fo', 'ur'].map((delta) => stream.push(delta))
 * pieces // => ['', '', 'fo', 'ur']
 */
export class ReActAnswerStream {
  /** Everything pushed so far. It grows as a rope: looking into it at every piece would take quadratic time. */
  text = ''
  /** What the text has turned out to be. `undecided` may still become anything. */
  kind: 'undecided' | 'structured' | 'implicit' | 'answer' | 'action' = 'undecided'
  /** Whether a piece of the answer has come out. */
  emitted = false
  /** A made-up observation follows the action input: nothing behind it counts, so the model may be stopped. */
  observationSeen = false

  /** The beginning of the current line, without blanks, while it may still become a marker; null behind that. */
  private word: string | null = ''
  private inputSeen = false
  private readonly parser: ReActOutputParser

  constructor(parser: ReActOutputParser = new ReActOutputParser()) {
    this.parser = parser
  }

  /** The piece of the answer that is known now; empty when there is none. */
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
   * What the text as a whole is, to be called at its end. An answer of which nothing came out before (such as one that
   * stands in the line of the thought) is delivered here.
   * @throws {ReActParseError} when the text cannot be read.
   */
  end(): ActionReasoningStep | ResponseReasoningStep {
    return this.parser.parse(this.text)
  }

  /** Reads the first word; gives back where in `delta` it has ended. */
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

  /** Reads line by line until an answer starts; gives back where in `delta` it does. */
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
