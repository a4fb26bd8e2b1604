/**
 * @module
 * Compares two contents, entry by entry.
 */
import { type MetadataMode, metadataModes, type TextNode, writeJsonText } from '@x/core-model'
import { pythonLine } from '@x/core-model/python'
import { type Content, hashIn, nodesOfIndex, withoutVector } from './content.ts'

/** The result of a comparison. */
export interface Comparison {
  nodes: number
  vectors: number
  hashes: number
  conversations: number
  messages: number
  indexes: number
  /** What differs: the id and the kind of the difference. The first ones only; `count` counts all. */
  differences: string[]
  count: number
}

/** The number of differences that are named. */
const NAMED = 20

/** Compares ids, fields, content in all modes, vectors, hashes, source documents and conversations. */
export async function compare(source: Content, target: Content): Promise<Comparison> {
  const result: Comparison = {
    nodes: 0,
    vectors: 0,
    hashes: 0,
    conversations: 0,
    messages: 0,
    indexes: 0,
    differences: [],
    count: 0,
  }
  const differ = (text: string) => {
    result.count++
    if (result.differences.length < NAMED) result.differences.push(text)
  }
  const line = pythonLine(target.line)
  const hashed = new Set<string>()
  for await (const [one, other] of pairs(source.nodes(), target.nodes())) {
    if (one === undefined || other === undefined || one.id !== other.id) {
      differ(`node ${one?.id ?? '(none)'}: the target has the node ${other?.id ?? '(none)'} at its place`)
      continue
    }
    result.nodes++
    if (one.embedding !== null) result.vectors++
    for (const kind of nodeDifferences(one, other)) differ(`node ${one.id}: ${kind}`)
    const [expected, received] = [await hashIn(source, withoutVector(one), line), await target.hashOf(one.id)]
    hashed.add(one.id)
    result.hashes++
    if (expected !== received) differ(`node ${one.id}: the hash`)
  }
  for await (const [id, hash] of source.hashes()) {
    if (hashed.has(id)) continue
    result.hashes++
    if (hash !== (await target.hashOf(id))) differ(`document ${id}: the hash`)
  }
  await compareSources(source, target, hashed, differ)
  for await (const [one, other] of pairs(source.chats(), target.chats())) {
    const [key, messages] = one ?? ['(none)', []]
    result.conversations++
    result.messages += messages.length
    const texts = (given: typeof messages) => given.map((message) => writeJsonText(message.toDict())).join()
    if (key !== other?.[0] || texts(messages) !== texts(other[1])) differ(`conversation ${key}: the messages`)
  }
  const indexes = new Map((await target.indexes()).map((index) => [index.id, nodesOfIndex(index).join()]))
  for (const index of await source.indexes()) {
    result.indexes++
    if (indexes.get(index.id) !== nodesOfIndex(index).join()) differ(`index ${index.id}: the nodes`)
  }
  return result
}

/** @param ids - the nodes of the source. Those that are left out, or do not exist, are not compared. */
async function compareSources(
  source: Content,
  target: Content,
  ids: ReadonlySet<string>,
  differ: (text: string) => void,
): Promise<void> {
  const infos = new Map<string, Set<string>>()
  for await (const [id, { nodeIds }] of target.sources()) infos.set(id, new Set(nodeIds))
  for await (const [id, { nodeIds }] of source.sources()) {
    const found = infos.get(id)
    const missing = nodeIds.filter((nodeId) => ids.has(nodeId) && !found?.has(nodeId))
    if (missing.length > 0) differ(`document ${id}: the node ${missing[0]}`)
  }
}

function* nodeDifferences(one: TextNode, other: TextNode): Generator<string> {
  if (writeJsonText(withoutVector(one).toDict()) !== writeJsonText(withoutVector(other).toDict())) yield 'the fields'
  for (const mode of metadataModes as readonly MetadataMode[])
    if (one.getContent(mode) !== other.getContent(mode)) yield `the content in the mode ${mode}`
  const [vector, again] = [one.embedding, other.embedding]
  const isSame = vector?.length === again?.length && (vector ?? []).every((value, at) => value === again![at])
  if (!isSame) yield 'the vector'
}

/** Yields the values of two iterables at the same place; undefined after the end of one. */
async function* pairs<T>(
  one: AsyncIterable<T> | Iterable<T>,
  other: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<[T | undefined, T | undefined]> {
  const [first, second] = [iteratorOf(one), iteratorOf(other)]
  for (;;) {
    const [a, b] = [await first.next(), await second.next()]
    if (a.done && b.done) return
    yield [a.done ? undefined : a.value, b.done ? undefined : b.value]
  }
}

async function* iteratorOf<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* values
}
