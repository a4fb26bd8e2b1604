/**
 * Asks questions about public documentations, and counts how often the section with the answer is among the first, the first three and
 * the first ten: `@x/ask` beside MiniSearch without stop words, on the same sections. Installs the documentations from npm on first use.
 * Exits with 1 when a bar is missed. With `--rerank`, a cross-encoder reorders the sections of `@x/ask`: a folder, or a name on the Hugging
 * Face hub.
 *
 * A question names its source, and the file, section and lines of its answer, with further places under `also`; one of the kind `none`
 * has no answer. FOLDER contains a folder `NAME-VERSION` per source, with each `/` of NAME replaced by `+`.
 *
 * @example npm run ask-score
 * @example npm run ask-score -- ./questions.json ./texts/
 * @example npm run ask-score -- --rerank Xenova/ms-marco-MiniLM-L-6-v2
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import MiniSearch from 'minisearch'
import { SectionIndex } from '../packages/integrations/ask/src/index.ts'
import { openReranker, rerankedSearch, rerankerOf } from '../packages/integrations/ask/src/search/reranker.ts'
import { type DocumentSections, mdx, readSections } from '../packages/node-parser/src/index.ts'
import { englishStopWords } from '../packages/retrieval/src/index.ts'
import { writeFigures } from '../tools/figures.ts'
import { bar, print, tableOf } from './contest.ts'

interface Place {
  file: string
  section: [from: number, to: number]
  lines?: [from: number, to: number]
}

interface Question extends Partial<Place> {
  source: string
  question: string
  kind: string
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
const BARS = [0.82, 0.9]

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

type Documents = ReadonlyMap<string, DocumentSections>

function indexOf(documents: Documents): SectionIndex {
  const index = new SectionIndex()
  for (const [file, document] of documents) index.set(file, document)
  return index
}

function ours(documents: Documents): Search {
  const index = indexOf(documents)
  return (question) => index.search(question)
}

/** Returns `@x/ask --rerank`. */
async function withReranker(name: string) {
  // This repository installs the library without its native runtime.
  await import('../packages/integrations/transformers/test/model-folder.ts')
  const reranker = await openReranker(rerankerOf(name, process.env['INIT_CWD'] ?? process.cwd()))
  return (documents: Documents): Search => {
    const index = indexOf(documents)
    return (question) => rerankedSearch(index, reranker, question)
  }
}

const entriesOf = (documents: Documents) =>
  Array.from(documents, ([file, { title, sections }]) =>
    sections.map((section) => ({
      file,
      title: title ?? '',
      ...section,
      text: section.blocks.map(({ text }) => text).join('\n'),
    })),
  ).flat()

/** MiniSearch with the settings of VitePress, and without stop words. */
function miniSearch(documents: Documents): Search {
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

/** Whether a shown section has lines of the answer. */
function isRight({ folder }: Source, { file, section, lines, also = [] }: Question, shown: Shown): boolean {
  return [{ file, section, lines } as Place, ...also].some((place) => {
    const [from, to] = place.lines ?? place.section
    return place.file === `${folder}/${shown.file}` && shown.from <= to && shown.to >= from
  })
}

const PEER = 'MiniSearch, no stop words'
const OURS = '`@x/ask`'
const searches = {
  [OURS]: ours,
  [PEER]: miniSearch,
  ...(values.rerank && { '`@x/ask --rerank`': await withReranker(values.rerank) }),
}
const names = Object.keys(searches)
/** How many answers are among the first one, three and ten, by search. */
const tops = [1, 3, 10] as const
const hits = new Map(names.map((name) => [name, tops.map(() => 0)]))
let asked = 0
for (const source of sources) {
  const documents = documentsOf(source)
  const list = questions.filter((question) => question.source === source.name && question.kind !== 'none')
  asked += list.length
  for (const [name, make] of Object.entries(searches)) {
    const search = make(documents)
    for (const question of list) {
      const rank = (await search(question.question)).slice(0, 10).findIndex((shown) => isRight(source, question, shown))
      for (const [at, top] of tops.entries()) if (rank >= 0 && rank < top) hits.get(name)![at]! += 1
    }
  }
}

const text = `${asked} questions about ${sources.length} public documentations, on the same sections.`
const share = (name: string, at: number) => (100 * hits.get(name)![at]!) / asked
const tables = ['three', 'ten'].map((among, at) =>
  tableOf(
    {
      title: `the section with the answer among the first ${among}`,
      measure: 'share of the questions',
      unit: '%',
      digits: 1,
      better: 'more',
      text,
    },
    names.map((name) => [name, share(name, at + 1)]),
    { MiniSearch: 'minisearch' },
  ),
)
writeFigures('ask', tables)
print(`@x/ask: ${tops.map((top, at) => `${share(OURS, at).toFixed(1)} % in the first ${top}`).join(', ')}`)
for (const [at, least] of BARS.entries()) {
  const own = share(OURS, at + 1)
  bar(own >= 100 * least, `${own.toFixed(1)} % in the first ${tops[at + 1]} (bar ${100 * least} %)`)
  bar(own >= share(PEER, at + 1), 'at least as many as MiniSearch')
}
