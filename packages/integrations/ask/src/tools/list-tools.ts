/**
 * @module
 * The tools that list the documents, and the sections and tables of one.
 */
import { FunctionTool } from '@x/agents'
import { placeText } from '@x/retrieval/tables'
import type { Docs } from '../docs.ts'
import { linesOf } from '../document-list.ts'
import { sectionsOf } from './read-tool.ts'
import { limitOf, next, offset, pageOf, place, readOnly, tableProperties, whenRead, within } from './tool-parts.ts'

const LIMIT = 200

/** Lists the documents. */
export function listDocumentsTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'list_documents',
    title: 'List the documents',
    description:
      'Lists the documents of the folder with their titles and numbers of lines, and the files that cannot be read.',
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: { within, offset, limit: limitOf(LIMIT, 1000) },
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        total: { type: 'integer', description: 'the number of all documents within' },
        documents: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              title: { type: 'string' },
              lines: { type: 'integer' },
            },
            required: ['path', 'lines'],
          },
        },
        next,
        skipped: {
          type: 'array',
          description: 'the files and folders that cannot be read; on the first page',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, reason: { type: 'string' } },
            required: ['path', 'reason'],
          },
        },
      },
      required: ['total', 'documents'],
    },
    fn: ({ within: scope, offset: from = 0, limit = LIMIT }, context) =>
      whenRead(docs, context, async () => {
        const all = await docs.documents(scope)
        const skipped = from === 0 ? (await docs.skipped()).slice(0, limit) : []
        const { page, ...more } = pageOf(all, from, limit)
        const documents = page.map(({ path, title, lines }) => ({ path, ...(title !== null && { title }), lines }))
        return { total: all.length, documents, ...more, ...(skipped.length > 0 && { skipped: [...skipped] }) }
      }),
  })
}

const outlineSchema = {
  type: 'object',
  properties: {
    lines: { type: 'integer', description: 'the number of lines of the document' },
    sections: {
      type: 'array',
      items: {
        type: 'object',
        properties: { heading: { type: 'string' }, level: { type: 'integer' }, place },
        required: ['heading', 'level', 'place'],
      },
    },
    next,
    tables: {
      type: 'array',
      description: 'on the first page',
      items: {
        type: 'object',
        properties: {
          table: tableProperties.table,
          place,
          columns: tableProperties.columns,
          rowCount: tableProperties.rowCount,
        },
        required: ['table', 'place', 'columns', 'rowCount'],
      },
    },
  },
  required: ['lines', 'sections'],
} as const

/** Lists the sections and tables of a document. */
export function outlineTool(docs: Docs): FunctionTool {
  return FunctionTool.fromDefaults({
    name: 'outline',
    title: 'Outline of a document',
    description: 'Lists the headings and the tables of a document, each with its place.',
    annotations: readOnly,
    schema: {
      type: 'object',
      properties: {
        document: { type: 'string', description: 'the path, such as guides/install.md' },
        offset,
        limit: limitOf(LIMIT, 1000),
      },
      required: ['document'],
      additionalProperties: false,
    },
    outputSchema: outlineSchema,
    fn: ({ document, offset: from = 0, limit = LIMIT }, context) =>
      whenRead(docs, context, async () => {
        const { path, text, blocks } = await docs.blocks(document)
        const lines = linesOf(text).length
        const { page, ...more } = pageOf(sectionsOf(blocks, lines), from, limit)
        const sections = page.map(({ heading, level, line, endLine }) => ({
          heading,
          level,
          place: placeText({ file: path, line, endLine }),
        }))
        const tables = from === 0 ? await docs.tablesOf(path) : []
        const shown = tables.map(({ id, place: at, columns, rows }) => ({
          table: id,
          place: placeText(at),
          columns,
          rowCount: rows.length,
        }))
        return { lines, sections, ...more, ...(from === 0 && { tables: shown }) }
      }),
  })
}
