import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('exports these names', () => {
  expect(Object.keys(entry).sort()).toEqual([
    'BaseElementNodeParser',
    'DanglingIndexNodeError',
    'MarkdownElementNodeParser',
    'MarkdownNodeParser',
    'MetadataAwareTextSplitter',
    'MetadataTooLongError',
    'MissingModelError',
    'MissingTableOutputError',
    'NodeParser',
    'SentenceSplitter',
    'SummaryFormatError',
    'TextSplitter',
    'TokenTextSplitter',
    'buildNodesFromSplits',
    'compareNodes',
    'extractMarkdownElements',
    'fromContent',
    'fromSource',
    'isSliceOfSource',
    'mdx',
    'readBlocks',
    'readFrontMatter',
    'streamMarkdownElements',
    'streamNodes',
    'summarizeByHeaders',
    'summarizeByModel',
    'tableRows',
    'typedElements',
  ])
})

it('has these error codes', () => {
  expect([
    new entry.DanglingIndexNodeError('a', 'b').code,
    new entry.MetadataTooLongError('X', 2, 1).code,
    new entry.MissingModelError('X').code,
    new entry.MissingTableOutputError('e').code,
    new entry.SummaryFormatError('', 'x').code,
  ]).toEqual(['dangling_index_node', 'metadata_too_long', 'missing_model', 'missing_table_output', 'summary_format'])
})
