/** Summaries of tables. */
import type { Operations } from '../../case.ts'
import { type ElementRecord, elementOf, tableOutputForm } from './element.ts'
import { MockModel, type Script, withModel } from './mock-model.ts'
import { elementParser, type ParserRecord } from './parser.ts'

/** A model whose k-th call takes the k-th delay, and which notes how many calls are open at once. */
function slowModel(delays: readonly number[]) {
  const seen = { calls: 0, open: 0, most: 0 }
  const llm = new MockModel(async (prompt) => {
    const delay = delays[seen.calls++]
    seen.most = Math.max(seen.most, ++seen.open)
    await new Promise((resolve) => setTimeout(resolve, delay))
    seen.open -= 1
    return JSON.stringify({ summary: `S${/\| t(\d+) \|/.exec(prompt)?.[1]}`, columns: [] })
  })
  return { llm, seen }
}

interface OfElements extends ParserRecord {
  elements: ElementRecord[]
  llm?: Script
}

interface OfTables extends ParserRecord {
  tables: number
  delaysMs: number[]
}

export const summaries: Operations = {
  'MarkdownElementNodeParser.extract_table_summaries': (
    { elements: records, llm: script, ...given }: OfElements,
    { expect },
  ) =>
    withModel(script, expect, async (llm) => {
      const elements = records.map(elementOf)
      await elementParser(given, { llm }).extractTableSummaries(elements)
      return { outputs: elements.map(({ tableOutput }) => tableOutputForm(tableOutput)) }
    }),

  'MarkdownElementNodeParser.concurrency': async ({ tables, delaysMs, ...given }: OfTables) => {
    const { llm, seen } = slowModel(delaysMs)
    const elements = Array.from({ length: tables }, (_, index) =>
      elementOf({ id: `e${index}`, type: 'table_text', element: `| t${index} |` }),
    )
    await elementParser(given, { llm }).extractTableSummaries(elements)
    return { max_in_flight: seen.most, summaries: elements.map(({ tableOutput }) => tableOutput?.summary) }
  },
}
