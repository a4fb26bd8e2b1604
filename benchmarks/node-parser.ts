/**
 * Compares the speed of Markdown parsing: our elements with tables, plain micromark with GFM tables, the tokens of
 * marked and markdown-it, and the Markdown splitters of LangChain and Mastra, which do not support tables.
 * Exits with 1 when our elements take more than 1/20 of the time of plain micromark.
 *
 * @example npm run bench -- node-parser
 */
import { Document } from '../packages/core-model/src/index.ts'
import {
  extractMarkdownElements,
  MarkdownElementNodeParser,
  MarkdownNodeParser,
} from '../packages/node-parser/src/index.ts'
import { writeFigures } from '../tools/figures.ts'
import { bar, interleaved, tableOf } from './contest.ts'

/** A document of about `size` characters: headings, wrapped text, lists, code, and a table in every second section. */
function markdownOf(size: number): string {
  const parts: string[] = []
  let length = 0
  for (let section = 0; length < size; section++) {
    const rows = Array.from(
      { length: 6 },
      (_, row) => `| \`option${row}\` | string | The *value* number ${row} of section ${section} |`,
    )
    const part = `## Section ${section} about \`things\`

Some **words** about the [subject](https://example.org/${section}) that are long enough to be wrapped,
as people do it, over two or three lines of text, with a few _marks_ in between
and an end.

- first item with \`code\`
- second item that is
  wrapped
${section % 2 === 0 ? `\n| Option | Type | Description |\n| --- | :---: | ---: |\n${rows.join('\n')}\n` : ''}
\`\`\`ts
const value${section} = table | other
\`\`\`

`
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

type Contestant = (text: string) => unknown

const contestants: Record<string, () => Promise<Contestant>> = {
  '`extractMarkdownElements`': async () => (text) => extractMarkdownElements(text).length,
  '`MarkdownElementNodeParser`: nodes with hashes': async () => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    return (text) => parser.getNodesFromDocuments([new Document({ text })])
  },
  '`MarkdownNodeParser`: nodes with hashes': async () => {
    const parser = new MarkdownNodeParser()
    return (text) => parser.getNodesFromDocuments([new Document({ text })])
  },
  'plain micromark, tables': async () => {
    const { parse, postprocess, preprocess } = await import('micromark')
    const { gfmTable } = await import('micromark-extension-gfm-table')
    return (text) =>
      postprocess(
        parse({ extensions: [gfmTable()] })
          .document()
          .write(preprocess()(text, undefined, true)),
      ).length
  },
  'markdown-it tokens': async () => {
    const { default: MarkdownIt } = await import('markdown-it')
    const parser = new MarkdownIt()
    return (text) => parser.parse(text, {}).length
  },
  'marked tokens': async () => {
    const { lexer } = await import('marked')
    return (text) => lexer(text).length
  },
  'LangChain splitter': async () => {
    const { MarkdownTextSplitter } = await import('@langchain/textsplitters')
    const splitter = new MarkdownTextSplitter({ chunkSize: 1000, chunkOverlap: 0 })
    return (text) => splitter.splitText(text)
  },
  'Mastra by headings': async () => {
    const { MDocument } = await import('@mastra/rag')
    return (text) =>
      MDocument.fromMarkdown(text).chunk({
        strategy: 'markdown',
        headers: [
          ['#', 'h1'],
          ['##', 'h2'],
        ],
      } as never)
  },
}

const text = markdownOf(1_000_000)
const running: Record<string, () => unknown> = {}
for (const [name, make] of Object.entries(contestants)) {
  const run = await make()
  await run(text.slice(0, 20_000))
  running[name] = () => run(text)
}
const times = await interleaved(running, 5, 0)
const packages: Readonly<Record<string, string>> = {
  'plain micromark': 'micromark',
  'markdown-it': 'markdown-it',
  marked: 'marked',
  LangChain: '@langchain/textsplitters',
  Mastra: '@mastra/rag',
}

const table = {
  title: 'one megabyte of Markdown with tables',
  measure: 'milliseconds',
  digits: 1,
  better: 'less',
  text: 'The splitters of LangChain and Mastra do not know tables; marked and markdown-it return tokens without nodes.',
} as const
writeFigures('node-parser', [tableOf(table, times, packages)])
const ratio = times.get('plain micromark, tables')! / times.get('`extractMarkdownElements`')!
bar(ratio >= 20, `our elements take 1/${ratio.toFixed(0)} of the time of plain micromark (bar 1/20)`)
