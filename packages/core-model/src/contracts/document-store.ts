import type { TextNode } from '../nodes/text-node.ts'

/** What postprocessors need of a store of nodes. */
export interface DocumentStore {
  /** The node of an id; a missing one is an error, or, with `raiseError: false`, null or undefined. */
  getNode(id: string, options?: { raiseError?: boolean }): Promise<TextNode | null | undefined>
  /** The nodes of ids, in their order. */
  getNodes?(ids: readonly string[], options?: { raiseError?: boolean }): Promise<TextNode[]>
}
