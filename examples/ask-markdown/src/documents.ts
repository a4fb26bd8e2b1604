/**
 * @module
 * Finds and reads Markdown files.
 */
import { type Dirent, existsSync, promises, type Stats } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { Document } from '@x/core-model'
import { ExitCode, ProgramError } from './program-error.ts'

const MARKDOWN_FILE = /\.(?:md|mdx|markdown|mdown|mkd)$/i

/** Whether a file name has a Markdown extension. */
export function isMarkdownName(name: string): boolean {
  return MARKDOWN_FILE.test(name)
}

/** Returns the paths of the project's own documentation, the default documents. */
export async function ownDocumentation(root: string): Promise<string[]> {
  const folders = ['packages', join('packages', 'integrations')]
  const names = await Promise.all(folders.map((folder) => promises.readdir(join(root, folder)).catch(() => [])))
  const packages = folders.flatMap((folder, index) =>
    names[index]!.sort().map((name) => join(folder, name, 'README.md')),
  )
  const candidates = ['README.md', 'docs', ...packages]
  return candidates.map((path) => join(root, path)).filter((path) => existsSync(path))
}

/** The functions of `node:fs/promises` that are used here. */
export interface FileReader {
  stat(path: string): Promise<Pick<Stats, 'isDirectory' | 'isFile'>>
  readdir(path: string, options: { withFileTypes: true }): Promise<Dirent[]>
  readFile(path: string, options?: { signal?: AbortSignal | undefined }): Promise<Uint8Array>
}

/** The options of {@link readDocuments}. */
export interface ReadOptions {
  /** The folder that relative paths and reported places refer to. */
  folder: string
  /** Called for each file or folder that is skipped. */
  warn: (message: string) => void
  /** The content of the path `-`. @defaultValue nothing: `-` is refused */
  stdin?: AsyncIterable<Uint8Array> | undefined
  signal?: AbortSignal | undefined
  /** @defaultValue `node:fs/promises` */
  files?: FileReader
}

/** The path that stands for standard input, and the id of its document. */
export const STDIN = '-'
const STDIN_ID = 'stdin'

/**
 * Reads the documents of files and folders, each once. The id of a document is its path. Folders are searched for Markdown files at
 * any depth; files that cannot be read are skipped with a warning. A file that is passed itself may have any extension. `-` is standard input.
 * @throws {ProgramError} for a path that does not exist, a folder without Markdown, or a passed file that cannot be read as UTF-8 text.
 */
export async function readDocuments(paths: readonly string[], options: ReadOptions): Promise<Document[]> {
  const { folder, files = promises, signal } = options
  const documents = new Map<string, Document>()
  const add = (id: string, text: string) => documents.set(id, new Document({ id, text, metadata: { file: id } }))
  for (const path of paths) {
    if (path === STDIN) {
      if (!documents.has(STDIN_ID)) add(STDIN_ID, await readInput(options))
      continue
    }
    const place = resolve(folder, path)
    const kind = await files.stat(place).catch((cause) => {
      throw refused(`${path}: ${cause.code === 'ENOENT' ? 'no such file or folder' : cause.message}.`, cause)
    })
    if (!kind.isDirectory() && !kind.isFile() && !/^\/(?:dev\/fd|proc)\//.test(place))
      throw refused(
        `${path}: expected a file or a folder, received a pipe or a device; pass ${STDIN} to read standard input.`,
      )
    const found = kind.isDirectory() ? await markdownFiles(place, path, options) : [place]
    if (found.length === 0)
      throw refused(`${path}: no Markdown file (.md, .mdx, .markdown) in this folder that can be read.`)
    for (const file of found) {
      signal?.throwIfAborted()
      const name = nameOf(file, folder)
      if (documents.has(name)) continue
      const text = await readText(file, name, options).catch((error: unknown) => {
        if (!kind.isDirectory() || !(error instanceof ProgramError)) throw error
        options.warn(`${error.message.replace(/\.$/, '')}; skipped.`)
        return null
      })
      if (text !== null) add(name, text)
    }
    if (kind.isDirectory() && !found.some((file) => documents.has(nameOf(file, folder))))
      throw refused(`${path}: no Markdown file (.md, .mdx, .markdown) in this folder that can be read.`)
  }
  return [...documents.values()]
}

function refused(message: string, cause?: unknown): ProgramError {
  return new ProgramError(ExitCode.documents, message, { cause })
}

/** Returns the path relative to the folder, with `/` as separator. */
function nameOf(file: string, folder: string): string {
  const fromHere = relative(folder, file)
  const name = fromHere.startsWith('..') ? file : fromHere
  return name.split(sep).join('/')
}

/** Returns the Markdown files below a folder, in alphabetical order. Skips links, hidden folders and `node_modules`. */
async function markdownFiles(place: string, name: string, options: ReadOptions): Promise<string[]> {
  const { files = promises, warn } = options
  let entries: Dirent[]
  try {
    entries = await files.readdir(place, { withFileTypes: true })
  } catch (error) {
    warn(`${name}: the folder cannot be read (${(error as NodeJS.ErrnoException).code}); skipped.`)
    return []
  }
  const found: string[] = []
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(place, entry.name)
    if (entry.isFile() && isMarkdownName(entry.name)) found.push(path)
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      found.push(...(await markdownFiles(path, join(name, entry.name), options)))
  }
  return found
}

async function readText(file: string, name: string, { files = promises, signal }: ReadOptions): Promise<string> {
  const bytes = await files.readFile(file, { signal }).catch((cause) => {
    signal?.throwIfAborted()
    throw refused(`${name}: cannot be read (${cause.code ?? cause.message}).`, cause)
  })
  return decoded(bytes, name)
}

async function readInput({ stdin, signal }: ReadOptions): Promise<string> {
  if (stdin === undefined) throw refused(`${STDIN}: there is no standard input.`)
  const pieces: Uint8Array[] = []
  for await (const piece of stdin) {
    signal?.throwIfAborted()
    pieces.push(piece)
  }
  return decoded(Buffer.concat(pieces), 'standard input')
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Reported below.
  }
  throw refused(`${name}: expected UTF-8 text; pass Markdown files.`)
}
