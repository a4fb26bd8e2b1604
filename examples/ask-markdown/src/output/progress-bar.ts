/**
 * @module
 * A progress bar for terminals.
 */
import type { Output } from './style.ts'

const WIDTH = 24

/** Draws the progress on one line, which is cleared at the end. Draws nothing if the output is not a terminal. */
export class ProgressBar {
  private readonly output: Output
  private readonly label: string
  private drawn = ''

  constructor(output: Output, label: string) {
    this.output = output
    this.label = label
  }

  show(done: number, total: number): void {
    if (!this.output.isTTY) return
    const filled = Math.round((WIDTH * done) / Math.max(1, total))
    const line = `${this.label} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`
    if (line === this.drawn) return
    this.drawn = line
    this.output.write(`\r${line}`)
  }

  clear(): void {
    if (this.drawn !== '') this.output.write(`\r${' '.repeat(this.drawn.length)}\r`)
    this.drawn = ''
  }
}
