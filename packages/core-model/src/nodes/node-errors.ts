import { ToolkitError } from '../errors.ts'

/** Thrown when a relationship contains a list instead of a single record, or a single record instead of a list. */
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

/** Thrown when a document store has no node with this id. */
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

/** Thrown when a node has no score. */
export class ScoreNotSetError extends ToolkitError {
  constructor(nodeId: string) {
    super('ScoreNotSetError', 'score_not_set', `Node "${nodeId}" has no score.`)
  }
}

/** Thrown when an image node has no image, or an image that cannot be read. */
export class ImageNotSetError extends ToolkitError {
  constructor(nodeId: string, message = 'has neither image, imagePath nor imageUrl') {
    super('ImageNotSetError', 'image_not_set', `Node "${nodeId}" ${message}.`)
  }
}

/** Thrown when a store record or nested data is a node of an unknown type. `type` is its code or its class name. */
export class UnknownNodeTypeError extends ToolkitError {
  readonly type: unknown

  /** @param subclass - the name of a class that has the class name of the class that it extends, so that data cannot name it. */
  constructor(type: unknown, subclass?: string) {
    super(
      'UnknownNodeTypeError',
      'unknown_node_type',
      typeof type !== 'string'
        ? 'Node record: expected __type__ "1" to "4" with __data__.'
        : subclass === undefined
          ? `Node: the type "${type}" is not known; pass your own class to the store (nodeClasses), or a registry that contains it.`
          : `Node: a node of the class ${subclass} would be read back as another class with the class name "${type}"; declare it with fields(${type}, '${subclass}') and pass it to the store (nodeClasses).`,
    )
    this.type = type
  }
}
