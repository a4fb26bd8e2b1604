/**
 * @module
 * Answers a question from content, without a model: by its words, and by the vector of the best match.
 */
import { similarity, type TextNode } from '@x/core-model'
import type { Content } from './content.ts'

/** A node with its score. */
export interface Match {
  id: string
  score: number
  text: string
}

/** The matches of a question, best first. */
export interface Answers {
  byWords: Match[]
  /** Neighbors of the best match; empty without vectors. */
  byVector: Match[]
}

const TOP = 3
/** The usual constants of BM25. */
const [K1, B] = [1.2, 0.75]

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Reads the nodes three times: for the statistics of the words, for the scores, and for the neighbors of the best match. */
export async function answersOf(content: Content, question: string): Promise<Answers> {
  const terms = [...new Set(wordsOf(question))]
  const documents = new Map(terms.map((term) => [term, 0]))
  let [count, length] = [0, 0]
  for await (const node of content.nodes()) {
    const words = wordsOf(node.getContent('embed'))
    count++
    length += words.length
    const present = new Set(words)
    for (const term of terms) if (present.has(term)) documents.set(term, documents.get(term)! + 1)
  }
  const weights = new Map(terms.map((term) => [term, weightOf(documents.get(term)!, count)]))
  const average = length / count || 1
  const byWords = await best(content, (node) => wordScore(wordsOf(node.getContent('embed')), weights, average))
  const vector = await vectorOf(content, byWords[0]?.id)
  const byVector =
    vector === null ? [] : await best(content, ({ embedding }) => (embedding ? similarity(vector, embedding) : 0))
  return { byWords, byVector }
}

function weightOf(documents: number, count: number): number {
  return Math.log(1 + (count - documents + 0.5) / (documents + 0.5))
}

function wordScore(words: readonly string[], weights: ReadonlyMap<string, number>, average: number): number {
  let score = 0
  for (const [term, weight] of weights) {
    const times = words.reduce((sum, word) => sum + (word === term ? 1 : 0), 0)
    score += (weight * times * (K1 + 1)) / (times + K1 * (1 - B + (B * words.length) / average))
  }
  return score
}

async function best(content: Content, scoreOf: (node: TextNode) => number): Promise<Match[]> {
  const top: Match[] = []
  for await (const node of content.nodes()) {
    const score = scoreOf(node)
    if (score <= 0) continue
    top.push({ id: node.id, score, text: node.text })
    top.sort((one, other) => other.score - one.score)
    top.length = Math.min(top.length, TOP)
  }
  return top
}

async function vectorOf(content: Content, id: string | undefined): Promise<number[] | null> {
  for await (const node of content.nodes()) if (node.id === id) return node.embedding
  return null
}
