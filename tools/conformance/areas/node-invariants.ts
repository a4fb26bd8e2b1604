/** Properties that the nodes of every document have. */
import { Document, IndexNode, NodeRelationship, type TextNode } from '@x/core-model'
import type { MarkdownElementNodeParser } from '@x/node-parser'
import type { Operations } from '../case.ts'
import { CaseError, named } from '../given.ts'
import { elementParser, MockModel, relatedId } from '../stand-ins/parsers.ts'

/** The input and output of a parser. */
interface Parsed {
  nodes: readonly TextNode[]
  text: string
  parser: MarkdownElementNodeParser
}

/** Returns the fault, or null when the property holds. */
type Invariant = (parsed: Parsed) => string | null

const words = (text: string) => text.split(/\s+/).filter(Boolean)

/** Whether the node is a table, which stands behind its index node. */
function isTable(nodes: readonly TextNode[], index: number): boolean {
  const before = nodes[index - 1]
  return before instanceof IndexNode && before.indexId === nodes[index]?.id
}

const startOf = ({ startCharIdx }: TextNode) => startCharIdx ?? 0
const endOf = ({ endCharIdx }: TextNode) => endCharIdx ?? 0

const slices: Invariant = ({ nodes, text }) => {
  const bad = nodes.find(
    (node, index) =>
      !(node instanceof IndexNode) &&
      !isTable(nodes, index) &&
      text.slice(node.startCharIdx ?? -1, node.endCharIdx ?? -1) !== node.text,
  )
  return bad ? `${JSON.stringify(bad.text)} is not a slice of the text` : null
}

const covers: Invariant = ({ nodes, text }) => {
  const covered = new Uint8Array(text.length)
  for (const [index, node] of nodes.entries()) {
    const start = startOf(node)
    covered.fill(1, start, endOf(node))
    if (!isTable(nodes, index)) continue
    // Container marks before the first line of a table belong to no node.
    const line = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1
    if (/^[\s>*+\-\d.)]*$/.test(text.slice(line, start))) covered.fill(1, line, start)
  }
  for (const { index } of text.matchAll(/[\p{L}\p{N}]/gu)) {
    if (covered[index] === 0) return `offset ${index} (${JSON.stringify(text.slice(index, index + 20))}) is in no node`
  }
  return null
}

const ordered: Invariant = ({ nodes, parser }) => {
  for (const [index, node] of nodes.entries()) {
    const before = nodes[index - 1]
    if (before === undefined) continue
    if (startOf(node) < startOf(before)) return `${node.id} starts before the node before it`
    if (isTable(nodes, index)) continue
    if (before.startCharIdx === node.startCharIdx && before.endCharIdx === node.endCharIdx)
      return `${node.id} has the range of the node before it`
    const sameText = !(node instanceof IndexNode) && !isTable(nodes, index - 1)
    if (!(sameText && (parser.chunkOverlap ?? 0) > 0) && startOf(node) < endOf(before))
      return `${node.id} overlaps the node before it`
  }
  return null
}

const source: Invariant = ({ nodes }) => {
  const bad = nodes.find((node) => relatedId(node, NodeRelationship.source) !== 'D')
  return bad ? `the source of ${bad.id} is not D` : null
}

const chain: Invariant = ({ nodes }) => {
  const bad = nodes.find(
    (node, index) =>
      relatedId(node, NodeRelationship.previous) !== (nodes[index - 1]?.id ?? null) ||
      relatedId(node, NodeRelationship.next) !== (nodes[index + 1]?.id ?? null),
  )
  return bad ? `the neighbours of ${bad.id} are not those in the list` : null
}

const pairs: Invariant = ({ nodes }) => {
  const bad = nodes.find((node, index) => node instanceof IndexNode && !isTable(nodes, index + 1))
  return bad ? `the index node ${bad.id} has no table behind it` : null
}

const chunkLimit: Invariant = ({ nodes, text, parser }) => {
  for (const [index, node] of nodes.entries()) {
    if (node instanceof IndexNode || isTable(nodes, index)) continue
    if (words(node.text).length > (parser.chunkSize ?? Number.POSITIVE_INFINITY)) return `${node.id} is too long`
    const before = nodes[index - 1]
    if (before === undefined || isTable(nodes, index - 1)) continue
    const shared = text.slice(startOf(node), Math.max(startOf(node), endOf(before)))
    if (words(shared).length > (parser.chunkOverlap ?? 0)) return `${node.id} overlaps too much`
  }
  return null
}

const known = { slices, covers, ordered, source, chain, pairs, chunk_limit: chunkLimit }

export const invariants: Operations = {
  'MarkdownElementNodeParser.invariants': async ({ text, ...given }, { expect }) => {
    const llm = new MockModel(() => JSON.stringify({ summary: 'S', columns: [] }))
    const parser = elementParser(given, { llm, tokenizer: words })
    const nodes = await parser.getNodesFromDocuments([new Document({ id: 'D', text })])
    for (const name of expect.holds as string[]) {
      const fault = named<Invariant>(known, name)({ nodes, text, parser })
      if (fault !== null) throw new CaseError(`${name}: ${fault}`)
    }
  },
}
