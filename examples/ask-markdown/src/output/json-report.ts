/**
 * @module
 * Reports a run as one JSON object.
 */
import type { Ending, Report, RunInfo, Step } from './report.ts'
import type { Output } from './style.ts'

/** Writes one object when the run ends: `answer`, `sources`, `steps` and more, or `error`. */
export class JsonReport implements Report {
  private readonly output: Output
  private readonly errors: Output
  private info: RunInfo | null = null
  private asked: { question: string; resumedSteps: number } | null = null
  private readonly steps: Step[] = []
  private readonly warnings: string[] = []
  private text = ''

  constructor(output: Output, errors: Output) {
    this.output = output
    this.errors = errors
  }

  progress(): void {}

  start(info: RunInfo): void {
    this.info = info
  }

  call(): void {}

  result(step: Step): void {
    this.steps.push(step)
  }

  question(text: string, resumedSteps: number): void {
    this.asked = { question: text, resumedSteps }
  }

  answer(piece: string): void {
    this.text += piece
  }

  discardAnswer(): void {
    this.text = ''
  }

  end({ sources, unread, usage }: Ending): void {
    const more = { ...(unread.length > 0 && { unreadSources: unread }), ...(usage && { usage }) }
    this.write({ answer: this.text.trim(), sources, ...more })
  }

  warn(message: string): void {
    this.warnings.push(message)
  }

  fail(message: string, exitCode: number): void {
    this.errors.write(`${message}\n`)
    this.write({ error: { message, exitCode } })
  }

  private write(value: object): void {
    const warnings = this.warnings.length > 0 ? { warnings: this.warnings } : {}
    const all = { ...this.asked, ...this.info, steps: this.steps, ...value, ...warnings }
    this.output.write(`${JSON.stringify(all, null, 2)}\n`)
  }
}
