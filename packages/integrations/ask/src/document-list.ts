/**
 * @module
 * The documents of a folder by path, with their titles.
 */
import { DocsPathError, insidePath, type SkippedFile } from '@x/retrieval/folder'

/** A document in the list. */
export interface DocumentInfo {
  /** The path within the folder, with `/` as separator. */
  path: string
  /** The title of the front matter, or else the first heading; null without both. */
  title: string | null
  /** The number of lines. */
  lines: number
}

/** The maximum number of documents that an error lists. */
const NAMED = 5

/** The documents that can be read, and the files that cannot. */
export class DocumentList {
  private readonly infos = new Map<string, DocumentInfo>()
  /** The files and folders that are not served, with the reasons, sorted by path. */
  skipped: readonly SkippedFile[] = []

  /** The paths of all documents. */
  get paths(): string[] {
    return [...this.infos.keys()]
  }

  /** Returns a document by its path. */
  get(path: string): DocumentInfo | undefined {
    return this.infos.get(path)
  }

  /** Adds a document, or replaces it. */
  set(info: DocumentInfo): void {
    this.infos.set(info.path, info)
  }

  delete(path: string): void {
    this.infos.delete(path)
  }

  /** Returns the listed path of a document. @throws {DocsPathError} when it does not exist. */
  documentAt(path: string): string {
    const inside = insidePath(path)
    if (!this.infos.has(inside)) throw this.unknown(path)
    return inside
  }

  /** Returns a document, or the documents of a folder, sorted by path. @throws {DocsPathError} when neither exists. */
  within(path: string): DocumentInfo[] {
    const inside = insidePath(path)
    const isWithin = (one: string) => inside === '' || one === inside || one.startsWith(`${inside}/`)
    const found = [...this.infos.values()].filter((info) => isWithin(info.path))
    if (found.length === 0 && inside !== '') throw this.unknown(path)
    return found.sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  /** Returns an error that states why a file is not served, or which documents have similar names. */
  private unknown(path: string): DocsPathError {
    const inside = insidePath(path)
    const skipped = this.skipped.find((file) => file.path === inside)
    if (skipped) return new DocsPathError(path, skipped.reason)
    const name = inside
      .split('/')
      .at(-1)!
      .replace(/\.[^.]*$/, '')
      .toLowerCase()
    const near = this.paths.filter((one) => name !== '' && one.toLowerCase().includes(name)).slice(0, NAMED)
    const hint = near.length > 0 ? `There is ${near.join(', ')}.` : 'The tool list_documents lists them.'
    return new DocsPathError(path, `the document or folder does not exist. ${hint}`)
  }
}

/** Returns the lines of a string, without an empty last one. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
