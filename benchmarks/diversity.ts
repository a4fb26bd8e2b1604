/**
 * The cost of `MaximalMarginalRelevance`: nDCG@10 and diversity (1 minus the mean cosine similarity of the first ten) for values of
 * `lambda`, on the test collections of a folder, see `retrieval.ts`. The vectors are computed here, by latent semantic analysis: the
 * hundred strongest directions of the weighted words. Exits with 1 when the default of `lambda` loses more than a tenth of nDCG@10.
 *
 * @example npm run bench -- diversity
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemmer } from 'stemmer'
import { selectDiverse } from '../packages/postprocessors/src/diversity/select-diverse.ts'
import { MaximalMarginalRelevance } from '../packages/postprocessors/src/index.ts'
import { englishStopWords, wordTokenizer } from '../packages/retrieval/src/index.ts'

interface Collection {
  name: string
  docs: { id: string; title?: string; text: string }[]
  queries: { id: string; text: string }[]
  qrels: Record<string, Record<string, number>>
}

/** The words of a string by their number, and their weights. */
type Weighted = [word: number, weight: number][]
type Vector = Float64Array

const DIRECTIONS = 100
const ROUNDS = 6
const POOL = 100
const tokenize = wordTokenizer({ stopWords: englishStopWords, stem: stemmer })

const dot = (one: Vector, other: Vector) => one.reduce((sum, value, index) => sum + value * other[index]!, 0)
const product = (weighted: Weighted, vector: Vector) =>
  weighted.reduce((sum, [word, weight]) => sum + weight * vector[word]!, 0)

function unit(vector: Vector): Vector {
  const norm = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / norm)
}

/** Returns orthogonal vectors of length 1. */
function orthonormal(vectors: readonly Vector[]): Vector[] {
  const done: Vector[] = []
  for (const vector of vectors) {
    for (const other of done) {
      const shared = dot(vector, other)
      for (let index = 0; index < vector.length; index++) vector[index]! -= shared * other[index]!
    }
    done.push(unit(vector))
  }
  return done
}

/** Returns a function from a string to its vector, by the words of the documents. */
function embedder(strings: readonly string[]): (text: string) => Vector {
  const counted = (text: string) => {
    const counts = new Map<string, number>()
    for (const word of tokenize(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
    return counts
  }
  const counts = strings.map(counted)
  const frequency = new Map<string, number>()
  for (const words of counts) for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const numbers = new Map([...frequency].filter(([, count]) => count > 1).map(([word], index) => [word, index]))
  const weigh = (words: ReadonlyMap<string, number>): Weighted => {
    const weighted = [...words].flatMap(([word, count]): Weighted => {
      const number = numbers.get(word)
      const rarity = Math.log(strings.length / (frequency.get(word) ?? 1))
      return number === undefined ? [] : [[number, (1 + Math.log(count)) * rarity]]
    })
    const norm = Math.hypot(...weighted.map(([, weight]) => weight)) || 1
    return weighted.map(([word, weight]) => [word, weight / norm])
  }
  const rows = counts.map(weigh)
  let state = 7
  const random = () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296 - 0.5
  }
  let directions = orthonormal(
    Array.from({ length: DIRECTIONS }, () => Float64Array.from({ length: numbers.size }, random)),
  )
  for (let round = 0; round < ROUNDS; round++)
    directions = orthonormal(
      directions.map((direction) => {
        const next = new Float64Array(numbers.size)
        for (const row of rows) {
          const along = product(row, direction)
          for (const [word, weight] of row) next[word]! += weight * along
        }
        return next
      }),
    )
  return (text) => {
    const weighted = weigh(counted(text))
    return unit(Float64Array.from(directions, (direction) => product(weighted, direction)))
  }
}

function ndcg(found: readonly string[], relevant: ReadonlySet<string>): number {
  const gain = (index: number) => 1 / Math.log2(index + 2)
  const reached = found.reduce((sum, id, index) => sum + (relevant.has(id) ? gain(index) : 0), 0)
  const best = Array.from({ length: Math.min(found.length, relevant.size) }, (_, index) => gain(index))
  return reached / best.reduce((sum, value) => sum + value, 0)
}

function diversity(vectors: readonly Vector[]): number {
  const pairs = vectors.flatMap((one, index) => vectors.slice(0, index).map((other) => 1 - dot(one, other)))
  return pairs.reduce((sum, value) => sum + value, 0) / pairs.length
}

/** Prints the table of a collection, and returns the share of nDCG@10 that the default of `lambda` keeps. */
function measure({ name, docs, queries, qrels }: Collection): number {
  const strings = docs.map(({ title = '', text }) => (text.startsWith(title) ? text : `${title} ${text}`))
  const embed = embedder(strings)
  const vectors = strings.map(embed)
  const asked = queries.flatMap(({ id, text }) => {
    const relevant = new Set(Object.keys(qrels[id] ?? {}).filter((doc) => qrels[id]![doc]! > 0))
    if (relevant.size === 0) return []
    const query = embed(text)
    const similar = vectors.map((vector, doc) => ({ doc, score: dot(query, vector) }))
    return [{ relevant, pool: similar.sort((one, other) => other.score - one.score).slice(0, POOL) }]
  })
  const standard = new MaximalMarginalRelevance().lambda
  console.log(`\n${name}: the first 10 of the best ${POOL}, ${asked.length} questions`)
  console.log('  lambda  nDCG@10  diversity')
  const quality = new Map<number, number>()
  for (const lambda of [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5]) {
    let gained = 0
    let diverse = 0
    for (const { relevant, pool } of asked) {
      const scores = pool.map(({ score }) => score)
      const own = pool.map(({ doc }) => [...vectors[doc]!])
      const chosen = selectDiverse(scores, own, { lambda, count: 10 }).map((index) => pool[index]!.doc)
      gained += ndcg(
        chosen.map((doc) => docs[doc]!.id),
        relevant,
      )
      diverse += diversity(chosen.map((doc) => vectors[doc]!))
    }
    quality.set(lambda, gained / asked.length)
    const figures = [gained / asked.length, diverse / asked.length].map((value) => value.toFixed(3).padStart(8))
    console.log(`  ${lambda.toFixed(2).padStart(6)} ${figures.join('   ')}${lambda === standard ? '   (default)' : ''}`)
  }
  return quality.get(standard)! / quality.get(1)!
}

const folder = process.argv[2] ?? process.env['X_COLLECTIONS'] ?? join(import.meta.dirname, '..', '..', 'shared', 'ir')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
if (files.length === 0) console.log(`${folder} contains no collection (*.json); pass a folder or set X_COLLECTIONS.`)
for (const file of files) {
  const kept = measure(JSON.parse(readFileSync(join(folder, file), 'utf8')))
  if (kept >= 0.9) continue
  console.log(`  MISSED: the default keeps ${(100 * kept).toFixed(0)} % of nDCG@10, less than 90 %`)
  process.exitCode = 1
}
