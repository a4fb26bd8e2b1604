/**
 * Compares speed and memory of Markdown parsing: our elements with tables, plain micromark with GFM tables, the tokens of
 * marked and markdown-it, and the Markdown splitters of LangChain and Mastra, which do not support tables. Then it measures
 * the growth of time and memory up to 50 MB. Exits with 1 when a bar is missed.
 *
 * @example npm run bench -- node-parser
 */
import { spawnSync } from 'node:child_process'
import { Document } from '../packages/core-model/src/index.ts'
import {
  extractMarkdownElements,
  MarkdownElementNodeParser,
  MarkdownNodeParser,
} from '../packages/node-parser/src/index.ts'
import { type Figure, peerVersion, writeFigures } from '../tools/figures.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

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
  'our elements': async () => (text) => extractMarkdownElements(text).length,
  'our nodes, with hashes': async () => {
    const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
    return (text) => parser.getNodesFromDocuments([new Document({ text })])
  },
  'our sections': async () => {
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

// A separate process parses once, so that its memory is that of one parse.
const [, , child, childSize] = process.argv
if (child !== undefined) {
  const text = markdownOf(Number(childSize))
  const run = await (contestants[child] as () => Promise<Contestant>)()
  const start = performance.now()
  await run(text)
  const time = performance.now() - start
  print(JSON.stringify({ time, memory: process.resourceUsage().maxRSS / 1024 }))
  process.exit(0)
}

function inOwnProcess(name: string, size: number): { time: number; memory: number } | null {
  const { stdout, status } = spawnSync(
    process.execPath,
    [...process.execArgv, '--max-old-space-size=6000', import.meta.filename, name, String(size)],
    { encoding: 'utf8', maxBuffer: 1e8 },
  )
  return status === 0 ? JSON.parse(stdout) : null
}

let missed = 0
function bar(what: string, met: boolean): void {
  if (!met) missed++
  print(`${met ? 'ok  ' : 'MISS'} ${what}`)
}

const median = (list: number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] as number
const MB = 1_000_000
const text = markdownOf(MB)
const running = new Map<string, Contestant>()
for (const [name, make] of Object.entries(contestants)) {
  try {
    const run = await make()
    await run(text.slice(0, 20_000))
    running.set(name, run)
  } catch (error) {
    print(`${name} is not measured: ${(error as Error).message.split('\n', 1)[0]}`)
  }
}
const times = new Map<string, number[]>()
for (let round = 0; round < 5; round++) {
  for (const [name, run] of running) {
    const start = performance.now()
    await run(text)
    times.set(name, [...(times.get(name) ?? []), performance.now() - start])
  }
}
print(
  `${(text.length / MB).toFixed(2)} MB with tables: median of 5 interleaved rounds; the first parse and the peak memory of an own process`,
)
const medians = new Map<string, number>()
for (const [name, list] of times) {
  const time = median(list)
  medians.set(name, time)
  const own = inOwnProcess(name, MB)
  print(
    `  ${name.padEnd(24)} ${time.toFixed(1).padStart(8)} ms   first ${own?.time.toFixed(0).padStart(6) ?? 'failed'} ms   ${own?.memory.toFixed(0).padStart(5) ?? ''} MB`,
  )
  if (name === 'our elements')
    bar(`our elements: ${own?.memory.toFixed(0)} MB of process memory (bar 150)`, (own?.memory ?? 1e9) < 150)
}
const packages: Readonly<Record<string, string>> = {
  'plain micromark': 'micromark',
  'markdown-it': 'markdown-it',
  marked: 'marked',
  LangChain: '@langchain/textsplitters',
  Mastra: '@mastra/rag',
}

const ownNames: Readonly<Record<string, string>> = {
  'our elements': '`extractMarkdownElements`',
  'our nodes, with hashes': '`MarkdownElementNodeParser`: nodes with hashes',
  'our sections': '`MarkdownNodeParser`: nodes with hashes',
}

function figureOf(name: string, value: number): Figure {
  const peer = Object.keys(packages).find((each) => name.startsWith(each))
  return peer === undefined
    ? { name: ownNames[name] ?? name, value, ours: true }
    : { name, value, version: peerVersion(packages[peer]!) }
}

writeFigures('node-parser', [
  {
    title: 'one megabyte of Markdown with tables',
    measure: 'milliseconds',
    unit: '',
    digits: 1,
    better: 'less',
    text: 'The splitters of LangChain and Mastra do not know tables; marked and markdown-it return tokens without nodes.',
    rows: [...medians].map(([name, value]) => figureOf(name, value)),
  },
])
const ours = medians.get('our elements') as number
const plain = medians.get('plain micromark, tables')
if (plain !== undefined)
  bar(
    `our elements compared with plain micromark: 1/${(plain / ours).toFixed(0)} of its time (bar 1/20)`,
    plain / ours >= 20,
  )

print('growth of our elements, first parse of an own process')
let before: { size: number; time: number; memory: number } | null = null
for (const size of [5 * MB, 10 * MB, 25 * MB, 50 * MB]) {
  const own = inOwnProcess('our elements', size)
  if (own === null) continue
  print(
    `  ${String(size / MB).padStart(3)} MB ${own.time.toFixed(0).padStart(6)} ms   ${own.memory.toFixed(0).padStart(5)} MB`,
  )
  if (before !== null && size === 50 * MB)
    bar(
      `from 25 to 50 MB: ${(own.time / before.time).toFixed(1)} times the time, ${(own.memory / before.memory).toFixed(1)} times the memory (bar 3)`,
      own.time / before.time < 3 && own.memory / before.memory < 3,
    )
  before = { size, ...own }
}
process.exitCode = missed === 0 ? 0 : 1
