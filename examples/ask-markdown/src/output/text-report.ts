/**
 * @module
 * Reports a run as text for people: steps and answer as they arrive.
 */
import { type Place, placeText } from '@x/retrieval/tables'
import type { SearchResult } from '../tools.ts'
import { ProgressBar } from './progress-bar.ts'
import type { Ending, Report, RunInfo, Step } from './report.ts'
import { type Output, printable, type Style, styleFor } from './style.ts'

/** Writes the run to `output`, and progress, warnings and errors to `errors`. */
export class TextReport implements Report {
  private readonly output: Output
  private readonly errors: Output
  private readonly style: Style
  private readonly errorStyle: Style
  private readonly bar: ProgressBar
  private steps = 0
  private isAnswering = false

  constructor(output: Output, errors: Output, env: Readonly<Record<string, string | undefined>>) {
    this.output = output
    this.errors = errors
    this.style = styleFor(output, env)
    this.errorStyle = styleFor(errors, env)
    this.bar = new ProgressBar(errors, 'Reading')
  }

  progress(done: number, total: number): void {
    if (done < total) this.bar.show(done, total)
    else this.bar.clear()
  }

  start({ model, documents }: RunInfo): void {
    const { dim } = this.style
    const { files, texts, tables } = documents
    this.line(
      dim(
        model.standIn
          ? 'Model: the built-in stand-in. It is not a language model: it searches by words and quotes. (To use a real one: npm start help)'
          : `Model: ${printable(model.name)}`,
      ),
    )
    this.line(dim(`Documents: ${count(files, 'file')}, ${count(texts, 'text')}, ${count(tables, 'table')}`))
  }

  question(text: string, resumedSteps: number): void {
    const { dim, bold } = this.style
    this.steps = 0
    this.isAnswering = false
    this.line(`\n${bold(printable(text))}`)
    if (resumedSteps > 0) this.line(dim(`Resuming after ${count(resumedSteps, 'step')} of an earlier run:`))
  }

  call({ thought, tool, input }: Omit<Step, 'result' | 'isError'>): void {
    const { dim, accent } = this.style
    this.steps++
    this.line(`\n${accent(`${this.steps}`)} ${printable(thought)}`)
    this.line(`  ${accent(printable(tool))} ${dim(printable(JSON.stringify(input)))}`)
  }

  result({ result, isError }: Step): void {
    const { dim, bad } = this.style
    this.line(`  ${isError ? bad(printable(String(result))) : dim(`→ ${printable(summary(result))}`)}`)
  }

  answer(piece: string): void {
    if (!this.isAnswering) this.output.write(`\n${this.style.bold('Answer')}\n`)
    this.isAnswering = true
    this.output.write(printable(piece))
  }

  discardAnswer(): void {
    this.line(`\n${this.style.dim('(That was not the answer yet.)')}`)
    this.isAnswering = false
  }

  end({ sources, unread, usage }: Ending): void {
    const { bold, dim, bad } = this.style
    this.line('')
    if (sources.length + unread.length > 0) this.line(`\n${bold('Sources')}`)
    for (const source of sources) this.source(source, dim(printable(source.heading)))
    for (const place of unread) this.source(place, bad('not among the passages that were read'))
    if (usage === null) return
    const { modelCalls, inputTokens, outputTokens } = usage
    const tokens =
      inputTokens + outputTokens === 0 ? '' : `, ${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`
    this.line(dim(`\nUsage: ${count(modelCalls, 'model call')}${tokens}`))
  }

  private source(place: Place, note: string): void {
    this.line(`  ${this.style.accent(printable(placeText(place)))}  ${note}`.trimEnd())
  }

  warn(message: string): void {
    this.bar.clear()
    this.errors.write(`${this.errorStyle.dim(printable(message))}\n`)
  }

  fail(message: string): void {
    this.bar.clear()
    if (this.isAnswering) this.line('')
    this.errors.write(`${this.errorStyle.bad(printable(message))}\n`)
  }

  private line(text: string): void {
    this.output.write(`${text}\n`)
  }
}

/** Returns the result of a tool on one line. */
function summary(result: unknown): string {
  const { passages, spelling = {}, unknown = [] } = (result ?? {}) as Partial<SearchResult>
  if (Array.isArray(passages)) {
    const read = Object.entries(spelling).map(([word, meant]) => `“${word}” read as “${meant}”`)
    const notes = [...read, ...unknown.map((word) => `“${word}” occurs nowhere`)].map((note) => `; ${note}`).join('')
    if (passages.length === 0) return `nothing found${notes}`
    const places = passages.slice(0, 3).map(({ place }) => place)
    const more = passages.length - places.length
    return `${count(passages.length, 'passage')}: ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''}${notes}`
  }
  const { rows, rowCount, note } = (result ?? {}) as {
    rows?: { place: string; cells: string[] }[]
    rowCount?: number
    note?: string
  }
  if (!Array.isArray(rows)) return oneLine(typeof result === 'string' ? result : JSON.stringify(result))
  const [first] = rows
  const shown = rows.length === 1 && first ? `: ${first.cells.join(' | ')} (${first.place})` : ''
  return oneLine(`${rows.length} of ${count(rowCount ?? rows.length, 'row')}${shown}${note ? `. ${note}` : ''}`)
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 160 ? `${line.slice(0, 159)}…` : line
}

function grouped(amount: number): string {
  return amount.toLocaleString('en-US')
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`
}
