import type { DocumentStore } from '../contracts/stores.ts'
import type { TextNode } from '../nodes/text-node.ts'
import { UnexpectedCallError } from './unexpected-call-error.ts'

/**
 * A document store for tests that keeps nodes in a map. Throws for a missing id unless `raiseError` is false.
 * @example
 * const store = new MapDocumentStore([new TextNode({ id: 'a', text: 'x' })])
 * const node = await store.getNode('a')
 * node?.text // => 'x'
 */
export class MapDocumentStore implements DocumentStore {
  readonly #nodes: Map<string, TextNode>

  constructor(nodes: Iterable<TextNode> = []) {
    this.#nodes = new Map(Array.from(nodes, (node) => [node.id, node]))
  }

  async getNode(id: string, { raiseError = true }: { raiseError?: boolean } = {}): Promise<TextNode | null> {
    const node = this.#nodes.get(id)
    if (node === undefined && raiseError) throw new UnexpectedCallError(`MapDocumentStore: there is no node "${id}".`)
    return node ?? null
  }

  async getNodes(ids: readonly string[], options: { raiseError?: boolean } = {}): Promise<TextNode[]> {
    const nodes = await Promise.all(ids.map((id) => this.getNode(id, options)))
    return nodes.filter((node) => node !== null)
  }
}
