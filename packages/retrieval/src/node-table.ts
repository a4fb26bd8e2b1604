/**
 * @module
 * The nodes of a retriever by their position in its index, and by id.
 */
import { NodeWithScore, type TextNode } from '@x/core-model'
import { allOf } from './all-of.ts'
import { type FiltersInput, nodeFilter } from './metadata-filters.ts'
import type { ScoredPosition } from './top-matches.ts'

/** The nodes of a retriever. */
export class NodeTable {
  private readonly nodes: (TextNode | undefined)[] = []
  private readonly positions = new Map<string, number>()

  /** The position of the node with an id. */
  positionOf(id: string): number | undefined {
    return this.positions.get(id)
  }

  /** Puts a node at a position, in place of the node with the same id. */
  set(position: number, node: TextNode): void {
    this.delete(node.id)
    this.nodes[position] = node
    this.positions.set(node.id, position)
  }

  /** Deletes the node with an id. */
  delete(id: string): void {
    const position = this.positions.get(id)
    if (position === undefined) return
    this.positions.delete(id)
    this.nodes[position] = undefined
  }

  /** Removes the nodes with these ids here and from `index`, and returns how many there were. Other ids are ignored. */
  remove(ids: Iterable<string>, index: { remove(position: number): void }): number {
    const before = this.positions.size
    for (const id of allOf(ids, 'remove', 'ids')) {
      const position = this.positionOf(id)
      if (position === undefined) continue
      index.remove(position)
      this.delete(id)
    }
    return before - this.positions.size
  }

  /** Returns whether the node at a position meets all conditions; undefined without conditions. */
  accepting(filters: FiltersInput | undefined): ((position: number) => boolean) | undefined {
    if (filters === undefined) return undefined
    const accepts = nodeFilter(filters)
    return (position) => accepts(this.nodes[position]!)
  }

  /** Returns the nodes at these positions, with their scores. */
  withScores(matches: readonly ScoredPosition[]): NodeWithScore[] {
    return matches.map(({ index, score }) => new NodeWithScore({ node: this.nodes[index]!, score }))
  }
}
