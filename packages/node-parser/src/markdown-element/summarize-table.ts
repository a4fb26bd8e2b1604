/**
 * @module
 * Summaries of tables: by a model, or from caption, headings and header cells.
 */
import { type BaseLLM, ChatMessage, isToolkitError, messageText } from '@x/core-model'
import { lazy } from '@x/core-model/internal'
import { countTokens, type Tokenizer } from '../count-tokens.ts'
import type { Element, TableOutput } from './element.ts'
import { plainPrompt, tablePrompt } from './prompts.ts'
import { readTableOutput } from './read-table-output.ts'

/** What is known of a table when it is summarized. */
export interface TableContext {
  element: Element
  /** The paragraph right above or below that names the table, or null. */
  captionAbove: string | null
  captionBelow: string | null
  /** The headings above the table, outermost first. */
  headings: readonly string[]
  /** Captions and table source, as a model is shown them. */
  context: string
}

/** Summarizes a table. */
export type TableSummarizer = (
  table: TableContext,
  options: { signal?: AbortSignal | undefined },
) => TableOutput | Promise<TableOutput>

/** Characters of a caption that go into a summary without a model. */
const LONGEST_CAPTION = 300

const namesTable = lazy(() => /^[\s>*_#\-:]*(?:table(?![\p{L}\p{N}])|表)/iu)

/** What is around the table at `index`; its context is what section and captions add to its source. */
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

/** The paragraph of a text that is next to a table, when it names a table. */
function captionOf(element: Element | undefined, above: boolean): string | null {
  if (element?.type !== 'text') return null
  const paragraphs = element.element.split(/(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)/)
  const paragraph = (above ? paragraphs.at(-1) : paragraphs[0])?.trim() ?? ''
  return namesTable().test(paragraph) ? paragraph : null
}

/** How a model is asked. */
export interface AskOptions {
  question: string
  tokenizer: Tokenizer | null
  signal?: AbortSignal | undefined
}

/** Asks a model for a JSON object and, when its answer cannot be read, for plain words. */
export async function askModel(
  llm: BaseLLM,
  table: TableContext,
  { question, tokenizer, signal }: AskOptions,
): Promise<TableOutput> {
  const fitted = fitContext(llm, table, tablePrompt('', question), tokenizer)
  try {
    return readTableOutput(await ask(llm, tablePrompt(fitted, question), signal))
  } catch (error) {
    if (!isToolkitError(error, 'summary_format')) throw error
    const words = await ask(llm, plainPrompt(fitted, question), signal)
    return { summary: words.trim(), tableTitle: null, tableId: null, columns: [] }
  }
}

async function ask(llm: BaseLLM, prompt: string, signal: AbortSignal | undefined): Promise<string> {
  if (!llm.metadata.isChatModel) return (await llm.complete(prompt, { signal })).text
  const { message } = await llm.chat([new ChatMessage({ content: prompt })], { signal })
  return messageText(message)
}

/** The context, without the last rows of a table that the model's window cannot hold. */
function fitContext(llm: BaseLLM, table: TableContext, frame: string, tokenizer: Tokenizer | null): string {
  const { contextWindow, numOutput } = llm.metadata
  const room = contextWindow - numOutput - countTokens(frame, tokenizer)
  const { context, element } = table
  if (!(room > 0) || countTokens(context, tokenizer) <= room) return context
  const lines = element.element.split('\n')
  // Header and delimiter row always stay.
  const shortened = (kept: number) => context.replace(element.element, () => lines.slice(0, kept).join('\n'))
  let low = Math.min(2, lines.length)
  let high = lines.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (countTokens(shortened(middle), tokenizer) <= room) low = middle
    else high = middle - 1
  }
  return shortened(low)
}

/** A summary without a model: caption, else the nearest heading, and the header cells. */
export function summarizeByHeaders({ element, captionAbove, captionBelow, headings }: TableContext): TableOutput {
  const caption =
    (element.table?.caption ?? captionAbove ?? captionBelow)
      ?.slice(0, LONGEST_CAPTION)
      .replace(/\*\*|__/g, '')
      .replace(/[\r\n][\s>]*|\s+/g, ' ')
      .replace(/^[>*_#\-:\s]+|[*_\s]+$/g, '') ?? null
  const { columns = [], rows = [] } = element.table ?? {}
  const about = caption ?? headings.at(-1) ?? ''
  const cells = columns.filter((cell) => cell !== '').join(', ')
  return {
    summary: [about, cells].filter((part) => part !== '').join(': '),
    tableTitle: null,
    tableId: null,
    columns: columns.map((colName, index) => ({ colName, colType: kindOfColumn(rows, index), summary: null })),
  }
}

const isNumber = lazy(() => /^[-+]?\p{Sc}?\s?\d[\d.,\s]*\s?[%\p{Sc}]?$/u)

/** `number` when every cell that holds something is one, else `text`. */
function kindOfColumn(rows: readonly string[][], index: number): string {
  const cells = rows.map((row) => row[index] ?? '').filter((cell) => cell !== '')
  return cells.length > 0 && cells.every((cell) => cell.length < 40 && isNumber().test(cell)) ? 'number' : 'text'
}
