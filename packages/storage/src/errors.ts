/**
 * @module
 * The errors of the stores. Each has a stable `code`; recognize one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** No node of this source document is in the store. */
export class RefDocNotFoundError extends ToolkitError {
  readonly refDocId: string

  constructor(refDocId: string) {
    super(
      'RefDocNotFoundError',
      'ref_doc_not_found',
      `The document store has no nodes of the source document "${refDocId}".`,
    )
    this.refDocId = refDocId
  }
}

/** A node with this id is in the store and may not be replaced. */
export class NodeExistsError extends ToolkitError {
  readonly nodeId: string

  constructor(nodeId: string) {
    super(
      'NodeExistsError',
      'node_exists',
      `The document store already has a node "${nodeId}"; set allowUpdate to replace it.`,
    )
    this.nodeId = nodeId
  }
}

/** A store file does not exist, is torn, or contains something else. It was left as it is. */
export class StoreReadError extends ToolkitError {
  /** The file. */
  readonly path: string
  /** Where the file stops to be JSON, in bytes from its start; null when that is not the reason. */
  readonly byte: number | null

  constructor(
    path: string,
    reason: string,
    { byte = null, ...options }: ToolkitErrorOptions & { byte?: number | null } = {},
  ) {
    super('StoreReadError', 'store_read', `${path}: ${reason}.`, options)
    this.path = path
    this.byte = byte
  }
}
