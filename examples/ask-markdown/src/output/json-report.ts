/**
 * @module
 * Reports a run as one JSON object.
 */
import type { Source } from '../sources.ts'
import type { Report, RunInfo, Step } from './report.ts'
import type { Output } from './style.ts'

/** Writes one object when the run ends: `answer`, `sources`, `steps` and more, or `error`. */
export class JsonReport implements Report {
  private readonly output: Output
  private readonly errors: Output
  private info: RunInfo | null = null
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

  answer(piece: string): void {
    this.text += piece
  }

  end(sources: readonly Source[]): void {
    this.write({ ...this.info, steps: this.steps, answer: this.text.trim(), sources })
  }

  warn(message: string): void {
    this.warnings.push(message)
  }

  fail(message: string, exitCode: number): void {
    this.errors.write(`${message}\n`)
    this.write({ ...this.info, steps: this.steps, error: { message, exitCode } })
  }

  private write(value: object): void {
    const warnings = this.warnings.length > 0 ? { warnings: this.warnings } : {}
    this.output.write(`${JSON.stringify({ ...value, ...warnings }, null, 2)}\n`)
  }
}
