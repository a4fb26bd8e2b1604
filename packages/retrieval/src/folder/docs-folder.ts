/// <reference types="node" />
/**
 * @module
 * A folder of Markdown files. Files outside of it are never opened.
 */
import { type BigIntStats, constants, type Dirent, promises } from 'node:fs'
import { join, sep } from 'node:path'
import { checkOption, required, text as string } from '@x/core/options'
import { ToolkitError, type ToolkitErrorOptions } from '@x/core-model'

/** The size of the largest file that is read, in bytes. */
export const MOST_BYTES = 8 * 1024 * 1024

const MARKDOWN_FILE = /\.(?:md|mdx|markdown)$/i

/** A Markdown file. */
export interface DocumentFile {
  /** The path within the folder, with `/` as separator. */
  path: string
  /** In bytes. */
  size: number
  /** Changes whenever the file is written. */
  stamp: string
}

/** A file or folder that is not served. */
export interface SkippedFile {
  path: string
  reason: string
  /** Why it could not be read this time. @defaultValue such files are never read */
  error?: DocsPathError | undefined
}

/** The content of a folder. */
export interface FolderContent {
  files: DocumentFile[]
  skipped: SkippedFile[]
}

/** The part of `node:fs/promises` that a folder uses. */
export type FileSystem = Pick<typeof promises, 'lstat' | 'open' | 'readdir' | 'realpath' | 'stat'>

/** Called for each folder before it is read, with its path within the root and a string that identifies it. */
type OnFolder = (path: string, identity: string) => void

/**
 * A folder of Markdown files. Hidden files and folders, `node_modules`, symbolic links and what ignore files name are left out; so is all of
 * a folder whose ignore file cannot be read.
 */
export class DocsFolder {
  /** The absolute path, without symbolic links. */
  readonly root: string
  private readonly fs: FileSystem

  private constructor(root: string, fs: FileSystem) {
    this.root = root
    this.fs = fs
  }

  /** Opens a folder. @throws {DocsFolderError} unless it is a folder that can be read. */
  static async open(path: string, fs: FileSystem = promises): Promise<DocsFolder> {
    try {
      const root = await fs.realpath(path)
      if (!(await fs.stat(root)).isDirectory()) throw new DocsFolderError(path, 'expected a folder, received a file')
      await fs.readdir(root)
      return new DocsFolder(root, fs)
    } catch (cause) {
      if (cause instanceof DocsFolderError) throw cause
      const reason = isMissing(cause) ? 'no such folder' : `cannot be read (${(cause as { code?: string }).code})`
      throw new DocsFolderError(path, reason, { cause })
    }
  }

  /** Whether the folder exists and is a folder. */
  async exists(): Promise<boolean> {
    const stats = await this.fs.stat(this.root).catch(() => null)
    return stats?.isDirectory() ?? false
  }

  /**
   * Returns the Markdown files at any depth, sorted by path.
   * @throws {DocsFolderError} when the folder itself or its own ignore file cannot be read any more.
   */
  async list(onFolder?: OnFolder): Promise<FolderContent> {
    const content: FolderContent = { files: [], skipped: [] }
    await this.listInto('', content, new IgnoreRules(), onFolder)
    content.files.sort((one, other) => (one.path < other.path ? -1 : 1))
    return content
  }

  /**
   * Returns the text of a Markdown file.
   * @throws {DocsPathError} for a path outside of the folder, a symbolic link, and a file that is missing, too large or not UTF-8 text.
   */
  async read(path: string): Promise<string> {
    const inside = insidePath(path)
    if (!MARKDOWN_FILE.test(inside)) throw new DocsPathError(path, 'expected a Markdown file (.md, .mdx, .markdown).')
    const file = join(this.root, ...inside.split('/'))
    try {
      if ((await this.fs.realpath(file)) !== file) throw new DocsPathError(path, 'symbolic links are not followed.')
      return decoded(path, await this.bytesOf(path, file))
    } catch (cause) {
      if (cause instanceof DocsPathError) throw cause
      throw new DocsPathError(path, reasonOf(cause), { cause })
    }
  }

  private async bytesOf(path: string, file: string): Promise<Uint8Array> {
    // A pipe in place of the file would block without O_NONBLOCK. Windows has neither flag.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
    const handle = await this.fs.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw new DocsPathError(path, 'expected a file.')
      if (stats.size > MOST_BYTES) throw new DocsPathError(path, tooLarge(stats.size))
      return await handle.readFile()
    } finally {
      await handle.close()
    }
  }

  private async listInto(
    path: string,
    content: FolderContent,
    above: IgnoreRules,
    onFolder: OnFolder | undefined,
  ): Promise<void> {
    const place = join(this.root, path)
    let entries: Dirent[]
    let rules: IgnoreRules
    try {
      const { dev, ino } = await this.fs.stat(place)
      onFolder?.(path, `${dev} ${ino}`)
      entries = await this.fs.readdir(place, { withFileTypes: true })
      rules = await this.rulesOf(path, entries, above)
    } catch (cause) {
      if (path === '') throw new DocsFolderError(this.root, goneReason(cause), { cause })
      content.skipped.push(unlisted(path, cause))
      return
    }
    const shown = entries.filter(
      (entry) =>
        !entry.name.startsWith('.') &&
        entry.name !== 'node_modules' &&
        !rules.ignores(joined(path, entry.name), entry.isDirectory()),
    )
    await Promise.all(shown.map((entry) => this.addFile(joined(path, entry.name), entry, content)))
    for (const entry of shown) {
      if (entry.isDirectory()) await this.listInto(joined(path, entry.name), content, rules, onFolder)
    }
  }

  private async rulesOf(path: string, entries: readonly Dirent[], above: IgnoreRules): Promise<IgnoreRules> {
    let rules = above
    for (const name of IGNORE_FILES) {
      if (!entries.some((entry) => entry.name === name && entry.isFile())) continue
      const file = joined(path, name)
      try {
        rules = rules.with(path, new TextDecoder().decode(await this.bytesOf(file, join(this.root, file))))
      } catch (cause) {
        // What it names must not be read because it cannot be read itself.
        if (!isMissing(cause)) throw new DocsPathError(file, `${name}: ${reasonOf(cause)}`, { cause })
      }
    }
    return rules
  }

  private async addFile(path: string, entry: Dirent, content: FolderContent): Promise<void> {
    const skip = (reason: string) => content.skipped.push({ path, reason })
    const isMarkdown = MARKDOWN_FILE.test(entry.name)
    if (entry.isSymbolicLink() && (isMarkdown || (await this.isFolder(path)))) skip('symbolic links are not followed.')
    if (!isMarkdown || entry.isDirectory() || entry.isSymbolicLink()) return
    try {
      const stats: BigIntStats = await this.fs.lstat(join(this.root, path), { bigint: true })
      const size = Number(stats.size)
      if (!stats.isFile()) skip('expected a file.')
      else if (size > MOST_BYTES) skip(tooLarge(size))
      else content.files.push({ path, size, stamp: `${stats.ino} ${size} ${stats.mtimeNs} ${stats.ctimeNs}` })
    } catch (error) {
      content.skipped.push(unlisted(path, error))
    }
  }

  private async isFolder(path: string): Promise<boolean> {
    const stats = await this.fs.stat(join(this.root, path)).catch(() => null)
    return stats?.isDirectory() ?? false
  }
}

/**
 * Returns a path within a folder, without `.` and empty parts.
 * @throws {DocsPathError} for an absolute path, `..`, and NUL.
 */
export function insidePath(path: string): string {
  checkOption('insidePath', 'path', path, required(string))
  const parts = (sep === '\\' ? path.replaceAll('\\', '/') : path).split('/')
  const isOutside =
    path.includes('\0') || path.startsWith('/') || /^(?:[a-z]:|\\)/i.test(path) || parts.some((part) => part === '..')
  if (isOutside) throw new DocsPathError(path, 'expected a path inside of the folder, such as guides/install.md.')
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

function tooLarge(size: number): string {
  return `the file is too large (${size} bytes; at most ${MOST_BYTES} are read).`
}

function reasonOf(error: unknown): string {
  if (error instanceof DocsPathError) return error.reason
  const { code, message } = error as Error & { code?: string }
  if (isMissing(error)) return 'no such file.'
  return code === 'EACCES' || code === 'EPERM' ? 'no permission to read it.' : `cannot be read (${code ?? message}).`
}

/** A file or folder that was listed and cannot be looked at. The system lists names that are not UTF-8 with replacement characters. */
function unlisted(path: string, cause: unknown): SkippedFile {
  if (isMissing(cause)) return { path, reason: path.includes('\ufffd') ? 'expected a name in UTF-8.' : reasonOf(cause) }
  const reason = reasonOf(cause)
  return { path, reason, error: new DocsPathError(path, reason, { cause }) }
}

/** Whether an error of the file system, or its cause, says that there is no such file. */
export function isMissing(error: unknown): boolean {
  const { code, cause } = error as Error & { code?: string }
  return code === 'ENOENT' || (error instanceof ToolkitError && isMissing(Object(cause)))
}

/** Why the folder itself cannot be read. */
function goneReason(error: unknown): string {
  return isMissing(error)
    ? 'the folder was deleted, moved or unmounted; its documents are served again when it is back'
    : reasonOf(error).replace(/\.$/, '')
}

function decoded(path: string, bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new DocsPathError(path, 'expected text, found a NUL byte.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new DocsPathError(path, 'expected UTF-8 text.', { cause })
  }
}

/** The names of the files that contain rules, in the order in which they are read. */
const IGNORE_FILES: readonly string[] = ['.gitignore', '.ignore']

/** The longest pattern that is read, in characters. */
const LONGEST = 500

interface Rule {
  /** The folder of the file with the rule, with `/` at its end; empty for the root. */
  base: string
  pattern: RegExp
  isNegated: boolean
  onlyFolders: boolean
}

/** Rules of a folder and of the folders above it. */
export class IgnoreRules {
  private readonly rules: readonly Rule[]

  constructor(rules: readonly Rule[] = []) {
    this.rules = rules
  }

  /** Returns these rules with those of a file in the folder `base`. */
  with(base: string, source: string): IgnoreRules {
    const added = source.split(/\r?\n/).flatMap((line) => ruleOf(base === '' ? '' : `${base}/`, line) ?? [])
    return added.length === 0 ? this : new IgnoreRules([...this.rules, ...added])
  }

  /** Whether a file or folder is ignored. The last rule that matches decides. */
  ignores(path: string, isFolder: boolean): boolean {
    const rule = this.rules.findLast(
      ({ base, pattern, onlyFolders }) =>
        (isFolder || !onlyFolders) && path.startsWith(base) && pattern.test(path.slice(base.length)),
    )
    return rule !== undefined && !rule.isNegated
  }
}

function ruleOf(base: string, line: string): Rule | null {
  let text = line.replace(/(?<![\\\s])\s+$/, '')
  if (text === '' || text.startsWith('#') || text.length > LONGEST) return null
  const isNegated = text.startsWith('!')
  if (isNegated) text = text.slice(1)
  const onlyFolders = text.endsWith('/')
  if (onlyFolders) text = text.slice(0, -1)
  // A pattern with a slash is relative to its folder, another one matches at any depth.
  const isRelative = text.includes('/')
  if (text.startsWith('/')) text = text.slice(1)
  try {
    return {
      base,
      pattern: new RegExp(`^${isRelative ? '' : '(?:.*/)?'}${patternOf(text)}$`, 'u'),
      isNegated,
      onlyFolders,
    }
  } catch {
    return null
  }
}

/** `*` and `?` match within a name, `**` matches any folders. Stars in a row count once, so that matching takes little time. */
function patternOf(glob: string): string {
  return glob.replace(
    /(?:\*\*\/){1,50}|\/\*\*$|\*+|\?|\[[^\][/]{1,200}\]|\\(.)|[^*?\\]/gu,
    (part, escaped: string | undefined) => {
      if (part.startsWith('**/')) return '(?:.*/)?'
      if (part === '/**') return '/.*'
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      if (part.length > 2 && part.startsWith('[')) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\')
      return (escaped ?? part).replace(/[$()*+.?[\\\]^{|}/]/u, '\\$&')
    },
  )
}

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

/** The document, or the passage in a document, does not exist. Use a path as a listing or a search returns it. */
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
