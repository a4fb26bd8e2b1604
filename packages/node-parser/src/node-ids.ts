/**
 * @module
 * Ids that are the same on every run, so that a store can be brought up to date instead of filled again.
 */
import type { TextNode } from '@x/core-model'
import { sha256 } from '@x/core-model/internal'
import type { IdFunc } from './build-nodes.ts'

/**
 * Makes ids from the input's id and the position among its nodes: the same document gives the same ids.
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
 * Makes ids from the input's id and what of the document the node holds: after an edit of the document, nodes whose text is the
 * same keep their ids, wherever they moved, and tables also when a model describes them in other words. Equal texts of one document are counted. Give each parser its own.
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

/** What became of the nodes of a document after an edit. */
export interface NodeChanges {
  /** Nodes with the same id that an embedding model sees as they were: their vectors still hold. */
  unchanged: TextNode[]
  /** Nodes with a known id, but other text or metadata for embeddings. */
  changed: TextNode[]
  /** Nodes with a new id. */
  added: TextNode[]
  /** Nodes of before whose id is gone. */
  removed: TextNode[]
}

/**
 * Compares two parses by id and by what embeddings see. With ids from `fromContent` only new texts are `added`, and only they need embedding.
 * Neighbours and places do not count: write all nodes of `after`, but embed only what is `added` or `changed`.
 * @example
 * const parser = new MarkdownNodeParser({ idFunc: fromContent() })
 * const parse = (text: string) => parser.getNodesFromDocuments([new Document({ id: 'd', text })])
 * const changes = compareNodes(await parse('# A\n\n# B'), await parse('# B\n\n# C'))
 * Object.entries(changes).map(([kind, nodes]) => `${kind}: ${nodes.map((node) => node.text)}`)
 * // => ['unchanged: # B', 'changed: ', 'added: # C', 'removed: # A']
 */
export function compareNodes(before: readonly TextNode[], after: readonly TextNode[]): NodeChanges {
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

/** A UUID of version 8, made of a hash. */
function uuidOf(parts: readonly unknown[]): string {
  const hex = sha256(JSON.stringify(parts))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
