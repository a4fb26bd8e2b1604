/**
 * @module
 * A prompt in a terminal that shows sections while one types.
 */
import { emitKeypressEvents, type Key } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { FoundSection } from '../search/found-section.ts'
import { missingText, sectionLines, type TextStyle, type Unfound } from './show-sections.ts'
import { shortened, withoutControls } from './text-width.ts'

const NOTHING = { sections: [], missing: [], language: null }

/** What the prompt needs. */
export interface PromptOptions {
  input: Readable & { setRawMode?: (isRaw: boolean) => unknown }
  output: Writable & { rows?: number }
  style: () => TextStyle
  /** Returns the sections of a question, and its words that no document contains. */
  search: (question: string) => Promise<{ sections: FoundSection[] } & Unfound>
  /** The file as the terminal can open it. */
  placeOf: (file: string) => string
  /** Opens a section. Returns a message to show, or null. */
  open: (section: FoundSection) => Promise<string | null>
  /** Ends the prompt. */
  signal: AbortSignal
}

const HINT = 'Type a question. ↑ ↓ choose, Enter opens, Tab keeps the answer and asks on, Ctrl-C ends.'
const START = '? '
/** A question that begins like this continues the one before. */
const FOLLOWS = /^(?:and|or|but|what about|how about|also)\b/i

/** Returns a question with the words of the question before, if it continues it: "and for HTTP/2?". */
export function followUp(question: string, before: string): string {
  return before !== '' && FOLLOWS.test(question.trim()) ? `${question} ${before}` : question
}

/** Shows sections while one types, until Ctrl-C, Ctrl-D or the end of the input. */
export class Prompt {
  private readonly options: PromptOptions
  private text = ''
  private before = ''
  private selected = 0
  private found: { sections: FoundSection[] } & Unfound = NOTHING
  private message = ''
  private isOpening = false
  private isOver = false
  private end = () => {}

  constructor(options: PromptOptions) {
    this.options = options
  }

  /** Runs the prompt until it ends. */
  async run(): Promise<void> {
    const { input, output, signal } = this.options
    const ended = new Promise<void>((resolve) => {
      this.end = resolve
    })
    const onKey = (characters: string | undefined, key: Key) => void this.press(characters ?? '', key)
    const onEnd = () => this.end()
    emitKeypressEvents(input)
    input.setRawMode?.(true)
    input.on('keypress', onKey)
    input.once('end', onEnd)
    signal.addEventListener('abort', onEnd, { once: true })
    input.resume()
    this.draw()
    await ended
    this.isOver = true
    input.off('keypress', onKey)
    input.off('end', onEnd)
    input.setRawMode?.(false)
    input.pause()
    output.write(`\r\u001b[J`)
  }

  private async press(characters: string, { name, ctrl, meta }: Key): Promise<void> {
    if (this.isOpening || this.isOver) return
    const last = this.found.sections.length - 1
    this.message = ''
    if (ctrl && (name === 'c' || name === 'd')) return this.end()
    if (name === 'return' || name === 'enter') return this.open()
    if (name === 'tab') return this.keep()
    if (name === 'up') this.selected = Math.max(0, this.selected - 1)
    else if (name === 'down') this.selected = Math.max(0, Math.min(last, this.selected + 1))
    else if (name === 'escape' || (ctrl && name === 'u')) await this.change('')
    else if (name === 'backspace') await this.change(Array.from(this.text).slice(0, -1).join(''))
    else if (ctrl && name === 'w')
      await this.change(this.text.slice(0, Math.max(0, this.text.trimEnd().search(/\S{1,500}$/))))
    else if (!ctrl && !meta && characters !== '' && name !== 'left' && name !== 'right')
      await this.change(this.text + withoutControls(characters.replace(/[\r\n]/g, ' ')).replaceAll('\ufffd', ''))
    this.draw()
  }

  private async change(text: string): Promise<void> {
    this.text = text
    const found = text.trim() === '' ? NOTHING : await this.options.search(followUp(text, this.before))
    // A later key may have changed the question.
    if (this.text !== text) return
    this.found = found
    this.selected = 0
  }

  private async open(): Promise<void> {
    const section = this.found.sections[this.selected]
    if (!section) return this.draw()
    const { input, output } = this.options
    this.isOpening = true
    output.write('\r\u001b[J')
    input.setRawMode?.(false)
    const message = await this.options.open(section)
    if (this.isOver) return
    input.setRawMode?.(true)
    input.resume()
    this.isOpening = false
    this.message = message ?? ''
    this.draw()
  }

  /** Leaves question and sections on the screen, and starts a new question. */
  private keep(): void {
    const { output, style } = this.options
    if (this.text.trim() === '') {
      this.draw()
      return
    }
    output.write(`\r\u001b[J${START}${this.text}\n${this.lines(style(), Number.POSITIVE_INFINITY).join('\n')}\n\n`)
    this.before = followUp(this.text, this.before)
    this.text = ''
    this.found = NOTHING
    this.selected = 0
    this.draw()
  }

  private draw(): void {
    if (this.isOver) return
    const { output, style } = this.options
    const { width } = style()
    const lines = this.lines(style(), Math.max(4, (output.rows ?? 24) - 2))
    // The end of a long question is visible.
    const question = Array.from(this.text)
      .slice(-(width - START.length - 1))
      .join('')
    output.write(`\r\u001b[J${START}${question}\n${lines.join('\n')}\u001b[${lines.length}A\r${START}${question}`)
  }

  /** The lines below the question, as many as the terminal shows. */
  private lines(style: TextStyle, most: number): string[] {
    if (this.message !== '') return [shortened(withoutControls(this.message), style.width)]
    if (this.text.trim() === '') return [shortened(HINT, style.width)]
    const { sections, ...unfound } = this.found
    const blocks = sections.map((section, index) => {
      const mark = index === this.selected && Number.isFinite(most) ? '❯' : `${index + 1}`
      return [...sectionLines(section, this.options.placeOf(section.file), style, mark), '']
    })
    // The chosen section is always visible.
    const first = Math.max(0, Math.min(this.selected, blocks.length - 1))
    const lines = [...blocks.slice(first), ...blocks.slice(0, first)].flat()
    return [...lines, ...missingText(sections.length, unfound, style).flatMap((text) => text.split('\n'))].slice(
      0,
      most,
    )
  }
}
