/**
 * Asks questions about public documentations, and counts how often the section with the answer is among the first, the first three and
 * the first ten: `@x/ask` beside MiniSearch without stop words and Pagefind, on the same sections. Installs the documentations from npm on
 * first use. The questions about every second documentation were not looked at while the search was written. Exits with 1 when a bar
 * is missed. With `--rerank`, a cross-encoder reorders the sections of `@x/ask`: a folder, or a name on the Hugging Face hub.
 *
 * A question names its source, and the file, section and lines of its answer, with further places under `also`; one of the kind `none`
 * has no answer. FOLDER contains a folder `NAME-VERSION` per source, with each `/` of NAME replaced by `+`.
 *
 * @example npm run ask-score
 * @example npm run ask-score -- ./questions.json ./texts/
 * @example npm run ask-score -- --rerank Xenova/ms-marco-MiniLM-L-6-v2
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import MiniSearch from 'minisearch'
import * as pagefind from 'pagefind'
import { SectionIndex } from '../packages/integrations/ask/src/index.ts'
import { pageScript } from '../packages/integrations/ask/src/page/page-files.ts'
import { openReranker, rerankedSearch, rerankerOf } from '../packages/integrations/ask/src/search/reranker.ts'
import { type DocumentSections, mdx, readSections } from '../packages/node-parser/src/index.ts'
import { englishStopWords } from '../packages/retrieval/src/index.ts'
import { bundle } from '../tools/bundle.ts'
import { type FigureTable, peerVersion, writeFigures } from '../tools/figures.ts'

interface Place {
  file: string
  section: [from: number, to: number]
  lines?: [from: number, to: number]
}

interface Question extends Partial<Place> {
  source: string
  question: string
  kind: string
  answer?: string
  also?: Place[]
}

interface Source {
  name: string
  version: string
  folder: string
}

/** A section of a documentation, and what a search shows of it. */
interface Shown {
  file: string
  from: number
  to: number
}

/** Returns the sections for a question, best first. */
type Search = (question: string) => Shown[] | Promise<Shown[]>

/** The least shares of questions whose section is among the first three and the first ten. */
const BARS = { three: 0.82, ten: 0.9 }

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rerank: { type: 'string' } } })
const [questionsPath = join(import.meta.dirname, '../../shared/ask/questions.json'), textsPath] = positionals
const { sources, questions } = JSON.parse(readFileSync(resolve(questionsPath), 'utf8')) as {
  sources: Source[]
  questions: Question[]
}
const texts = textsPath ?? join(import.meta.dirname, '..', 'node_modules', '.cache', 'ask-score')
const stopWords = new Set(englishStopWords)

/** Returns the folder of a documentation; installs it from npm if it is missing. */
function folderOf({ name, version, folder }: Source): string {
  const at = join(resolve(texts), `${name.replaceAll('/', '+')}-${version}`)
  if (!existsSync(join(at, 'package.json'))) {
    const download = mkdtempSync(join(tmpdir(), 'x-ask-score-'))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', download, `${name}@${version}`])
    mkdirSync(at, { recursive: true })
    execFileSync('tar', ['xzf', join(download, readdirSync(download)[0]!), '-C', at, '--strip-components=1'])
    rmSync(download, { recursive: true })
  }
  return join(at, folder)
}

function documentsOf(source: Source): Map<string, DocumentSections> {
  const root = folderOf(source)
  const names = (readdirSync(root, { recursive: true }) as string[]).filter((name) =>
    /\.(?:md|mdx|markdown)$/i.test(name),
  )
  return new Map(
    names.sort().map((name) => {
      const syntax = name.endsWith('.mdx') ? mdx : null
      return [name.replaceAll('\\', '/'), readSections(readFileSync(join(root, name), 'utf8'), { syntax })]
    }),
  )
}

const spent = { index: 0, search: 0 }

function ours(documents: ReadonlyMap<string, DocumentSections>): Search {
  const started = performance.now()
  const index = new SectionIndex()
  for (const [file, document] of documents) index.set(file, document)
  spent.index += performance.now() - started
  return (question) => {
    const asked = performance.now()
    const found = index.search(question)
    spent.search += performance.now() - asked
    return found
  }
}

/** The sizes of the scripts of search pages with gzip -9, in kB. */
const sizes: string[] = []

function measure(name: string, script: string | Uint8Array): void {
  sizes.push(`${name} ${(gzipSync(script, { level: 9 }).length / 1000).toFixed(1)}`)
}

/** Returns `@x/ask --rerank`. */
async function withReranker(name: string) {
  // This repository installs the library without its native runtime.
  await import('../packages/integrations/transformers/test/library.ts')
  const reranker = await openReranker(rerankerOf(name, process.env['INIT_CWD'] ?? process.cwd()))
  return (documents: ReadonlyMap<string, DocumentSections>): Search => {
    const index = new SectionIndex()
    for (const [file, document] of documents) index.set(file, document)
    return (question) => rerankedSearch(index, reranker, question)
  }
}

const entriesOf = (documents: ReadonlyMap<string, DocumentSections>) =>
  Array.from(documents, ([file, { title, sections }]) =>
    sections.map((section) => ({
      file,
      title: title ?? '',
      ...section,
      text: section.blocks.map(({ text }) => text).join('\n'),
    })),
  ).flat()

/** MiniSearch with the settings of VitePress, and without stop words. */
function miniSearch(documents: ReadonlyMap<string, DocumentSections>): Search {
  const entries = entriesOf(documents)
  const index = new MiniSearch({
    fields: ['title', 'titles', 'text'],
    processTerm: (term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  })
  index.addAll(
    entries.map(({ path, title, text }, id) => ({
      id,
      title: path.at(-1) ?? title,
      titles: [title, ...path.slice(0, -1)].join(' '),
      text,
    })),
  )
  return (question) => index.search(question).map(({ id }) => entries[id]!)
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Pagefind: one page per file, its sub-results as sections, without stop words. */
async function pagefindSearch(documents: ReadonlyMap<string, DocumentSections>): Promise<Search> {
  const out = mkdtempSync(join(tmpdir(), 'x-pagefind-'))
  const { index } = await pagefind.createIndex({ forceLanguage: 'en' })
  const entries = entriesOf(documents)
  const numbers = new Map(entries.map((entry, number) => [entry, number]))
  for (const [file, list] of Map.groupBy(entries, (entry) => entry.file)) {
    const parts = list.map((entry) => {
      const level = Math.min(6, Math.max(1, entry.path.length))
      const heading = `<h${level} id="s${numbers.get(entry)}">${escaped(entry.path.at(-1) ?? entry.title)}</h${level}>`
      return `${heading}<p>${escaped(entry.text).replaceAll('\n', '<br>')}</p>`
    })
    const head = `<head><title>${escaped(list[0]!.title)}</title></head>`
    await index!.addHTMLFile({
      url: `/${file}.html`,
      content: `<html lang="en">${head}<body><main>${parts.join('\n')}</main></body></html>`,
    })
  }
  await index!.writeFiles({ outputPath: out })
  if (sizes.length === 2)
    for (const name of ['pagefind.js', 'pagefind-ui.js', 'wasm.en.pagefind'])
      measure(name, readFileSync(join(out, name)))
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  const client = await import(pathToFileURL(join(out, 'pagefind.js')).href)
  await client.options({ basePath: `${out}/`, baseUrl: '/' })
  return async (question) => {
    const words = question.split(/[^\p{L}\p{N}_'-]+/u).filter((word) => !stopWords.has(word.toLowerCase()))
    const { results } = await client.search(words.join(' '))
    const pages = await Promise.all(
      results.slice(0, 10).map((result: { data(): Promise<PagefindPage> }) => result.data()),
    )
    return pages.flatMap((page: PagefindPage) => {
      const weight = ({ weighted_locations: all }: PagefindResult) =>
        all.reduce((sum, one) => sum + one.balanced_score, 0)
      const best = page.sub_results.sort((one, other) => weight(other) - weight(one))[0]
      const entry = entries[Number(/#s(\d+)/.exec(best?.url ?? '')?.[1] ?? -1)]
      return entry ? [entry] : []
    })
  }
}

interface PagefindResult {
  url: string
  weighted_locations: { balanced_score: number }[]
}
interface PagefindPage {
  sub_results: PagefindResult[]
}

// Pagefind loads its index by fetch, which reads no files.
const ownFetch = globalThis.fetch
globalThis.fetch = async (input, init) => {
  const url = String(input)
  if (/^(?:data|https?):/.test(url)) return ownFetch(input, init)
  return new Response(readFileSync(url.startsWith('file:') ? new URL(url) : url.replace(/\?.*$/, '')))
}

/** Whether a shown section has lines of the answer. */
function isRight({ folder }: Source, { file, section, lines, also = [] }: Question, shown: Shown): boolean {
  return [{ file, section, lines } as Place, ...also].some((place) => {
    const [from, to] = place.lines ?? place.section
    return place.file === `${folder}/${shown.file}` && shown.from <= to && shown.to >= from
  })
}

interface Score {
  one: number
  three: number
  ten: number
  of: number
}

const peers = { 'MiniSearch, no stop words': miniSearch, 'Pagefind, no stop words': pagefindSearch }
const versions: Readonly<Record<string, string>> = {
  'MiniSearch, no stop words': peerVersion('minisearch'),
  'Pagefind, no stop words': peerVersion('pagefind'),
}
const searches = {
  '@x/ask': ours,
  ...peers,
  ...(values.rerank && { '@x/ask with --rerank': await withReranker(values.rerank) }),
}
measure('@x/ask with its page', await pageScript())
measure('MiniSearch', await bundle("export { default } from 'minisearch'", import.meta.dirname))
const scores = Object.keys(searches).map(() => [0, 1].map((): Score => ({ one: 0, three: 0, ten: 0, of: 0 })))
for (const [number, source] of sources.entries()) {
  const documents = documentsOf(source)
  const asked = questions.filter((question) => question.source === source.name && question.kind !== 'none')
  for (const [which, make] of Object.values(searches).entries()) {
    const search = await make(documents)
    const score = scores[which]![number % 2]!
    for (const question of asked) {
      const rank = (await search(question.question)).slice(0, 10).findIndex((shown) => isRight(source, question, shown))
      score.of++
      if (rank === 0) score.one++
      if (rank >= 0 && rank < 3) score.three++
      if (rank >= 0) score.ten++
    }
  }
}
await pagefind.close()

const share = (count: number, of: number) => `${((100 * count) / Math.max(1, of)).toFixed(1)} %`.padStart(8)
const lineOf = ({ one, three, ten, of }: Score) => `${share(one, of)}${share(three, of)}${share(ten, of)}`
const whole = ([a, b]: Score[]): Score => ({
  one: a!.one + b!.one,
  three: a!.three + b!.three,
  ten: a!.ten + b!.ten,
  of: a!.of + b!.of,
})
const found = (among: string, of: 'three' | 'ten'): FigureTable => ({
  title: `the section with the answer among the first ${among}`,
  measure: 'share of the questions',
  unit: '%',
  digits: 1,
  better: 'more',
  text: `${whole(scores[0]!).of} questions about ${sources.length} public documentations, on the same sections.`,
  rows: Object.keys(searches).map((name, which) => {
    const score = whole(scores[which]!)
    const value = (100 * score[of]) / score.of
    return versions[name] === undefined
      ? { name: name.replace('@x/ask', '`@x/ask`'), value, ours: true }
      : { name, value, version: versions[name] }
  }),
})
writeFigures('ask', [found('three', 'three'), found('ten', 'ten')])
console.log(`\n${whole(scores[0]!).of} questions, right section in the first, three, ten`)
console.log(`${''.padEnd(28)}${'all'.padEnd(28)}${'looked at'.padEnd(28)}not looked at`)
for (const [which, name] of Object.keys(searches).entries()) {
  const [seen, unseen] = scores[which] as [Score, Score]
  console.log(
    `${name.padEnd(26)}${[whole(scores[which]!), seen, unseen].map((score) => lineOf(score).padEnd(28)).join('')}`,
  )
}
console.log(
  `@x/ask: ${(spent.index / 1000).toFixed(1)} s to index, ${(spent.search / whole(scores[0]!).of).toFixed(1)} ms per question`,
)
console.log(`scripts with gzip, in kB: ${sizes.join(', ')}`)
const [own, ...others] = scores.slice(0, 1 + Object.keys(peers).length).map(whole) as [Score, ...Score[]]
const missed = [
  ...(own.three < BARS.three * own.of ? [`first three below ${100 * BARS.three} %`] : []),
  ...(own.ten < BARS.ten * own.of ? [`first ten below ${100 * BARS.ten} %`] : []),
  ...others.flatMap((other, at) =>
    own.three < other.three || own.ten < other.ten ? [`below ${Object.keys(searches)[at + 1]}`] : [],
  ),
]
for (const reason of missed) console.log(`MISSED: ${reason}`)
process.exitCode = missed.length === 0 ? 0 : 1
