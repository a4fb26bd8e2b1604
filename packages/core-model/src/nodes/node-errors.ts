import { ToolkitError } from '@x/core'

/**
 * Thrown when a relationship contains a list instead of a single record, or a single record instead of a list. Set a list for children,
 * and a single record for every other relationship.
 */
export class RelationshipShapeError extends ToolkitError {
  readonly nodeId: string
  readonly relationship: string

  constructor(nodeId: string, relationship: string, expected: string) {
    super(
      'RelationshipShapeError',
      'relationship_shape',
      `Node "${nodeId}": expected ${expected} as relationship "${relationship}".`,
    )
    this.nodeId = nodeId
    this.relationship = relationship
  }
}

/** Thrown when a document store has no node with this id. Add the node to the store, or pass `raiseError: false` to get null. */
export class NodeNotFoundError extends ToolkitError {
  readonly nodeId: string

  constructor(nodeId: string) {
    super('NodeNotFoundError', 'node_not_found', `The document store has no node "${nodeId}".`)
    this.nodeId = nodeId
  }
}

/** Thrown when a node has no embedding. */
export class EmbeddingNotSetError extends ToolkitError {
  constructor(nodeId: string) {
    super('EmbeddingNotSetError', 'embedding_not_set', `Node "${nodeId}" has no embedding; embed it first.`)
  }
}

/** Thrown when a node has no score. Set the score, or read `score`, which may be null. */
export class ScoreNotSetError extends ToolkitError {
  constructor(nodeId: string) {
    super('ScoreNotSetError', 'score_not_set', `Node "${nodeId}" has no score.`)
  }
}

/**
 * Thrown when an image node has no image, or an image that cannot be read. Set `image` to base64 text, `imagePath`, or `imageUrl`
 * together with `fetchImage`.
 */
export class ImageNotSetError extends ToolkitError {
  constructor(nodeId: string, message = 'has neither image, imagePath nor imageUrl') {
    super('ImageNotSetError', 'image_not_set', `Node "${nodeId}" ${message}.`)
  }
}

/** Thrown when a store record or nested data is a node of an unknown type. `type` is its code or its class name. */
export class UnknownNodeTypeError extends ToolkitError {
  readonly type: unknown

  constructor(
    type: unknown,
    message = typeof type === 'string'
      ? `the type "${type}" is not known; pass your own class to the store and the indexes (nodeClasses), or a registry that contains it.`
      : 'expected a record with __type__ "1" to "4" and __data__.',
  ) {
    super('UnknownNodeTypeError', 'unknown_node_type', `Node: ${message}`)
    this.type = type
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    embedding_not_set: EmbeddingNotSetError
    image_not_set: ImageNotSetError
    node_not_found: NodeNotFoundError
    relationship_shape: RelationshipShapeError
    score_not_set: ScoreNotSetError
    unknown_node_type: UnknownNodeTypeError
  }
}
