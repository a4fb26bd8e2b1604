/**
 * @module
 * The tool that searches texts and tables.
 */
import { FunctionTool } from '@x/agents'
import { headingOf, isTableNode, placeOf, placeText, readTable } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import { limitOf, place, readOnly, tablePassage, tableProperties, whenRead, within } from './tool-parts.ts'

const LIMIT = 8

const outputSchema = {
  type: 'object',
  properties: {
    passages: {
      type: 'array',
      description: 'best first',
      items: {
        type: 'object',
        properties: {
          ...tableProperties,
          place,
          score: { type: 'number', description: '1 for the best passage' },
          text: { type: 'string', description: 'of a text; a table has rows' },
        },
        required: ['place', 'heading', 'score'],
      },
    },
    note: { type: 'string' },
  },
  required: ['passages'],
} as const

/** Searches texts and tables by words. */
export function searchTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'search',
    title: 'Search the documents',
    description:
      'Searches the Markdown documents by words. Returns passages with their place (file:line-line) and headings. A passage is a text, or a table with its id and the rows that match: a question for a cell finds its table. Pass the words that the documents may contain, not a whole sentence.',
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'the words to look for' },
        limit: limitOf(LIMIT, 50),
        within,
      },
      required: ['query'],
      additionalProperties: false,
    },
    outputSchema,
    fn: ({ query, limit = LIMIT, within: scope }, context) =>
      whenRead(docs, context, async () => {
        const found = await docs.search(query, limit, { within: scope, signal: context.signal })
        const best = found[0]?.score || 1
        const passages = found.map(({ node, score }) => {
          const rounded = Math.round(((score ?? 0) / best) * 100) / 100
          return isTableNode(node)
            ? { ...tablePassage(readTable(node), query), score: rounded }
            : { place: placeText(placeOf(node)), heading: headingOf(node), text: node.text, score: rounded }
        })
        return { passages, ...(passages.length === 0 && { note: 'No passage contains one of these words.' }) }
      }),
  })
}
