/**
 * Retrieval beside its peers, in one run. Quality: nDCG@10, mean average precision and recall@100 on the test collections of a folder.
 * Speed: indexing and searching 10,000 and 100,000 strings, and 100,000 vectors. Exits with 1 when a bar is missed.
 *
 * A collection is a JSON file `{ name, docs: [{ id, title, text }], queries: [{ id, text }], qrels: { query: { doc: 1 } } }`. The folder is
 * an argument or the value of `X_COLLECTIONS`, otherwise `../shared/ir` beside the checkout. Collections are texts of others and not
 * part of the repository; without them, only the speed is measured.
 *
 * @example npm run bench -- retrieval
 * @example npm run bench -- retrieval ~/collections
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BM25Retriever } from '@langchain/community/retrievers/bm25'
import { Document } from '@langchain/core/documents'
import lunr from 'lunr'
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import winkSearch from 'wink-bm25-text-search'
import winkModel from 'wink-eng-lite-web-model'
import winkNlp from 'wink-nlp'
import { TextNode } from '../packages/core-model/src/index.ts'
import { openDatabase, SqliteKeywordRetriever } from '../packages/integrations/sqlite/src/index.ts'
import {
  Bm25Index,
  englishStopWords,
  tokenizeText,
  VectorIndex,
  type WordTokenizer,
  wordTokenizer,
} from '../packages/retrieval/src/index.ts'
import { type Figure, type FigureTable, peerVersion, writeFigures } from '../tools/figures.ts'

let missed = 0
const tables: FigureTable[] = []

const peerPackages: Readonly<Record<string, string>> = {
  MiniSearch: 'minisearch',
  lunr: 'lunr',
  'wink-bm25-text-search': 'wink-bm25-text-search',
  LangChain: '@langchain/community',
}

function figureOf(name: string, value: number): Figure {
  const peer = Object.keys(peerPackages).find((each) => name.startsWith(each))
  if (peer !== undefined) return { name, value, version: peerVersion(peerPackages[peer]!) }
  const [, own] = /^(@x(?:\/\w+)?):/.exec(name) ?? []
  if (own === undefined) return { name, value }
  return { name: name.replace(own, `\`${own === '@x' ? '@x/retrieval' : own}\``), value, ours: true }
}

const print = (line: string) => process.stdout.write(`${line}\n`)
function bar(met: boolean, what: string): void {
  if (!met) missed++
  print(`  ${met ? 'ok' : 'MISSED'}: ${what}`)
}

/** Returns the positions of the strings that match a query, best first. */
type Search = (query: string, limit: number) => number[] | Promise<number[]>
type Build = (strings: readonly string[]) => Search

function ours(tokenize?: WordTokenizer): Build {
  return (strings) => {
    const index = new Bm25Index(tokenize && { tokenize })
    for (const string of strings) index.add(string)
    return (query, limit) => index.search(query, limit).map(({ index }) => index)
  }
}

/** The full-text search of SQLite over our terms. */
function sqlite(tokenize: WordTokenizer = tokenizeText): Build {
  return (strings) => {
    const ready = openDatabase(':memory:').then((database) => {
      const retriever = new SqliteKeywordRetriever(database, { tokenize })
      retriever.add(strings.map((text, i) => new TextNode({ id: `${i}`, text })))
      return retriever
    })
    return async (query, limit) => {
      const retriever = await ready
      retriever.similarityTopK = limit
      return (await retriever.retrieve(query)).map(({ id }) => Number(id))
    }
  }
}

/** The pipeline of the package's README. */
function wink(strings: readonly string[]): Search {
  const nlp = winkNlp(winkModel)
  const { its } = nlp
  const prepare = (text: string) => {
    const tokens: string[] = []
    nlp
      .readDoc(text)
      .tokens()
      .filter((token) => token.out(its.type) === 'word' && !token.out(its.stopWordFlag))
      .each((token) => tokens.push(`${token.out(its.negationFlag) ? '!' : ''}${token.out(its.stem)}`))
    return tokens
  }
  const engine = winkSearch()
  engine.defineConfig({ fldWeights: { body: 1 } })
  engine.definePrepTasks([prepare])
  for (const [i, body] of strings.entries()) engine.addDoc({ body }, i)
  engine.consolidate()
  return (query, limit) => engine.search(query, limit).map(([id]: [string, number]) => Number(id))
}

function mini(strings: readonly string[]): Search {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] })
  index.addAll(strings.map((text, id) => ({ id, text })))
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .map(({ id }) => id)
}

function lunrSearch(strings: readonly string[]): Search {
  const index = lunr((builder: lunr.Builder) => {
    builder.ref('id')
    builder.field('text')
    for (const [id, text] of strings.entries()) builder.add({ id, text })
  })
  return (query, limit) =>
    index
      .query((build: lunr.Query) => build.term(lunr.tokenizer(query), {}))
      .slice(0, limit)
      .map(({ ref }: { ref: string }) => Number(ref))
}

function langchain(strings: readonly string[]): Search {
  const docs = strings.map((pageContent, at) => new Document({ pageContent, metadata: { at } }))
  return async (query, limit) => {
    const found = await BM25Retriever.fromDocuments(docs, { k: limit }).invoke(query)
    return found.map(({ metadata }) => metadata['at'] as number)
  }
}

const ENGLISH = '@x: stop words, Porter stemmer'
const DEFAULT = '@x: default'
const peers: Record<string, Build> = {
  'wink-bm25-text-search': wink,
  lunr: lunrSearch,
  "LangChain's BM25Retriever": langchain,
  MiniSearch: mini,
}

/** A linear congruential generator: the same strings in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

/** The median milliseconds of a search. */
async function medianTime(search: Search, queries: readonly string[]): Promise<number> {
  const times: number[] = []
  for (const query of queries) {
    const start = performance.now()
    await search(query, 10)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!
}

// 1. Vectors, first: nothing else is in memory.

{
  const count = 100_000
  const dimension = 384
  const next = numbers(3)
  const vector = () => Array.from({ length: dimension }, () => next() - 0.5)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const memory = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1e6
  }
  const before = memory()
  const index = new VectorIndex()
  for (let i = 0; i < count; i++) index.add(vector())
  const used = memory() - before
  const query = vector()
  const time = await medianTime(
    (_, limit) => index.search(query, limit).map(({ index }) => index),
    new Array(25).fill(''),
  )
  print(`\n${count.toLocaleString('en')} vectors of ${dimension} numbers, all compared: the best 10`)
  print(
    `  ${used.toFixed(0)} MB (the numbers alone: ${((count * dimension * 4) / 1e6).toFixed(0)} MB), ${time.toFixed(1)} ms to search`,
  )
  bar(used < 1.15 * ((count * dimension * 4) / 1e6), 'at most 15 % more memory than the numbers')
}

// 2. Quality.

interface Collection {
  name: string
  docs: { id: string; title?: string; text: string }[]
  queries: { id: string; text: string }[]
  qrels: Record<string, Record<string, number>>
}

interface Measures {
  ndcg: number
  map: number
  recall: number
}

/** The measures of one query, with gain 1 for each relevant document. */
function measure(found: readonly string[], relevant: ReadonlySet<string>): Measures {
  let gain = 0
  let best = 0
  for (let i = 0; i < 10; i++) {
    if (relevant.has(found[i] ?? '')) gain += 1 / Math.log2(i + 2)
    if (i < relevant.size) best += 1 / Math.log2(i + 2)
  }
  let hits = 0
  let precision = 0
  let early = 0
  for (const [i, id] of found.entries()) {
    if (!relevant.has(id)) continue
    precision += ++hits / (i + 1)
    if (i < 100) early++
  }
  return { ndcg: gain / best, map: precision / relevant.size, recall: early / relevant.size }
}

async function measureAll(search: Search, { docs, queries, qrels }: Collection): Promise<Measures> {
  const sum = { ndcg: 0, map: 0, recall: 0 }
  let count = 0
  for (const { id, text } of queries) {
    const relevant = new Set(Object.keys(qrels[id] ?? {}).filter((doc) => qrels[id]![doc]! > 0))
    if (relevant.size === 0) continue
    const found = await search(text, docs.length)
    const { ndcg, map, recall } = measure(
      found.map((at) => docs[at]!.id),
      relevant,
    )
    sum.ndcg += ndcg
    sum.map += map
    sum.recall += recall
    count++
  }
  return { ndcg: sum.ndcg / count, map: sum.map / count, recall: sum.recall / count }
}

/** What the default may lose to other settings. */
const MOST_LOST = 0.01
/** The least nDCG@10 of the default on collections that are known; on them, the English setup is ahead of all peers. */
const knownCollections: Readonly<Record<string, number>> = { Cranfield: 0.38 }

async function quality(collection: Collection): Promise<void> {
  const { name, docs, queries } = collection
  const builds: Record<string, Build> = {
    [ENGLISH]: ours(wordTokenizer({ stopWords: englishStopWords, stem: stemmer })),
    [DEFAULT]: ours(),
    '@x: stop words': ours(wordTokenizer({ stopWords: englishStopWords })),
    '@x: words': ours(wordTokenizer()),
    '@x: 3-grams': ours(wordTokenizer({ ngrams: 3 })),
    '@x: 4-grams': ours(wordTokenizer({ ngrams: 4 })),
    '@x/sqlite: stop words, stemmer': sqlite(wordTokenizer({ stopWords: englishStopWords, stem: stemmer })),
    '@x/sqlite: default': sqlite(),
    ...peers,
  }
  print(`\n${name}: ${docs.length} documents, ${queries.length} questions`)
  print(`  ${' '.repeat(32)} nDCG@10    MAP  recall@100  ms per question`)
  const strings = docs.map(({ title = '', text }) => (text.startsWith(title) ? text : `${title} ${text}`))
  const ndcg = new Map<string, number>()
  for (const [who, build] of Object.entries(builds)) {
    const search = build(strings)
    const start = performance.now()
    const measures = await measureAll(search, collection)
    const time = (performance.now() - start) / queries.length
    ndcg.set(who, measures.ndcg)
    const figures = [measures.ndcg, measures.map, measures.recall].map((value) => value.toFixed(3))
    print(
      `  ${who.padEnd(32)} ${figures[0]!.padStart(7)} ${figures[1]!.padStart(6)} ${figures[2]!.padStart(11)} ${time.toFixed(1).padStart(16)}`,
    )
  }
  tables.push({
    title: `the right documents of the collection ${name}`,
    measure: 'nDCG@10',
    unit: '',
    digits: 3,
    better: 'more',
    text: `${queries.length} questions about ${docs.length.toLocaleString('en')} documents, with the judgements of the collection.`,
    rows: [...ndcg]
      .filter(([who]) => !who.startsWith('@x: ') || who === DEFAULT || who === ENGLISH)
      .map(([who, value]) => figureOf(who, value)),
  })
  const settings = Object.keys(builds).filter((who) => who.startsWith('@x: '))
  const loss = Math.max(...settings.map((who) => ndcg.get(who)!)) - ndcg.get(DEFAULT)!
  bar(loss <= MOST_LOST, `the default loses ${loss.toFixed(3)} to the best of our settings (at most ${MOST_LOST})`)
  const least = knownCollections[name]
  if (least === undefined) return
  const bestPeer = Math.max(...Object.keys(peers).map((who) => ndcg.get(who)!))
  bar(ndcg.get(ENGLISH)! > bestPeer, `the English setup is ahead of all peers (best peer ${bestPeer.toFixed(3)})`)
  bar(ndcg.get(DEFAULT)! >= least, `the default reaches ${least}`)
}

const given = process.argv[2] ?? process.env['X_COLLECTIONS']
const folder = given ?? join(import.meta.dirname, '..', '..', 'shared', 'ir')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
for (const file of files) await quality(JSON.parse(readFileSync(join(folder, file), 'utf8')))
if (files.length === 0) {
  const advice = 'pass a folder with test collections as argument or in X_COLLECTIONS'
  print(`Quality is not measured: ${folder} contains no collection (*.json); ${advice}.`)
  if (given !== undefined) missed++
}

// 3. Speed of search by words.

/** Words whose frequency falls with their rank, as in real texts. */
function makeStrings(count: number, length: number, seed: number): string[] {
  const next = numbers(seed)
  const word = () => `w${Math.floor(50_000 ** next()).toString(36)}`
  return Array.from({ length: count }, () => Array.from({ length }, word).join(' '))
}

/** The usual way: one object per match, all of them sorted. */
function sorting(strings: readonly string[]): Search {
  const tokenize = wordTokenizer()
  const postings = new Map<string, { at: number; count: number }[]>()
  const lengths = strings.map((string, at) => {
    const counts = new Map<string, number>()
    const terms = tokenize(string)
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    for (const [term, count] of counts) {
      const posting = postings.get(term)
      if (posting) posting.push({ at, count })
      else postings.set(term, [{ at, count }])
    }
    return terms.length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (query, limit) => {
    const scores = new Map<number, number>()
    for (const term of tokenize(query)) {
      const posting = postings.get(term) ?? []
      const rarity = Math.log(1 + (strings.length - posting.length + 0.5) / (posting.length + 0.5))
      for (const { at, count } of posting) {
        const gain = (rarity * count * 2.5) / (count + 1.5 * (0.25 + (0.75 * lengths[at]!) / average))
        scores.set(at, (scores.get(at) ?? 0) + gain)
      }
    }
    const matches = Array.from(scores, ([at, score]) => ({ at, score }))
    matches.sort((one, other) => other.score - one.score || one.at - other.at)
    return matches.slice(0, limit).map(({ at }) => at)
  }
}

const queries = makeStrings(25, 8, 5)
/** Peers that take minutes at 100,000 strings are measured at 10,000 only. */
const contestants: { who: string; build: Build; sizes: number[]; queries: number }[] = [
  { who: DEFAULT, build: ours(), sizes: [10_000, 100_000], queries: 9 },
  { who: 'one object per match, sorted', build: sorting, sizes: [10_000, 100_000], queries: 9 },
  { who: 'MiniSearch', build: mini, sizes: [10_000, 100_000], queries: 9 },
  { who: 'lunr', build: lunrSearch, sizes: [10_000], queries: 9 },
  { who: 'wink-bm25-text-search', build: wink, sizes: [10_000], queries: 9 },
  { who: "LangChain's BM25Retriever", build: langchain, sizes: [10_000], queries: 3 },
]
for (const size of [10_000, 100_000]) {
  const strings = makeStrings(size, 60, 7)
  print(`\n${size.toLocaleString('en')} strings of 60 words, questions of 8 words: the best 10`)
  print(`  ${' '.repeat(32)} µs to add one  ms to search (median)`)
  const times = new Map<string, number>()
  for (const { who, build, sizes, queries: count } of contestants) {
    if (!sizes.includes(size)) continue
    const start = performance.now()
    const search = build(strings)
    const adding = ((performance.now() - start) * 1000) / size
    // The same warm-up for all.
    await medianTime(search, queries.slice(0, count))
    const time = await medianTime(search, queries.slice(0, count))
    times.set(who, time)
    print(`  ${who.padEnd(32)} ${adding.toFixed(0).padStart(13)} ${time.toFixed(2).padStart(22)}`)
  }
  tables.push({
    title: `the best 10 of ${size.toLocaleString('en')} strings`,
    measure: 'milliseconds',
    unit: '',
    digits: 2,
    better: 'less',
    text: 'Strings of 60 words, questions of 8 words; the median of a search.',
    rows: [...times].map(([who, value]) => figureOf(who, value)),
  })
  const own = times.get(DEFAULT)!
  const others = [...times].filter(([who]) => who !== DEFAULT).map(([, time]) => time)
  bar(own < Math.min(...others), 'a search is faster than all others')
  if (size < 100_000) continue
  const ratio = times.get('one object per match, sorted')! / own
  bar(ratio >= 5, `a search is ${ratio.toFixed(0)} times as fast as sorting one object per match (bar 5)`)
}

writeFigures('retrieval', tables)
print(missed === 0 ? '\nAll bars met.' : `\n${missed} bars missed.`)
process.exitCode = missed === 0 ? 0 : 1
