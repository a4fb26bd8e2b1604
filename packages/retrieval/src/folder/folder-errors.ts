/**
 * @module
 * The errors of a folder of documents. Each has a stable `code`; test for one with `isToolkitError(error, code)`.
 */
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/**
 * The folder cannot be served: it does not exist, is a file, or cannot be read. Pass the path of a folder that this process may read.
 */
export class DocsFolderError extends ToolkitError {
  /** The path of the folder. */
  readonly path: string

  constructor(path: string, reason: string, options?: ToolkitErrorOptions) {
    super('DocsFolderError', 'docs_folder', `${path}: ${reason}.`, options)
    this.path = path
  }
}

/** The document, or the place in a document, does not exist. Use a path as a listing or a search returns it. */
export class DocsPathError extends ToolkitError {
  /** The received path. */
  readonly path: string
  /** The reason, as a sentence. */
  readonly reason: string

  constructor(path: string, reason: string, options?: ToolkitErrorOptions) {
    super('DocsPathError', 'docs_path', `${JSON.stringify(path)}: ${reason}`, options)
    this.path = path
    this.reason = reason
  }
}

declare module '@x/core' {
  interface ToolkitErrors {
    docs_folder: DocsFolderError
    docs_path: DocsPathError
  }
}
