/** Summaries of tables. */
import { type Operations, operation } from '../../case.ts'
import { list, number, optional, shape } from '../../reader.ts'
import { element, elementOf, tableOutputForm } from './element.ts'
import { MockModel, script, withModel } from './mock-model.ts'
import { elementParser, elementParserKeys } from './parser.ts'

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

export const summaries: Operations = {
  'MarkdownElementNodeParser.extract_table_summaries': operation(
    shape({ ...elementParserKeys, elements: list(element), llm: optional(script) }),
    (given, expected) =>
      withModel(given.llm, expected, async (llm) => {
        const elements = given.elements.map(elementOf)
        await elementParser(given, { llm }).extractTableSummaries(elements)
        return { outputs: elements.map(({ tableOutput }) => tableOutputForm(tableOutput)) }
      }),
  ),

  'MarkdownElementNodeParser.concurrency': operation(
    shape({ ...elementParserKeys, tables: number, delays_ms: list(number) }),
    async (given) => {
      const { llm, seen } = slowModel(given.delays_ms)
      const elements = Array.from({ length: given.tables }, (_, index) =>
        elementOf({ id: `e${index}`, type: 'table_text', element: `| t${index} |` }),
      )
      await elementParser(given, { llm }).extractTableSummaries(elements)
      return { max_in_flight: seen.most, summaries: elements.map(({ tableOutput }) => tableOutput?.summary) }
    },
  ),
}
