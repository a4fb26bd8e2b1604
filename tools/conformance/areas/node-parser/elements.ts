/** The elements of a Markdown text. */
import { MarkdownElementNodeParser, type TableCandidate, type TableFilter } from '@x/node-parser'
import type { Operations } from '../../case.ts'
import { isObject, named } from '../../given.ts'
import { type ElementRecord, elementForm, elementOf } from './element.ts'

const ownFilter = (parser: MarkdownElementNodeParser): TableFilter[] => [(table) => parser.filterTable(table)]

const filters: Readonly<Record<string, typeof ownFilter>> = {
  default: ownFilter,
  none: () => [],
  reject_all: () => [() => false],
  min_3_rows: (parser) => [...ownFilter(parser), (table) => (table.table?.rows.length ?? 0) >= 3],
}

interface Extraction {
  text: string
  nodeId: string | null
  tableFilters?: string
}

export const elements: Operations = {
  'MarkdownElementNodeParser.extract_elements': ({ text, nodeId, tableFilters: name = 'default' }: Extraction) => {
    const parser = new MarkdownElementNodeParser()
    const tableFilters = named(filters, name)(parser)
    return parser.extractElements(text, { nodeId, tableFilters }).map(elementForm)
  },

  // A value that is not an object goes to the filter as it is.
  'MarkdownElementNodeParser.filter_table': ({ tableElement }: { tableElement: unknown }) =>
    new MarkdownElementNodeParser().filterTable(
      isObject(tableElement) ? elementOf(tableElement as unknown as ElementRecord) : (tableElement as TableCandidate),
    ),
}
