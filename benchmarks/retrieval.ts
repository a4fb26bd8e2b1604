/**
 * Retrieval beside its peers, in one run. Quality: nDCG@10 on the test collections of a folder. Speed: searching 10,000 and 100,000
 * strings. Exits with 1 when a bar is missed.
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
  type WordTokenizer,
  wordTokenizer,
} from '../packages/retrieval/src/index.ts'
import { type FigureTable, writeFigures } from '../tools/figures.ts'
import { bar, median, numbers, print, tableOf } from './contest.ts'

const tables: FigureTable[] = []
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

const ENGLISH = '`@x/retrieval`: stop words, Porter stemmer'
const DEFAULT = '`@x/retrieval`: default'
const SQLITE = ['`@x/sqlite`: stop words, stemmer', '`@x/sqlite`: default'] as const
const packages = {
  MiniSearch: 'minisearch',
  lunr: 'lunr',
  'wink-bm25-text-search': 'wink-bm25-text-search',
  LangChain: '@langchain/community',
}
const peers: Record<string, Build> = {
  'wink-bm25-text-search': wink,
  lunr: lunrSearch,
  "LangChain's BM25Retriever": langchain,
  MiniSearch: mini,
}

interface Collection {
  name: string
  docs: { id: string; title?: string; text: string }[]
  queries: { id: string; text: string }[]
  qrels: Record<string, Record<string, number>>
}

/** The mean nDCG@10 of the questions, with gain 1 for each relevant document. */
async function ndcgOf(search: Search, { docs, queries, qrels }: Collection): Promise<number> {
  const values: number[] = []
  for (const { id, text } of queries) {
    const relevant = new Set(Object.keys(qrels[id] ?? {}).filter((doc) => qrels[id]![doc]! > 0))
    if (relevant.size === 0) continue
    const found = await search(text, 10)
    let [gain, best] = [0, 0]
    for (let i = 0; i < 10; i++) {
      if (relevant.has(docs[found[i]!]?.id ?? '')) gain += 1 / Math.log2(i + 2)
      if (i < relevant.size) best += 1 / Math.log2(i + 2)
    }
    values.push(gain / best)
  }
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** What the default may lose to other settings. */
const MOST_LOST = 0.01
/** The least nDCG@10 of the default on the collection Cranfield; on it, the English setup is ahead of all peers. */
const LEAST = 0.38

async function quality(collection: Collection): Promise<void> {
  const { name, docs, queries } = collection
  const builds: Record<string, Build> = {
    [ENGLISH]: ours(wordTokenizer({ stopWords: englishStopWords, stem: stemmer })),
    [DEFAULT]: ours(),
    '@x: stop words': ours(wordTokenizer({ stopWords: englishStopWords })),
    '@x: words': ours(wordTokenizer()),
    '@x: 3-grams': ours(wordTokenizer({ ngrams: 3 })),
    '@x: 4-grams': ours(wordTokenizer({ ngrams: 4 })),
    [SQLITE[0]]: sqlite(wordTokenizer({ stopWords: englishStopWords, stem: stemmer })),
    [SQLITE[1]]: sqlite(),
    ...peers,
  }
  const strings = docs.map(({ title = '', text }) => (text.startsWith(title) ? text : `${title} ${text}`))
  const ndcg = new Map<string, number>()
  for (const [who, build] of Object.entries(builds)) ndcg.set(who, await ndcgOf(build(strings), collection))
  const table = {
    title: `the right documents of the collection ${name}`,
    measure: 'nDCG@10',
    digits: 3,
    better: 'more',
    text: `${queries.length} questions about ${docs.length.toLocaleString('en')} documents, with the judgements of the collection.`,
  } as const
  const { rows, ...others } = tableOf(table, ndcg, packages)
  const hidden = ['@x: stop words', '@x: words', '@x: 3-grams', '@x: 4-grams']
  tables.push({ ...others, rows: rows.filter((row) => !hidden.includes(row.name)) })
  const settings = [ENGLISH, DEFAULT, ...hidden]
  const loss = Math.max(...settings.map((who) => ndcg.get(who)!)) - ndcg.get(DEFAULT)!
  bar(loss <= MOST_LOST, `the default loses ${loss.toFixed(3)} to the best of our settings (at most ${MOST_LOST})`)
  if (name !== 'Cranfield') return
  const bestPeer = Math.max(...Object.keys(peers).map((who) => ndcg.get(who)!))
  bar(ndcg.get(ENGLISH)! > bestPeer, `the English setup is ahead of all peers (best peer ${bestPeer.toFixed(3)})`)
  bar(ndcg.get(DEFAULT)! >= LEAST, `the default reaches ${LEAST}`)
}

const folder = process.argv[2] ?? process.env['X_COLLECTIONS'] ?? join(import.meta.dirname, '..', '..', 'shared', 'ir')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
for (const file of files) await quality(JSON.parse(readFileSync(join(folder, file), 'utf8')))
if (files.length === 0)
  print(`Quality is not measured: ${folder} contains no collection (*.json). Pass a folder, or set X_COLLECTIONS.`)

// Speed of search by words.

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
const SORTING = 'one object per match, sorted'
/** Peers that take minutes at 100,000 strings are measured at 10,000 only. */
const contestants: Record<string, Build> = { [DEFAULT]: ours(), [SORTING]: sorting, ...peers }
const atAllSizes = [DEFAULT, SORTING, 'MiniSearch']
for (const size of [10_000, 100_000]) {
  const strings = makeStrings(size, 60, 7)
  const times = new Map<string, number>()
  for (const [who, build] of Object.entries(contestants)) {
    if (size > 10_000 && !atAllSizes.includes(who)) continue
    const search = build(strings)
    const asked = queries.slice(0, who.startsWith('LangChain') ? 3 : 9)
    const spent: number[] = []
    // Twice: the first time warms up.
    for (const query of [...asked, ...asked]) {
      const start = performance.now()
      await search(query, 10)
      spent.push(performance.now() - start)
    }
    times.set(who, median(spent.slice(asked.length)))
  }
  const table = {
    title: `the best 10 of ${size.toLocaleString('en')} strings`,
    measure: 'milliseconds',
    digits: 2,
    better: 'less',
    text: 'Strings of 60 words, questions of 8 words; the median of a search.',
  } as const
  tables.push(tableOf(table, times, packages))
  const own = times.get(DEFAULT)!
  bar(own === Math.min(...times.values()), 'a search is faster than all others')
  const ratio = times.get(SORTING)! / own
  if (size > 10_000)
    bar(ratio >= 5, `a search is ${ratio.toFixed(0)} times as fast as sorting one object per match (bar 5)`)
}
writeFigures('retrieval', tables)
