import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('exports these names', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'BaseElementNodeParser',
    'DanglingIndexNodeError',
    'MarkdownElementNodeParser',
    'MarkdownNodeParser',
    'MissingModelError',
    'MissingTableOutputError',
    'NodeParser',
    'SummaryFormatError',
    'TextSplitter',
    'buildNodesFromSplits',
    'compareNodes',
    'extractMarkdownElements',
    'fromContent',
    'fromSource',
    'isSliceOfSource',
    'readBlocks',
    'readFrontMatter',
    'streamMarkdownElements',
    'summarizeByHeaders',
    'summarizeByModel',
  ])
})

it('has these error codes', () => {
  expect([
    new entry.DanglingIndexNodeError('a', 'b').code,
    new entry.MissingModelError('X').code,
    new entry.MissingTableOutputError('e').code,
    new entry.SummaryFormatError('', 'x').code,
  ]).toEqual(['dangling_index_node', 'missing_model', 'missing_table_output', 'summary_format'])
})
