import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { readTableOutput, summarizeByModel } from './summarize-table.ts'

const good =
  '{"summary": "a } b", "table_title": null, "columns": [{"col_name": 1, "col_type": "t"}], "should_keep": false}'

it('summarizeByModel refuses options that it does not have', () => {
  expect(() => summarizeByModel({} as never, { questions: '' } as never)).toThrow(
    'summarizeByModel.questions: unknown option; did you mean question?',
  )
})

describe('readTableOutput', () => {
  it('reads the first complete JSON object, with any text around it', () => {
    const output = {
      summary: 'a } b',
      tableTitle: null,
      tableId: null,
      columns: [{ colName: '1', colType: 't', summary: null }],
      shouldKeep: false,
    }
    for (const answer of [good, `Sure {of course}: ${good} {}`, `\`\`\`json\n${good}\n\`\`\``, `{"a": {${good}`])
      expect(readTableOutput(answer)).toEqual(output)
  })

  it('rejects missing keys and wrong types', () => {
    for (const answer of [
      '',
      'no',
      '{',
      '{}',
      '{"summary": "a"}',
      '{"summary": null, "columns": []}',
      '{"summary": true, "columns": []}',
      '{"summary": "a", "columns": {}}',
      '{"summary": "a", "columns": [null]}',
      '{"summary": "a", "columns": [{"col_name": "x", "col_type": null}]}',
    ])
      expect(() => readTableOutput(answer), answer).toThrow(expect.objectContaining({ code: 'summary_format', answer }))
  })

  it('takes linear time on hostile text', { tags: 'growth' }, async () => {
    expect(() => readTableOutput('{'.repeat(200_000))).toThrow(expect.objectContaining({ code: 'summary_format' }))
    expect(await growthOf((size) => readTableOutput('{'.repeat(size)), 5000)).toBeLessThan(1.75)
  })
})
