/**
 * @module
 * Finds and reads Markdown files.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
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
  const names = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(() => [])))
  const packages = folders.flatMap((folder, index) =>
    names[index]!.sort().map((name) => join(folder, name, 'README.md')),
  )
  const candidates = ['README.md', 'docs', ...packages]
  return candidates.map((path) => join(root, path)).filter((path) => existsSync(path))
}

/** The options of {@link readDocuments}. */
export interface ReadOptions {
  /** The folder that relative paths and reported places refer to. */
  folder: string
  /** Called for each file that is skipped. */
  warn: (message: string) => void
}

/**
 * Reads the documents of files and folders, each once. The id of a document is its path. Folders are searched for Markdown files at
 * any depth; a file that is passed itself may have any extension.
 * @throws {ProgramError} for a path that does not exist, a folder without Markdown, or a file that is not UTF-8 text.
 */
export async function readDocuments(paths: readonly string[], { folder, warn }: ReadOptions): Promise<Document[]> {
  const documents = new Map<string, Document>()
  for (const path of paths) {
    const place = resolve(folder, path)
    const kind = await stat(place).catch((cause) => {
      throw new ProgramError(
        ExitCode.documents,
        `${path}: ${cause.code === 'ENOENT' ? 'no such file or folder' : cause.message}.`,
        { cause },
      )
    })
    const isFolder = kind.isDirectory()
    const files = isFolder ? await markdownFiles(place) : [place]
    if (files.length === 0)
      throw new ProgramError(ExitCode.documents, `${path}: no Markdown file (.md, .markdown) in this folder.`)
    for (const file of files) {
      const name = nameOf(file, folder)
      if (documents.has(name)) continue
      const text = await readText(file, name)
      if (text !== null) documents.set(name, new Document({ id: name, text, metadata: { file: name } }))
      else if (isFolder) warn(`${name}: skipped, because it is not UTF-8 text.`)
      else throw new ProgramError(ExitCode.documents, `${name}: expected UTF-8 text; pass Markdown files.`)
    }
  }
  return [...documents.values()]
}

/** Returns the path relative to the folder, with `/` as separator. */
function nameOf(file: string, folder: string): string {
  const fromHere = relative(folder, file)
  const name = fromHere.startsWith('..') ? file : fromHere
  return name.split(sep).join('/')
}

/** Returns the Markdown files below a folder, in alphabetical order. Skips links, hidden folders and `node_modules`. */
async function markdownFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files: string[] = []
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile() && isMarkdownName(entry.name)) files.push(path)
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      files.push(...(await markdownFiles(path)))
  }
  return files
}

/** Returns the text of a file; null if it is not UTF-8 text. */
async function readText(file: string, name: string): Promise<string | null> {
  const bytes = await readFile(file).catch((cause) => {
    throw new ProgramError(ExitCode.documents, `${name}: cannot be read (${cause.code ?? cause.message}).`, { cause })
  })
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
