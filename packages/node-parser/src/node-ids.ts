/**
 * @module
 * Deterministic node ids, so that a store can be updated instead of filled again.
 */
import { checkOption, listOf } from '@x/core/options'
import type { TextNode } from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import type { IdFunc } from './build-nodes.ts'

/**
 * Returns an `idFunc` that computes ids from the id of the document and the position of the node: the same document has the same ids.
 * @example
 * const parser = new MarkdownNodeParser({ idFunc: fromSource() })
 * const parse = () => parser.getNodesFromDocuments([new Document({ id: 'd', text: '# A' })])
 * const first = await parse()
 * const again = await parse()
 * again.map(({ id }) => id === first[0]?.id) // => [true]
 */
export function fromSource(): IdFunc {
  return (index, node) => uuidOf(['position', node.id, index])
}

/**
 * Returns an `idFunc` that computes ids from the id of the document and the content of the node. After an edit of the document,
 * nodes with unchanged content keep their ids, even if they moved. Tables keep their ids even if a model words their summary
 * differently. Equal nodes of one document are numbered. Create one `idFunc` per parser.
 * @example
 * const parser = new MarkdownNodeParser({ idFunc: fromContent() })
 * const parse = (text: string) => parser.getNodesFromDocuments([new Document({ id: 'd', text })])
 * const before = await parse('# A\n\n# B')
 * const after = await parse('# New\n\n# B')
 * after.map(({ id }) => before.some((node) => node.id === id)) // => [false, true]
 */
export function fromContent(): IdFunc {
  const counts = new WeakMap<TextNode, Map<string, number>>()
  return (index, node, { content, className }) => {
    let seen = counts.get(node)
    if (seen === undefined || index === 0) {
      seen = new Map()
      counts.set(node, seen)
    }
    const hash = sha256(content)
    const occurrence = seen.get(className + hash) ?? 0
    seen.set(className + hash, occurrence + 1)
    return uuidOf(['content', node.id, className, hash, occurrence])
  }
}

/** The differences between two parses of a document. */
export interface NodeChanges {
  /** The nodes whose id and embedded content are unchanged: their vectors are still valid. */
  unchanged: TextNode[]
  /** The nodes with an existing id and different embedded content. */
  changed: TextNode[]
  /** The nodes with a new id. */
  added: TextNode[]
  /** The old nodes whose id no longer exists. */
  removed: TextNode[]
}

/**
 * Compares two parses by the ids and the embedded content of their nodes. With ids of `fromContent`, only new content is `added`.
 * Relationships and offsets are not compared: store all nodes of `after`, but embed only those that are `added` or `changed`.
 * @example
 * const parser = new MarkdownNodeParser({ idFunc: fromContent() })
 * const parse = (text: string) => parser.getNodesFromDocuments([new Document({ id: 'd', text })])
 * const changes = compareNodes(await parse('# A\n\n# B'), await parse('# B\n\n# C'))
 * const { unchanged, changed, added, removed } = changes
 * ;[unchanged, changed, added, removed].map((nodes) => nodes.map(({ text }) => text)) // => [['# B'], [], ['# C'], ['# A']]
 */
export function compareNodes(before: readonly TextNode[], after: readonly TextNode[]): NodeChanges {
  checkOption('compareNodes', 'before', before, listOf('a node', 'metadata'))
  checkOption('compareNodes', 'after', after, listOf('a node', 'metadata'))
  const known = new Map(before.map((node) => [node.id, node]))
  const changes: NodeChanges = { unchanged: [], changed: [], added: [], removed: [] }
  for (const node of after) {
    const old = known.get(node.id)
    if (old === undefined) changes.added.push(node)
    else changes[old.getContent('embed') === node.getContent('embed') ? 'unchanged' : 'changed'].push(node)
  }
  const left = new Set(after.map(({ id }) => id))
  changes.removed = before.filter(({ id }) => !left.has(id))
  return changes
}

/** Returns a UUID of version 8, computed from a hash. */
function uuidOf(parts: readonly unknown[]): string {
  const hex = sha256(JSON.stringify(parts))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
