import { expect, it } from 'vitest'
import * as entry from './index.ts'

it('has these error codes', () => {
  expect([
    new entry.DanglingIndexNodeError('a', 'b').code,
    new entry.MetadataTooLongError('X', 2, 1).code,
    new entry.MissingModelError('X').code,
    new entry.MissingTableOutputError('e').code,
    new entry.SummaryFormatError('', 'x').code,
  ]).toEqual(['dangling_index_node', 'metadata_too_long', 'missing_model', 'missing_table_output', 'summary_format'])
})
