/**
 * @module
 * Removes duplicate nodes.
 */
import { addToList, isPlainObject } from '@x/core/values'
import { type ImageNode, type IndexNode, isModel, type NodeWithScore, type TextNode } from '@x/core-model'
import { mapInTurns, turns } from '@x/core-model/async'
import { valueText } from '@x/core-model/text'
import { DeduplicateModel } from '../generated/deduplicate.ts'
import type { PostprocessRun } from '../node-postprocessor.ts'
import { isMoreRelevant } from '../relevance.ts'

/**
 * Removes duplicate nodes. Of equal nodes, the one with the highest score is returned, at the position of the first.
 * `by: 'similar'` also finds passages that differ in a few words, punctuation or their ends: the share of common sequences of three words
 * is at least `minSimilarity`. Each node is compared with the first of each group; long passages by a sample of 256 sequences.
 * Neither `text` nor `similar` finds different images equal, or index nodes of different objects, such as tables.
 * @throws {ModelValidationError} for an unknown `by`.
 * @example
 * const entry = (text: string, score: number) => new NodeWithScore({ node: new TextNode({ text }), score })
 * const once = new Deduplicate()
 * ;(await once.postprocessNodes([entry('A cat.', 0.5), entry('A dog.', 0.4), entry('a  cat.', 0.9)])).map(({ score }) => score) // => [0.9, 0.4]
 */
export class Deduplicate extends DeduplicateModel {
  protected override async process(
    nodes: readonly NodeWithScore[],
    { reasons, signal }: PostprocessRun,
  ): Promise<NodeWithScore[]> {
    const keys =
      this.by === 'similar'
        ? await similarKeys(nodes, this.minSimilarity, signal)
        : nodes.map((entry) => keyOf(entry, this.by))
    const best = new Map<string, NodeWithScore>()
    for (const [at, entry] of nodes.entries()) {
      const known = best.get(keys[at]!)
      if (!known || isMoreRelevant(entry.score, known.score)) best.set(keys[at]!, entry)
    }
    if (reasons) {
      for (const [at, entry] of nodes.entries()) {
        const kept = best.get(keys[at]!)!
        const same = this.by === 'similar' ? 'nearly the words of' : `the same ${this.by} as`
        reasons.set(entry, kept === entry ? 'the first or best of its duplicates' : `${same} node "${kept.nodeId}"`)
      }
    }
    return [...best.values()]
  }
}

/** The nodes that later ones are compared with, by the hashes under which similar ones look for them, each in order. */
type Postings = Map<number, number[]>

/** Returns for each node the key of the first node that is similar to it. */
async function similarKeys(
  nodes: readonly NodeWithScore[],
  minSimilarity: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const counts = new Uint32Array(1 << 16)
  const sketches = await mapInTurns(nodes, signal, ({ node }) => {
    const sketch = wordSketch(node.getContent('none'))
    for (const hash of sketch) counts[hash % counts.length]!++
    return sketch
  })
  const known = new Map<string, Postings>()
  const keys: string[] = []
  const turn = turns(signal)
  for (const [at, { node }] of nodes.entries()) {
    await turn()
    const sketch = sketches[at]!
    const represented = representedBy(node)
    const postings: Postings = known.get(represented) ?? new Map()
    known.set(represented, postings)
    const rare = rareHashes(sketch, minSimilarity, counts)
    const candidates = new Set(rare.flatMap((hash) => postings.get(hash) ?? []))
    const similar = [...candidates]
      .sort((one, other) => one - other)
      .find((other) => sketchSimilarity(sketch, sketches[other]!) >= minSimilarity)
    keys.push(`${similar ?? at}`)
    if (similar !== undefined) continue
    for (const hash of rare) addToList(postings, hash, at)
  }
  return keys
}

/**
 * Returns the hashes of a sketch of which every sketch that is similar enough has one among its own: the rarest of all, as many as may be
 * missing, and one more. All have the same one if none needs to be common.
 * @param counts - how frequent hashes are, by their remainder.
 */
function rareHashes(sketch: readonly number[], minSimilarity: number, counts: Uint32Array): readonly number[] {
  if (minSimilarity === 0) return [-1]
  // The subtrahend is for products that are rounded up.
  const least = Math.ceil(sketch.length * minSimilarity - 1e-9)
  const countOf = (hash: number) => counts[hash % counts.length]!
  return [...sketch]
    .sort((one, other) => countOf(one) - countOf(other) || one - other)
    .slice(0, sketch.length - least + 1)
}

function keyOf({ node }: NodeWithScore, by: Deduplicate['by']): string {
  if (by === 'id') return node.id
  return by === 'hash' ? node.hash : `${plainText(node)}\n${representedBy(node)}`
}

function plainText(node: TextNode): string {
  return node.getContent('none').normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

type ImageFields = Pick<ImageNode, 'image' | 'imagePath' | 'imageUrl'>
type ObjectFields = Pick<IndexNode, 'obj' | 'indexId'>

/** Returns what a node represents besides its text: its image, or the object of an index node, by its text, its data or its id. */
function representedBy(node: TextNode): string {
  const { image, imagePath, imageUrl, obj, indexId } = node as Partial<ImageFields> & Partial<ObjectFields>
  const isData = typeof obj === 'string' || Array.isArray(obj) || isPlainObject(obj)
  const object = isModel(obj) && 'getContent' in obj ? plainText(obj as unknown as TextNode) : isData ? obj : indexId
  return valueText([image, imagePath, imageUrl, object].map((value) => value ?? null))
}

/** The most sequences that are compared. The smallest hashes are a random sample of all. */
const maxSequences = 256
const sequenceLength = 3

/**
 * Returns the hashes of the sequences of three words in a string, at least of an empty one, ascending, and at most 256. Case, punctuation
 * and white space do not matter. Linear in the length of the text, but for sorting.
 */
function wordSketch(text: string): readonly number[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const hashes = new Set<number>()
  const last = Math.max(1, words.length - sequenceLength + 1)
  for (let start = 0; start < last; start++) hashes.add(hashOf(words.slice(start, start + sequenceLength).join(' ')))
  return [...hashes].sort((one, other) => one - other).slice(0, maxSequences)
}

/** Returns the share of common hashes among the smallest ones of both sketches, from 0 to 1. */
function sketchSimilarity(one: readonly number[], other: readonly number[]): number {
  let [i, j, common, seen] = [0, 0, 0, 0]
  while (seen < maxSequences && (i < one.length || j < other.length)) {
    const [a = Number.POSITIVE_INFINITY, b = Number.POSITIVE_INFINITY] = [one[i], other[j]]
    if (a === b) common++
    if (a <= b) i++
    if (b <= a) j++
    seen++
  }
  return common / seen
}

/** Returns a hash of 32 bits (FNV-1a, mixed so that small hashes do not come from similar strings). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
