/** The elements of a Markdown text. */
import { MarkdownElementNodeParser, type TableCandidate, type TableFilter } from '@x/node-parser'
import { type Operations, operation } from '../../case.ts'
import { argument, isObject, named, optional, type Reader, shape, string } from '../../reader.ts'
import { element, elementForm, elementOf } from './element.ts'

type Filters = (parser: MarkdownElementNodeParser) => TableFilter[]

const ownFilter: Filters = (parser) => [(table) => parser.filterTable(table)]

const filters = named<Filters>({
  default: ownFilter,
  none: () => [],
  reject_all: () => [() => false],
  min_3_rows: (parser) => [...ownFilter(parser), (table) => (table.table?.rows.length ?? 0) >= 3],
})

/** An element; a value that is not an object goes to the filter as it is. */
const candidate: Reader<TableCandidate> = (value, at) =>
  isObject(value) ? elementOf(element(value, at)) : argument<TableCandidate>()(value, at)

export const elements: Operations = {
  'MarkdownElementNodeParser.extract_elements': operation(
    shape({ text: string, node_id: argument<string | null>(), table_filters: optional(filters) }),
    ({ text, node_id: nodeId, table_filters = ownFilter }) => {
      const parser = new MarkdownElementNodeParser()
      return parser.extractElements(text, { nodeId, tableFilters: table_filters(parser) }).map(elementForm)
    },
  ),

  'MarkdownElementNodeParser.filter_table': operation(shape({ table_element: candidate }), (given) =>
    new MarkdownElementNodeParser().filterTable(given.table_element),
  ),
}
