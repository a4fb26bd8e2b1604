/**
 * @module
 * The errors of the stores. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** The store contains no node of this source document. */
export class RefDocNotFoundError extends ToolkitError {
  readonly refDocId: string

  constructor(refDocId: string) {
    super(
      'RefDocNotFoundError',
      'ref_doc_not_found',
      `The document store contains no nodes of the source document "${refDocId}".`,
    )
    this.refDocId = refDocId
  }
}

/** The store already contains a node with this id, and `allowUpdate` is false. */
export class NodeExistsError extends ToolkitError {
  readonly nodeId: string

  constructor(nodeId: string) {
    super(
      'NodeExistsError',
      'node_exists',
      `The document store already contains a node "${nodeId}"; set allowUpdate to replace it.`,
    )
    this.nodeId = nodeId
  }
}

/** A store file does not exist, is truncated, or is not a file of this store. The file is not changed. */
export class StoreReadError extends ToolkitError {
  /** The path of the file. */
  readonly path: string
  /** The offset in bytes at which the file is not JSON; null for other reasons. */
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

declare module '@x/core-model' {
  interface ToolkitErrors {
    node_exists: NodeExistsError
    ref_doc_not_found: RefDocNotFoundError
    store_read: StoreReadError
  }
}
