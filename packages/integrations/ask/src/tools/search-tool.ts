/**
 * @module
 * The tool that searches sections and tables.
 */
import { FunctionTool } from '@x/agents'
import { placeText } from '@x/retrieval/tables'
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
          line: { type: 'integer', description: 'the line of the best part of a section' },
          text: { type: 'string', description: 'the best part of a section; a table has rows' },
        },
        required: ['place', 'heading', 'score'],
      },
    },
    note: { type: 'string' },
  },
  required: ['passages'],
} as const

/** Searches sections and tables by words. */
export function searchTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'search',
    title: 'Search the documents',
    description:
      'Searches the Markdown documents by words. Returns sections with their place (file:line-line), headings and best part, or a table with its id and the rows that match: a question for a cell finds its table. Pass a question, or the words that the documents may contain; read returns the whole section.',
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
        const found = await docs.search(query, { limit, within: scope })
        const best = found[0]?.score ?? 1
        const passages = await Promise.all(
          found.map(async ({ file, from, to, line, path, excerpt, score }) => {
            const rounded = Math.round((score / best) * 100) / 100
            const table = (await docs.tablesOf(file)).find(({ place: at }) => at.line <= line && line <= at.endLine)
            if (table) return { ...tablePassage(table, query), score: rounded }
            const heading = path.join(' > ')
            return { place: placeText({ file, line: from, endLine: to }), line, heading, text: excerpt, score: rounded }
          }),
        )
        const missing = await docs.missing(query)
        const language = await docs.otherLanguage(query)
        const notes = [
          passages.length === 0 && 'No section contains one of these words.',
          passages.length > 0 && missing.length > 0 && `In no document: ${missing.join(', ')}.`,
          language && `The documents are in ${language.documents}: search with words of that language.`,
        ].filter((note) => note)
        return { passages, ...(notes.length > 0 && { note: notes.join(' ') }) }
      }),
  })
}
