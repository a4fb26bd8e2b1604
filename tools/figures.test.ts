import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { figuresAsMarkdown, readFigures, renderedFigures } from './figures.ts'

const table = {
  title: 'a run',
  measure: 'runs per second',
  unit: '',
  digits: 0,
  better: 'more',
  rows: [
    { name: 'Peer', value: 900, version: '1.2.3' },
    { name: '`ours`', value: 12_000, ours: true },
  ],
} as const

it('sorts a table by what is better, with the versions of peers', () => {
  expect(figuresAsMarkdown(table)).toBe(
    '| a run | runs per second |\n| --- | ---: |\n| `ours` | 12,000 |\n| Peer 1.2.3 | 900 |\n',
  )
  const sizes = { ...table, measure: 'size', unit: 'kB', digits: 1, better: 'less' } as const
  expect(figuresAsMarkdown(sizes).split('\n').slice(2)).toEqual([
    '| Peer 1.2.3 | 900.0 kB |',
    '| `ours` | 12,000.0 kB |',
    '',
  ])
})

it('draws the longest bar for the largest value, with a name, a colour and a value for each', () => {
  const figures = { suite: 'agents', date: '2026-11-23', machine: 'Node 26', tables: [table] }
  const files = renderedFigures([figures])
  const picture = files.get('docs/pictures/bench-agents-1.svg')!
  expect([...picture.matchAll(/<rect class="(\w+)" .*? width="([\d.]+)"/g)].map(([, ...found]) => found)).toEqual([
    ['ours', '250.0'],
    ['peer', '18.8'],
  ])
  expect(picture).toContain('>Peer 1.2.3</text>')
  expect(picture).toContain('<title>The values of the table: a run, runs per second.</title>')
  expect(files.get('docs/benchmarks.md')).toContain('`npm run bench -- agents --write`, 2026-11-23: Node 26.')
})

it('has rendered the page and the pictures from the figures of the repository', () => {
  for (const [path, text] of renderedFigures(readFigures()))
    expect({ path, text: readFileSync(join(import.meta.dirname, '..', path), 'utf8') }).toEqual({ path, text })
})
