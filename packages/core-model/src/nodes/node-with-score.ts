import { NodeWithScoreModel } from '../generated/node-with-score.ts'
import type { MetadataMode } from './codes.ts'
import { nodeClasses } from './index-node.ts'
import { ScoreNotSetError } from './node-errors.ts'

/**
 * A node with the score that a retriever assigned to it.
 * @throws {ModelValidationError} if `node` is not a node or `score` is not a finite number.
 * @example
 * new NodeWithScore({ node: new TextNode({ text: 'a' }), score: 0 }).getScore(true) // => 0
 */
export class NodeWithScore extends NodeWithScoreModel {
  static override nested() {
    return { node: nodeClasses() }
  }

  /** Returns the score; 0 if it is missing. @throws {ScoreNotSetError} if it is missing and `raiseError` is true. */
  getScore(raiseError = false): number {
    if (this.score === null && raiseError) throw new ScoreNotSetError(this.node.id)
    return this.score ?? 0
  }

  /** Id of the node. */
  get nodeId(): string {
    return this.node.id
  }

  /** Id of the node. */
  get id(): string {
    return this.node.id
  }

  /** Text of the node. */
  get text(): string {
    return this.node.text
  }

  /** Metadata of the node. */
  get metadata(): Record<string, unknown> {
    return this.node.metadata
  }

  /** Vector of the node, or null. */
  get embedding(): number[] | null {
    return this.node.embedding
  }

  /** Text of the node. */
  getText(): string {
    return this.node.getText()
  }

  /** Returns the content of the node in a mode. */
  getContent(mode: MetadataMode = 'none'): string {
    return this.node.getContent(mode)
  }

  /** Returns the vector of the node. @throws {EmbeddingNotSetError} if it is missing. */
  getEmbedding(): number[] {
    return this.node.getEmbedding()
  }
}
