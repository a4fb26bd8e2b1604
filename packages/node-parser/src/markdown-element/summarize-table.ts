/**
 * @module
 * Summarizes tables: by a model, or from caption, headings and header cells.
 */

import { callback, checkGiven, checkOptions, invalidOption, text as string } from '@x/core/options'
import { countWhile, jsonEnd, jsonOr, lazy } from '@x/core/values'
import {
  type BaseLLM,
  type CallOptions,
  ChatMessage,
  type Durable,
  isToolkitError,
  messageText,
  type Tokenizer,
} from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { countTokens } from '../count-tokens.ts'
import { SummaryFormatError } from '../errors.ts'
import { cellsOf, type Element } from './element.ts'
import { plainCell } from './plain-cell.ts'
import { plainPrompt, summaryQuestion, tablePrompt } from './prompts.ts'
import type { TableColumn } from './table-column.ts'
import type { TableOutput } from './table-output.ts'

/** A table and its context, the argument of a summarizer. */
export interface TableContext {
  element: Element
  /** The paragraph directly above the table if it is a caption, otherwise null. */
  captionAbove: string | null
  /** The paragraph directly below the table if it is a caption, otherwise null. */
  captionBelow: string | null
  /** The headings above the table, outermost first. */
  headings: readonly string[]
  /** The captions and the source of the table, for a model. */
  context: string
}

/** Returns the summary of a table. */
export type TableSummarizer = (
  table: TableContext,
  options: { signal?: AbortSignal | undefined; parentId?: string | undefined },
) => TableOutput | Promise<TableOutput>

/** The maximum number of characters of a caption in a summary without a model. */
const MAX_CAPTION_LENGTH = 300

/** The maximum number of characters of the values of the first column in such a summary. */
const MAX_VALUES_LENGTH = 200

const namesTable = /^[\s>*_#\-:]*(?:table(?![\p{L}\p{N}])|表)/iu

/** Returns the table at `index` with its captions, headings and context. */
export function tableContext(
  elements: readonly Element[],
  index: number,
  headings: readonly string[],
  section: string | null,
): TableContext {
  const element = elements[index] as Element
  const captionAbove = captionOf(elements[index - 1], true)
  const captionBelow = captionOf(elements[index + 1], false)
  const parts = [section, captionAbove, element.element, captionBelow]
  return {
    element,
    captionAbove,
    captionBelow,
    headings,
    context: parts.filter((part) => part !== null).join('\n'),
  }
}

/** Returns the paragraph of a text element next to a table if it is a caption: if it starts with "table" or 表. */
function captionOf(element: Element | undefined, above: boolean): string | null {
  if (element?.type !== 'text') return null
  const paragraphs = element.element.split(/(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)/)
  const paragraph = (above ? paragraphs.at(-1) : paragraphs[0])?.trim() ?? ''
  return namesTable.test(paragraph) ? paragraph : null
}

/** The options of {@link summarizeByModel}. */
interface SummarizeByModelOptions {
  /** The question that the model is asked about each table. @defaultValue the built-in question */
  question?: string | undefined
  /** Counts tokens, to fit a large table into the model's context window. @defaultValue one token per 4 UTF-8 bytes */
  tokenizer?: Tokenizer | null | undefined
}

/**
 * Returns a summarizer that asks a model about each table; the summarizer of a parser with `llm`. Errors of the model are thrown unchanged.
 * @example
 * const llm = new ScriptedLLM({ answers: ['{"summary": "Prices", "columns": []}'] })
 * const parser = new MarkdownElementNodeParser({ summarizer: summarizeByModel(llm) })
 * const [index] = await parser.getNodesFromDocuments([new Document({ text: '|a|b|\n|-|-|\n|1|2|' })])
 * index?.text // => 'Prices'
 */
export function summarizeByModel(llm: BaseLLM, options: SummarizeByModelOptions = {}): TableSummarizer {
  checkOptions('summarizeByModel', options, { question: string, tokenizer: callback })
  const { question = summaryQuestion, tokenizer = null } = options
  return (table, { signal, parentId }) => askModel(llm, table, { question, tokenizer }, { signal, parentId })
}

interface AskOptions {
  question: string
  tokenizer: Tokenizer | null
}

/** Asks a model for a JSON object and, if its answer cannot be parsed, for a plain-text summary. */
async function askModel(
  llm: BaseLLM,
  table: TableContext,
  { question, tokenizer }: AskOptions,
  options: CallOptions,
): Promise<TableOutput> {
  const fitted = fitContext(llm, table, tablePrompt('', question), tokenizer)
  try {
    return readTableOutput(await ask(llm, tablePrompt(fitted, question), options))
  } catch (error) {
    if (!isToolkitError(error, 'summary_format')) throw error
    const summary = await ask(llm, plainPrompt(fitted, question), options)
    return { summary: summary.trim(), tableTitle: null, tableId: null, columns: [] }
  }
}

async function ask(llm: BaseLLM, prompt: string, options: CallOptions): Promise<string> {
  if (!llm.metadata.isChatModel) return (await llm.complete(prompt, options)).text
  const { message } = await llm.chat([new ChatMessage({ content: prompt })], options)
  return messageText(message)
}

/** Returns the context, without the last rows of a table that do not fit into the model's context window. */
function fitContext(llm: BaseLLM, table: TableContext, frame: string, tokenizer: Tokenizer | null): string {
  const { contextWindow, numOutput } = llm.metadata
  const room = (contextWindow ?? Number.POSITIVE_INFINITY) - numOutput - countTokens(frame, tokenizer)
  const { context, element } = table
  if (room <= 0 || countTokens(context, tokenizer) <= room) return context
  const lines = element.element.split('\n')
  // The header and the delimiter row are always kept.
  const shortened = (kept: number) => context.replace(element.element, () => lines.slice(0, kept).join('\n'))
  const fewest = Math.min(2, lines.length)
  const fits = (more: number) => countTokens(shortened(fewest + more + 1), tokenizer) <= room
  return shortened(fewest + countWhile(lines.length - fewest, fits))
}

/** Returns what a summarizer returned. @throws {ModelValidationError} if it is not the summary of a table. */
export function checkedOutput(name: string, output: unknown): TableOutput {
  const refuse = (path: string, expected: string, value: unknown): never => {
    throw invalidOption(name, `summarizer()${path}`, expected, value)
  }
  if (typeof output !== 'object' || output === null) return refuse('', 'a summary of the table', output)
  const { summary, tableTitle = null, columns } = output as Partial<TableOutput>
  if (typeof summary !== 'string') refuse('.summary', 'a string', summary)
  if (tableTitle !== null && typeof tableTitle !== 'string') refuse('.tableTitle', 'a string or null', tableTitle)
  if (!Array.isArray(columns)) return refuse('.columns', 'an array of columns', columns)
  for (const [at, column] of columns.entries())
    if (typeof column?.colName !== 'string') refuse(`.columns[${at}].colName`, 'a string', column?.colName)
  return output as TableOutput
}

/** Returns a summarizer that creates each summary once. Equal tables with equal headings and captions share a summary. */
export function summarizeOnce(summarizer: TableSummarizer, durable: Durable): TableSummarizer {
  const summaries = new Map<string, Promise<TableOutput>>()
  return (table, options) => {
    const name = `table/${sha256(JSON.stringify([table.headings, table.context])).slice(0, 32)}`
    const summary = summaries.get(name) ?? durable(name, async () => summarizer(table, options))
    summaries.set(name, summary)
    return summary
  }
}

/**
 * Summarizes a table without a model: the headings above it and its caption, its columns, and the first column with its values, as far as
 * they fit. It is plain text, so that what is embedded differs for tables of one form.
 */
export function summarizeByHeaders(table: TableContext): TableOutput {
  checkGiven('summarizeByHeaders', { table }, 'a table in its context', 'element', 'headings')
  const { element, captionAbove, captionBelow, headings } = table
  const caption = (element.table?.caption ?? captionAbove ?? captionBelow)?.slice(0, MAX_CAPTION_LENGTH) ?? ''
  const { columns = [], rows = [] } = cellsOf(element) ?? {}
  const names = columns.map(plainCell)
  const path = [...headings, captionText(caption)].filter((part) => part !== '')
  const parts = [path.join(' > '), names.filter((name) => name !== '').join(', ')].filter((part) => part !== '')
  const named = rowNames(element)
  return {
    summary: parts.join(': ') + (named === '' || parts.length === 0 ? named : `; ${named}`),
    tableTitle: null,
    tableId: null,
    columns: columns.map((_, index) => ({
      colName: names[index] as string,
      colType: kindOfColumn(rows, index),
      summary: null,
    })),
  }
}

/** Returns a caption without the marks of quotes and emphasis around it. */
function captionText(caption: string): string {
  const lines = caption.split(/\r\n|\r|\n/).map((line) => line.replace(/^[\s>]{1,99}/, ''))
  const text = plainCell(lines.join(' '))
  // Marks that are left are no emphasis: the caption was cut, or there are blanks inside of them.
  const [start = ''] = /^[>*_#\-:\s]{1,99}/.exec(text) ?? []
  return /[*_]/.test(start) ? text.slice(start.length).replace(/[*_\s]{1,99}$/, '') : text.slice(start.length)
}

/**
 * Returns the name of the first column and its different values in the rows from `first` to `end`, up to a length; empty without values.
 * The name says what the values are, also where no row of the table is beside them.
 */
export function rowNames(element: Element, first = 0, end?: number): string {
  const { columns = [], rows = [] } = cellsOf(element) ?? {}
  const values = firstValues(rows.slice(first, end))
  return values === '' ? '' : `${plainCell(columns[0] ?? '') || 'rows'}: ${values}`
}

function firstValues(rows: readonly string[][]): string {
  const values = new Set<string>()
  let length = 0
  for (const cell of new Set(rows.map(([first = '']) => first))) {
    const value = plainCell(cell)
    if (value === '' || values.has(value)) continue
    length += value.length + 2
    if (length > MAX_VALUES_LENGTH) break
    values.add(value)
  }
  return [...values].join(', ')
}

const isNumber = lazy(() => /^[-+]?\p{Sc}?\s?\d[\d.,\s]*\s?[%\p{Sc}]?$/u)

/** Returns `number` if every cell that is not empty is a number, otherwise `text`. */
function kindOfColumn(rows: readonly string[][], index: number): string {
  const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.every((cell) => cell.length < 40 && isNumber().test(cell)) ? 'number' : 'text'
}

/** The maximum number of opening braces that are tried as the start of a JSON object. */
const MAX_TRIES = 100

/**
 * Returns the table output in the first complete JSON object of an answer.
 * @throws {SummaryFormatError} if the answer contains no JSON object, or a key is missing or has the wrong type.
 */
export function readTableOutput(answer: string): TableOutput {
  const data = firstObject(answer)
  if (data === null) throw new SummaryFormatError(answer, 'the answer contains no JSON object')
  const fail = (key: string): never => {
    throw new SummaryFormatError(answer, `${key} is missing or has the wrong type`)
  }
  const text = (value: unknown, key: string): string =>
    typeof value === 'string' ? value : typeof value === 'number' ? String(value) : fail(key)
  const textOrNull = (value: unknown, key: string): string | null =>
    value === undefined || value === null ? null : text(value, key)
  const { columns } = data
  if (!Array.isArray(columns)) return fail('columns')
  const keep = data['should_keep']
  return {
    summary: text(data['summary'], 'summary'),
    tableTitle: textOrNull(data['table_title'], 'table_title'),
    tableId: textOrNull(data['table_id'], 'table_id'),
    columns: columns.map((column: unknown): TableColumn => {
      if (typeof column !== 'object' || column === null) return fail('a column')
      const { col_name: name, col_type: type, summary } = column as Record<string, unknown>
      return {
        colName: text(name, 'col_name'),
        colType: text(type, 'col_type'),
        summary: textOrNull(summary, 'summary of a column'),
      }
    }),
    ...(typeof keep === 'boolean' && { shouldKeep: keep }),
  }
}

/** Returns the first JSON object in a string that may contain other text around it. */
function firstObject(answer: string): Record<string, unknown> | null {
  let start = answer.indexOf('{')
  for (let tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    const end = jsonEnd(answer, start)
    // If these braces are not JSON, an object may follow, or be inside them.
    const found = end > 0 ? jsonOr(answer.slice(start, end)) : undefined
    if (found !== undefined) return found as Record<string, unknown>
    start = answer.indexOf('{', start + 1)
  }
  return null
}
