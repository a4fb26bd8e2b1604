import type { TextNode } from '../nodes/text-node.ts'

/** The part of a store of nodes that postprocessors use. */
export interface DocumentStore {
  /** Returns the node with an id. Throws when it is missing; returns null or undefined with `raiseError: false`. */
  getNode(id: string, options?: { raiseError?: boolean }): Promise<TextNode | null | undefined>
  /** Returns the nodes with these ids, in their order. */
  getNodes?(ids: readonly string[], options?: { raiseError?: boolean }): Promise<TextNode[]>
}

/** Stores answers as strings: a `Map`, or an asynchronous store. */
export interface AnswerCache {
  get(key: string): string | undefined | null | Promise<string | undefined | null>
  set(key: string, answer: string): unknown
}
