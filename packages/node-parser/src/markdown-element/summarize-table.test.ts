import { LLMMetadata } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { growthOf } from '../../../../tools/growth.ts'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'
import {
  checkedOutput,
  readTableOutput,
  rowNames,
  summarizeByHeaders,
  summarizeByModel,
  summarizeOnce,
  tableContext,
} from './summarize-table.ts'

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

  it('tries 100 opening braces', () => {
    expect(readTableOutput('{'.repeat(99) + good).summary).toBe('a } b')
    expect(() => readTableOutput('{'.repeat(100) + good)).toThrow(expect.objectContaining({ code: 'summary_format' }))
  })

  it('takes numbers as text, and the keys that may be missing', () => {
    const columns = [{ col_name: 'x', col_type: 't', summary: 's' }]
    const answer = { summary: 5, table_title: 'T', table_id: 6, columns, should_keep: 'yes' }
    expect(readTableOutput(JSON.stringify(answer))).toStrictEqual({
      summary: '5',
      tableTitle: 'T',
      tableId: '6',
      columns: [{ colName: 'x', colType: 't', summary: 's' }],
    })
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

const fruits = '| name | price |\n|---|---|\n| fig | 2 |\n| pear | 30 |'
/** The first table of a text in its context. */
function contextOf(text: string, headings: string[] = [], section: string | null = null) {
  const elements = new MarkdownElementNodeParser().extractElements(text)
  return tableContext(
    elements,
    elements.findIndex(({ type }) => type === 'table'),
    headings,
    section,
  )
}

describe('tableContext', () => {
  it.each<[string, string | null, string | null]>([
    [`One.\n\nTable 1: Fruit\n\n${fruits}\n\nTwo.`, 'Table 1: Fruit', null],
    [`${fruits}\n\n**Table 2** Fruit\n\nTwo.`, null, '**Table 2** Fruit'],
    [`Table 1: Fruit\n\nOne.\n\n${fruits}\n\nTwo.\n\nTable 2`, null, null],
    [`Tables are here.\n\n${fruits}\n\n表2`, null, '表2'],
    [fruits, null, null],
  ])('has the captions of %j', (text, captionAbove, captionBelow) => {
    const context = ['Section: A', captionAbove, fruits, captionBelow].filter((part) => part !== null).join('\n')
    expect(contextOf(text, ['A'], 'Section: A')).toMatchObject({ captionAbove, captionBelow, headings: ['A'], context })
  })
})

describe('summarizeByHeaders', () => {
  const summary = (text: string, ...headings: string[]) => summarizeByHeaders(contextOf(text, headings)).summary

  it('names headings, caption, columns and the values of the first column', () => {
    expect(summary(fruits, 'A', 'B')).toBe('A > B: name, price; name: fig, pear')
    const both = `**Table 1**: Fruit\n\n${fruits}\n\nTable 2: Other`
    expect(summary(both, 'A')).toBe('A > Table 1: Fruit: name, price; name: fig, pear')
    expect(summary(`${fruits}\n\n> Table 2:\n> Other`)).toBe('Table 2: Other: name, price; name: fig, pear')
    expect(summary(`Table ${'x'.repeat(300)}\n\n${fruits}`)).toBe(
      `Table ${'x'.repeat(294)}: name, price; name: fig, pear`,
    )
  })

  it('has no marks around a caption, and no empty part', () => {
    expect(summary(`** Table 1 **\n\n${fruits}`)).toBe('Table 1: name, price; name: fig, pear')
    expect(summary(`-: Table 1 **\n\n${fruits}`)).toBe('Table 1 **: name, price; name: fig, pear')
    expect(summary('| a | |\n|---|---|\n| | 1 |')).toBe('a')
  })

  it('has each value once, as many as fit', () => {
    const rows = (...values: string[]) =>
      `| name | n |\n|---|---|\n${values.map((value) => `| ${value} | 1 |`).join('\n')}`
    expect(summary(rows('fig', '', '**fig**', 'pear'))).toBe('name, n; name: fig, pear')
    const long = Array.from('abcde', (letter) => letter.repeat(48))
    expect(summary(rows(...long))).toBe(`name, n; name: ${long.slice(0, 4).join(', ')}`)
    expect(summary(rows(...long.with(3, 'd'.repeat(49))))).toBe(`name, n; name: ${long.slice(0, 3).join(', ')}`)
  })

  it.each<[string[], string]>([
    [['2', '-3.5', '1,000', '€ 5', '7 %'], 'number'],
    [['2', ''], 'number'],
    [['', ''], 'text'],
    [['2', 'x'], 'text'],
    [['1'.repeat(39)], 'number'],
    [['1'.repeat(40)], 'text'],
  ])('says of a column with %j that it is %s', (values, type) => {
    const text = `| a | b |\n|---|---|\n${values.map((value) => `| x | ${value} |`).join('\n')}`
    expect(summarizeByHeaders(contextOf(text)).columns).toEqual([
      { colName: 'a', colType: 'text', summary: null },
      { colName: 'b', colType: type, summary: null },
    ])
  })

  it('rowNames has the values of some rows', () => {
    const { element } = contextOf(fruits)
    expect([rowNames(element, 0, 1), rowNames(element, 1, 2), rowNames(element, 2, 3)]).toEqual([
      'name: fig',
      'name: pear',
      '',
    ])
  })
})

describe('summarizeByModel', () => {
  const ask = async (answers: (string | Error)[], options: object = {}, metadata: object = {}, text = fruits) => {
    const llm = new ScriptedLLM({ answers, metadata: new LLMMetadata({ isChatModel: false, ...metadata }) })
    const output = await summarizeByModel(llm, options)(contextOf(text), {})
    return { output, prompts: llm.calls.map(({ prompt }) => prompt!) }
  }

  it('asks for a summary as text if the answer has no JSON object', async () => {
    const { output, prompts } = await ask(['no', ' Fruit. '], { question: 'What is it?' })
    expect(output).toEqual({ summary: 'Fruit.', tableTitle: null, tableId: null, columns: [] })
    for (const prompt of prompts)
      expect([prompt.includes(fruits), prompt.includes('What is it?')]).toEqual([true, true])
    expect(prompts).toHaveLength(2)
    expect((await ask([good])).output.summary).toBe('a } b')
    await expect(ask([new Error('down'), 'never'])).rejects.toThrow('down')
  })

  it.each([
    [null, 5],
    [7, 5],
    [6, 4],
    [3, 1],
    [2, 5],
  ])('sends as many rows as fit into a context of %j tokens', async (contextWindow, rows) => {
    const text = `| a | b |\n|---|---|\n${[1, 2, 3, 4, 5].map((n) => `| zz | ${n} |`).join('\n')}`
    const tokenizer = (part: string) => part.match(/zz/g) ?? []
    const { prompts } = await ask([good], { tokenizer }, { contextWindow, numOutput: 2 }, text)
    expect(tokenizer(prompts[0]!)).toHaveLength(rows)
    const headed = await ask(
      [good],
      { tokenizer },
      { contextWindow: 3, numOutput: 2 },
      text.replace('a | b', 'zz | zz'),
    )
    expect(tokenizer(headed.prompts[0]!)).toHaveLength(2)
    expect(headed.prompts[0]).toContain('| zz | zz |\n|---|---|')
  })
})

describe('checkedOutput', () => {
  const output = { summary: 's', columns: [{ colName: 'a' }] }

  it('accepts a summary with and without a title', () => {
    for (const own of [output, { ...output, tableTitle: null }, { ...output, tableTitle: 'T' }])
      expect(checkedOutput('P', own)).toBe(own)
  })

  it.each<[unknown, string]>([
    [null, 'P.summarizer(): expected a summary of the table'],
    ['s', 'P.summarizer(): expected a summary of the table'],
    [{ ...output, summary: 5 }, 'P.summarizer().summary: expected a string'],
    [{ ...output, tableTitle: 5 }, 'P.summarizer().tableTitle: expected a string or null'],
    [{ ...output, columns: {} }, 'P.summarizer().columns: expected an array of columns'],
    [{ ...output, columns: [{ colName: 'a' }, null] }, 'P.summarizer().columns[1].colName: expected a string'],
  ])('refuses %j', (wrong, message) => {
    expect(() => checkedOutput('P', wrong)).toThrow(message)
  })
})

it('summarizeOnce creates a summary for each table with other headings', async () => {
  const names: string[] = []
  let made = 0
  const once = summarizeOnce(() => ({ summary: `${++made}` }) as never, (async (
    name: string,
    work: () => Promise<unknown>,
  ) => {
    names.push(name)
    return work()
  }) as never)
  const summaries = await Promise.all([[], [], ['A']].map((headings) => once(contextOf(fruits, headings), {})))
  expect(summaries.map(({ summary }) => summary)).toEqual(['1', '1', '2'])
  expect(names).toEqual([expect.stringMatching(/^table\/[\da-f]{32}$/), expect.any(String)])
})
