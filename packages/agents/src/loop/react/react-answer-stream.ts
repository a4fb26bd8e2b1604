/**
 * @module
 * Finds the answer in the streamed text of a ReAct model, so that only the answer is streamed to the reader.
 */
import { strip, ThinkingFilter } from '@x/core-model/text'
import { ReActOutputParser } from './react-output-parser.ts'
import type { ActionReasoningStep, ResponseReasoningStep } from './reasoning-step.ts'

const DECIDERS = ['Action:', 'Answer:', 'Final Answer:']
const AFTER_ACTION = ['Action Input:', 'Observation:']

const BLANK = /[ \t]/
const LINE_END = /[\n\r\u2028\u2029]/
const NEXT_LINE = /[\n\r\u2028\u2029]/g

/**
 * Receives the pieces of a model's text one by one and returns the pieces of the answer, without thoughts, thinking blocks, markers and
 * tool calls. Nothing is returned while a tool call may still follow: text without markers is an answer only at its end. The
 * result does not depend on how the text is split into pieces.
 * @example
 * const stream = new ReActAnswerStream()
 * const pieces = ['Tho', 'ught: easy\nAns', 'wer: fo', 'ur'].map((delta) => stream.push(delta))
 * pieces // => ['', '', 'fo', 'ur']
 */
export class ReActAnswerStream {
  /**
   * Everything pushed so far, without thinking blocks. The engine stores it as a rope; searching it at every piece would take quadratic
   * time.
   */
  text = ''
  /** The thinking in the last piece. */
  thinking = ''
  /** The kind of the text, as far as it is known. */
  kind: 'undecided' | 'answer' | 'action' = 'undecided'
  /** Whether a piece of the answer was returned. */
  emitted = false
  /** Whether an invented observation follows the action input. Text after it is ignored, so the model may be stopped. */
  observationSeen = false

  /** The start of the current line, without blanks, while it may still become a marker; null after that. */
  private word: string | null = ''
  /** Whether only white space was pushed. */
  private isStart = true
  private inputSeen = false
  private readonly filter = new ThinkingFilter()
  private readonly parser: ReActOutputParser

  constructor(parser: ReActOutputParser = new ReActOutputParser()) {
    this.parser = parser
  }

  /** Returns the next piece of the answer, or an empty string. */
  push(delta: string): string {
    const { text, thinking, restarts } = this.filter.push(delta)
    this.thinking = thinking
    if (restarts && !this.emitted) this.restart()
    return this.add(text)
  }

  /**
   * Returns the last piece of the answer. Call it at the end of the text, before {@link end}: text that may have been the start of
   * a thinking block is returned here.
   */
  flush(): string {
    const { text, thinking } = this.filter.end()
    this.thinking = thinking
    return this.add(text)
  }

  /**
   * Parses the whole text. Call it at the end. It also returns an answer that was not recognized during the stream, such as an
   * answer without a marker or in the same line as the thought.
   * @throws {ReActParseError} if the text cannot be parsed.
   */
  end(): ActionReasoningStep | ResponseReasoningStep {
    this.flush()
    return this.parser.parse(this.text)
  }

  private add(delta: string): string {
    this.text += delta
    const wasAnswer = this.kind === 'answer'
    const at = wasAnswer ? 0 : this.readLines(delta)
    if (this.kind !== 'answer') return ''
    // Without the white space at its start.
    const piece = this.emitted ? delta : strip(`${delta.slice(at)}.`).slice(0, -1)
    if (piece !== '') this.emitted = true
    return piece
  }

  private restart(): void {
    this.text = ''
    this.kind = 'undecided'
    this.observationSeen = this.inputSeen = false
    this.word = ''
    this.isStart = true
  }

  /** Reads line by line until an answer starts. Returns the offset in `delta` where it starts. */
  private readLines(delta: string): number {
    let at = 0
    while (at < delta.length) {
      if (this.word === null) {
        NEXT_LINE.lastIndex = at
        if (!NEXT_LINE.test(delta)) break
        at = NEXT_LINE.lastIndex
        this.word = ''
        continue
      }
      const char = delta[at++]!
      // All white space before the text is ignored.
      if (this.isStart && /\s/.test(char)) continue
      this.isStart = false
      if (LINE_END.test(char)) {
        this.word = ''
        continue
      }
      if (this.word === '' && BLANK.test(char)) continue
      this.word += char
      const wanted = this.kind === 'undecided' ? DECIDERS : AFTER_ACTION
      if (wanted.includes(this.word)) {
        this.decide(this.word)
        this.word = null
        if (this.kind === 'answer') return at
      } else if (!startsOne(wanted, this.word)) this.word = null
    }
    return delta.length
  }

  private decide(marker: string): void {
    if (marker === 'Action:') this.kind = 'action'
    else if (marker === 'Action Input:') this.inputSeen = true
    else if (marker === 'Observation:') this.observationSeen = this.inputSeen
    else this.kind = 'answer'
  }
}

function startsOne(markers: string[], word: string): boolean {
  return markers.some((marker) => marker.startsWith(word))
}
