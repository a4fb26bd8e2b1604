import { Document } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { MarkdownElementNodeParser } from './markdown-element-node-parser.ts'

describe('index nodes without a model', () => {
  const indexesOf = async (text: string) => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    const nodes = await parser.getNodesFromDocuments([new Document({ text })])
    return nodes.filter((node) => 'indexId' in node).map((node) => node.getContent('embed'))
  }

  it('differ for tables of one form, by the headings above and the first column', async () => {
    const table = (value: string) => `| Name | Type |\n|---|---|\n| ${value} | 1 |\n`
    const text = `# API\n\n## Cat\n\n### Methods\n\n${table('purr')}\n## Dog\n\n### Methods\n\n${table('bark')}\n${table('run')}`
    const found = await indexesOf(text)
    expect(found.map((content) => content.split(',\n')[0])).toEqual([
      'API > Cat > Methods: Name, Type; Name: purr',
      'API > Dog > Methods: Name, Type; Name: bark',
      'API > Dog > Methods: Name, Type; Name: run',
    ])
  })

  it('are plain text, and name no empty column', async () => {
    const text =
      '# Uses <a name="x" id="x"></a>\n\n| | **Name** | ![Logo](l.png) |\n|---|---|---|\n| [`a_b`](u) | c | d |\n| x\\|y | c | d |\n'
    expect(await indexesOf(text)).toEqual([
      'Uses: Name, Logo; rows: a_b, x|y,\nwith the following columns:\n- Name\n- Logo\n',
    ])
    expect(await indexesOf('|  |  |\n|---|---|\n| 1 | 2 |\n')).toEqual(['rows: 1'])
  })

  it.each([
    ['max\\_tokens', 'max_tokens'],
    ['`__init__`', '__init__'],
    ['__init__', 'init'],
    ['`Map<K, V>`', 'Map<K, V>'],
    ['`<div>`', '<div>'],
    ['a \\* b', 'a * b'],
    ['\\<T>', '<T>'],
    ['<https://example.org>', 'https://example.org'],
    ['\\`x\\`', '`x`'],
    ['`a*b*c _d_`', 'a*b*c _d_'],
    ['&lt;T&gt;', '<T>'],
    ['a<br/>b <b>c</b>', 'a b c'],
    ['[![npm][badge]][npm-url] `x[i][j]` x[0][1]', 'npm x[i][j] x[0][1]'],
    ['[a][bc] m[row][column] f(x)[key][name]', '[a][bc] m[row][column] f(x)[key][name]'],
    ['{#id}', '{#id}'],
  ])('keep the text of the cell and of the heading %s', async (cell, plain) => {
    const [index = ''] = await indexesOf(`# A ${cell}\n\n| Option | ${cell} |\n|--|--|\n| ${cell} | 2 |`)
    expect(index.split('\n')[3]).toBe(`- ${plain}`)
    const heading = cell.startsWith('{')
      ? 'A'
      : cell.includes('<br')
        ? 'A ab c'
        : cell.startsWith('[!')
          ? null
          : `A ${plain}`
    if (heading !== null) expect(index).toContain(`${heading}: Option, ${plain}; Option: ${plain},`)
  })

  it('have captions as plain text', async () => {
    const table = '\n\n| a | b |\n|--|--|\n| 1 | 2 |'
    const names: [string, string][] = [
      ['**Table 1**: `__init__`', 'Table 1: __init__'],
      ['** Table 1 of *x* **', 'Table 1 of x'],
      ['> *Table 2*', 'Table 2'],
    ]
    for (const [caption, plain] of names) expect((await indexesOf(`${caption}${table}`))[0]).toContain(`${plain}: a, b`)
  })

  it('count their metadata within maxTableTokens', async () => {
    const text = `# ${'Long heading '.repeat(6)}\n\n| a | b |\n|---|---|\n${'| word | 2 |\n'.repeat(40)}`
    const parse = (maxTableTokens: number) =>
      new MarkdownElementNodeParser({ summarizer: 'headers', headerPath: true, maxTableTokens }).getNodesFromDocuments([
        new Document({ text, metadata: { author: 'Ann' } }),
      ])
    for (const node of await parse(64))
      if ('table_part' in node.metadata) expect(node.getContent('embed').length).toBeLessThanOrEqual(64 * 4)
    await expect(parse(20)).rejects.toMatchObject({ code: 'metadata_too_long' })
  })
})

it('a node of text has the path of the headings that are above all of it', async () => {
  const text = '# Guide\n\n## Use\n\none\n\n## Next\n\ntwo\n\n# Other\n\nthree'
  const parse = async (chunkSize: number) =>
    (
      await new MarkdownElementNodeParser({ summarizer: 'headers', chunkSize, headerPath: true }).getNodesFromDocuments(
        [new Document({ text })],
      )
    ).map((node) => [node.text.split('\n')[0], node.metadata['header_path']])
  expect(await parse(1000)).toEqual([['# Guide', undefined]])
  expect(await parse(8)).toEqual([
    ['# Guide', 'Guide > Use'],
    ['one', 'Guide'],
    ['two', undefined],
  ])
})

it('cuts links and inline code only if they do not fit otherwise', async () => {
  const link = '[the guide of all things](https://example.org/a_long_path)'
  const text = `${'word '.repeat(20)}${link} ${'word '.repeat(18)}\`a b c d e f\` ${'word '.repeat(20)}`
  for (let chunkSize = 20; chunkSize < 60; chunkSize++) {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers', chunkSize, chunkOverlap: 0 })
    const nodes = await parser.getNodesFromDocuments([new Document({ text })])
    const texts = nodes.map((node) => node.text)
    expect(texts.some((part) => part.includes(link))).toBe(true)
    expect(texts.some((part) => part.includes('`a b c d e f`'))).toBe(true)
    expect(texts.every((part) => part.length <= chunkSize * 4)).toBe(true)
  }
})
