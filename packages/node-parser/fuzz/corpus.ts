/**
 * Reads every Markdown document of a folder with the node parsers and refuses differences from the folder's `facts.json`:
 * tables, cells, alignment, headings, exact slices, order, and characters that are in no element.
 *
 * @example npm run corpus -- path/to/documents
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Document } from '@x/core-model'
import { type Element, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'

interface TableFacts {
  line: number
  columns: number
  rows: number
  header: string[]
  align: (string | null)[]
  long_rows: number
  kept_by_default: boolean
}

interface DocumentFacts {
  characters: number
  tables: TableFacts[]
  headings: { line: number; depth: number; text: string; nested?: boolean }[]
}

const folder = resolve(process.env['INIT_CWD'] ?? process.cwd(), process.argv[2] ?? '')
const factsPath = join(folder, 'facts.json')
if (process.argv[2] === undefined || !existsSync(factsPath)) {
  console.error(
    `Usage: npm run corpus -- DIR; DIR contains Markdown files and facts.json${process.argv[2] ? ` (${factsPath} is missing)` : ''}.`,
  )
  process.exit(2)
}

const { documents } = JSON.parse(readFileSync(factsPath, 'utf8')) as { documents: Record<string, DocumentFacts> }

const lineAt = (text: string, offset: number) => text.slice(0, offset).split(/\r\n|\n|\r/).length
const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** Returns descriptions of the differences of a document. */
async function faultsOf(name: string, text: string, facts: DocumentFacts): Promise<string[]> {
  const faults: string[] = []
  const parser = new MarkdownElementNodeParser()
  const elements = parser.extractElements(text, { nodeId: name, tableFilters: [(table) => parser.filterTable(table)] })
  const tables = elements.filter(({ type }) => type !== 'text')
  const wanted = facts.tables.filter(({ kept_by_default: kept }) => kept)
  if (facts.characters !== text.length) faults.push(`${text.length} characters, expected ${facts.characters}`)
  if (tables.length !== wanted.length) faults.push(`${tables.length} tables, expected ${wanted.length}`)
  for (const [index, table] of tables.entries()) {
    const fact = wanted[index]
    if (fact === undefined) break
    const line = lineAt(text, table.startCharIdx ?? 0)
    if (line !== fact.line) faults.push(`table ${index}: in line ${line}, expected ${fact.line}`)
    const type = fact.long_rows > 0 ? 'table_text' : 'table'
    if (table.type !== type) faults.push(`table ${index}: ${table.type}, expected ${type}`)
    if (table.table === null) continue
    const { columns, rows, align } = table.table
    if (columns.length !== fact.columns || rows.length !== fact.rows)
      faults.push(`table ${index}: ${columns.length} × ${rows.length}, expected ${fact.columns} × ${fact.rows}`)
    if (rows.some((row) => row.length !== columns.length)) faults.push(`table ${index}: rows of different length`)
    if (!same(columns, fact.header)) faults.push(`table ${index}: header ${JSON.stringify(columns)}`)
    if (!same(align, fact.align)) faults.push(`table ${index}: alignment ${JSON.stringify(align)}`)
  }
  faults.push(...sliceFaults(text, elements), ...(await headingFaults(name, text, facts)))
  return faults
}

/** Texts are exact slices, elements are in order, and every letter and digit is in one. */
function sliceFaults(text: string, elements: readonly Element[]): string[] {
  const faults: string[] = []
  let covered = 0
  for (const { id, type, element, startCharIdx, endCharIdx } of elements) {
    const start = startCharIdx ?? -1
    const end = endCharIdx ?? -1
    if (type === 'text' && text.slice(start, end) !== element) faults.push(`${id}: no exact slice`)
    if (start < covered) faults.push(`${id}: overlaps`)
    let gap = text.slice(covered, start)
    // The container marks before the first line of a table belong to no element.
    if (type !== 'text') gap = gap.replace(/(^|[\r\n])[\s>*+\-\d.)]*$/, '$1')
    if (/[\p{L}\p{N}]/u.test(gap))
      faults.push(`${id}: ${JSON.stringify(gap.trim().slice(0, 40))} before it is in no element`)
    covered = end
  }
  if (/[\p{L}\p{N}]/u.test(text.slice(covered))) faults.push('text at the end is in no element')
  return faults
}

/** Sections start at the headings that are not part of a quote or list. */
async function headingFaults(name: string, text: string, facts: DocumentFacts): Promise<string[]> {
  const nodes = await new MarkdownNodeParser().getNodesFromDocuments([new Document({ id: name, text })])
  const found = nodes.flatMap(({ metadata, startCharIdx, text: slice, endCharIdx }) => {
    if (text.slice(startCharIdx ?? 0, endCharIdx ?? 0) !== slice)
      return [{ line: -1, depth: 0, text: 'no exact slice' }]
    const keys = Object.keys(metadata)
    const last = keys.at(-1)
    if (last === undefined) return []
    return [{ line: lineAt(text, startCharIdx ?? 0), depth: Number(last.at(-1)), text: String(metadata[last]) }]
  })
  const wanted = facts.headings
    .filter(({ nested }) => !nested)
    .map(({ line, depth, text: title }) => ({ line, depth, text: title }))
  if (found.length !== wanted.length) return [`${found.length} sections with a heading, expected ${wanted.length}`]
  return wanted.flatMap((heading, index) =>
    same(found[index], heading) ? [] : [`heading ${JSON.stringify(found[index])}, expected ${JSON.stringify(heading)}`],
  )
}

let failed = 0
const names = readdirSync(folder).filter((name) => name.endsWith('.md') && (name in documents || name !== 'SOURCES.md'))
for (const name of [...new Set([...names, ...Object.keys(documents)])].sort()) {
  const facts = documents[name]
  const path = join(folder, name)
  const faults =
    facts === undefined
      ? ['not in facts.json']
      : existsSync(path)
        ? await faultsOf(name, readFileSync(path, 'utf8'), facts)
        : ['no such file']
  if (faults.length > 0) failed++
  const kept = facts?.tables.filter((table) => table.kept_by_default).length ?? 0
  console.log(
    `${faults.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${kept} tables, ${facts?.headings.length ?? 0} headings`,
  )
  for (const fault of faults) console.log(`       ${fault}`)
}
console.log(`${Object.keys(documents).length} documents, ${failed} with differences`)
process.exitCode = failed === 0 ? 0 : 1
