import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areaNames, loadArea } from './areas.ts'
import { readCaseFiles } from './command.ts'

const folder = join(import.meta.dirname, '..', '..', 'conformance')

/** The areas whose files each FORMAT page with tables of operations is about; the other pages link to these. */
const areasOf: Readonly<Record<string, readonly string[]>> = {
  'FORMAT-agents.md': ['agents', 'query-pipeline'],
  'FORMAT-node-parser.md': ['nodes', 'node-parser'],
  'FORMAT-postprocessors.md': ['postprocessors'],
  'FORMAT-prompts.md': ['models', 'prompts'],
}

/** The operations in the tables of a page whose first column is `op`. */
function operationsIn(text: string): string[] {
  const operations: string[] = []
  for (const [, rows = ''] of text.matchAll(/^\| `?op`? \|.*\n\|[-|]+\n((?:\|.*(?:\n|$))+)/gm)) {
    for (const [, cell = ''] of rows.matchAll(/^\| (.*?) \|/gm))
      operations.push(...Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name))
  }
  return operations.map((name, index) => fullName(name, operations[index - 1] ?? ''))
}

/** `….name` and `<Class>.name` stand for an operation of a class, `.name` for one of the class before. */
function fullName(name: string, before: string): string {
  if (name.startsWith('.')) return `${before.split('.')[0]}${name}`
  return name.replace('….', 'MarkdownElementNodeParser.').replace('<Class>', classFor(name))
}

const classFor = (name: string) => (name.endsWith('mask_pii') ? 'PIINodePostprocessor' : 'SimilarityPostprocessor')

describe('the adapters', () => {
  it('exist for every file of cases', () => {
    const areas = readCaseFiles(folder).map(({ area }) => area)
    expect(areas.filter((area) => !areaNames.includes(area))).toEqual([])
  })

  it.each(Object.entries(areasOf))('know every operation of %s', async (page, names) => {
    const operations = operationsIn(readFileSync(join(folder, page), 'utf8'))
    expect(operations.length).toBeGreaterThan(0)
    const areas = await Promise.all(names.map(loadArea))
    expect(operations.filter((op) => !areas.some((area) => area?.find(op)))).toEqual([])
  })

  it('have a page with tables, or one that links to such a page', () => {
    for (const page of globSync('FORMAT-*.md', { cwd: folder })) {
      const text = readFileSync(join(folder, page), 'utf8')
      const linked = Object.keys(areasOf).filter((other) => text.includes(`](${other})`))
      expect([page, page in areasOf || linked.length > 0]).toEqual([page, true])
    }
  })

  it('do not know operations that look like properties', async () => {
    const area = await loadArea('postprocessors')
    expect(area?.find('SimilarityPostprocessor.toString')).toBeUndefined()
    expect(area?.find('toString')).toBeUndefined()
    expect(await loadArea('toString')).toBeNull()
  })
})
