/**
 * @module
 * Answers questions with sections: one question, one per line of standard input, or a prompt.
 */

import { join, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { DocsFolderError } from '@x/retrieval/folder'
import type { Docs } from './docs.ts'
import { ExitCode, ProgramError } from './program-error.ts'
import { questionLines } from './question-lines.ts'
import type { FoundSection } from './search/found-section.ts'
import type { RerankerOptions } from './search/reranker.ts'
import { editorCommand, runEditor } from './terminal/open-editor.ts'
import { followUp, Prompt } from './terminal/prompt.ts'
import { sectionsText, styleOf, type Unfound } from './terminal/show-sections.ts'
import { withoutControls } from './terminal/text-width.ts'

/** The streams of a terminal. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }
  stdout: Writable & { isTTY?: boolean; columns?: number; rows?: number }
  stderr: Writable
  env: Readonly<Record<string, string | undefined>>
  /** The folder of relative paths. */
  cwd: string
  /** Ends the program. */
  signal: AbortSignal
}

/** What is asked. */
export interface AskOptions {
  /** Null for a prompt, or the lines of standard input. */
  question: string | null
  json: boolean
  limit: number | null
  rerank?: RerankerOptions | undefined
  /** The folder as it was named; empty for the default. */
  named: string
}

/** The number of sections that are shown, and of those in JSON. */
const SHOWN = 3
const LISTED = 10

/** Answers a question, or all questions until the input ends. @throws {DocsFolderError} for a folder without Markdown. */
export async function ask(docs: Docs, options: AskOptions, terminal: Terminal): Promise<void> {
  const { question, json } = options
  const { stdin, stdout, stderr, signal } = terminal
  const stop = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  stop.catch(() => {})
  const isPrompt = question === null && stdin.isTTY === true && stdout.isTTY === true
  if (isPrompt && options.rerank)
    throw new ProgramError(ExitCode.usage, '--rerank: expected a question with it; the prompt searches at every key.')
  await Promise.race([stop, reading(docs, stderr)])
  for (const { path, reason } of (await docs.skipped()).slice(0, 5))
    stderr.write(`ask: ${withoutControls(path)} is skipped: ${reason}\n`)
  if (isPrompt) await prompt(docs, options, terminal)
  else if (json) stdout.write(await jsonOf(docs, question as string, options.limit ?? LISTED))
  else if (question !== null) stdout.write(await textOf(docs, question, options, terminal))
  else await Promise.race([stop, lines(docs, options, terminal)])
}

/** Waits until the folder is read; reports the progress of a large one on a terminal. */
async function reading(docs: Docs, stderr: Writable & { isTTY?: boolean }): Promise<void> {
  const timer = setInterval(() => {
    const { progress } = docs
    if (stderr.isTTY && progress) stderr.write(`\rReading ${progress.done} of ${progress.total} files …`)
  }, 500)
  try {
    const documents = await docs.documents()
    if (documents.length > 0) return
    const [skipped] = await docs.skipped()
    const hint = skipped ? `; ${withoutControls(skipped.path)}: ${skipped.reason.replace(/\.$/, '')}` : ''
    throw new DocsFolderError(docs.root, `no Markdown file (.md, .mdx, .markdown) can be read${hint}`)
  } finally {
    clearInterval(timer)
    if (stderr.isTTY) stderr.write('\r\u001b[K')
  }
}

async function jsonOf(docs: Docs, question: string, limit: number): Promise<string> {
  const found = await docs.search(question, { limit })
  const sections = found.map(({ file, from, to, path, excerpt, added }) => ({
    ...{ file, from, to, path, excerpt },
    ...(added && { added }),
  }))
  const language = await docs.otherLanguage(question)
  return `${JSON.stringify({ sections, ...(language && { language }) }, null, 2)}\n`
}

async function unfoundIn(docs: Docs, question: string): Promise<Unfound> {
  return { missing: await docs.missing(question), language: await docs.otherLanguage(question) }
}

/** Returns the path of a file as a terminal can open it: relative to the folder in which it stands. */
function placeIn(named: string): (file: string) => string {
  return (file) => join(named, file)
}

async function textOf(docs: Docs, question: string, { limit, named }: AskOptions, terminal: Terminal): Promise<string> {
  const found = await docs.search(question, { limit: limit ?? SHOWN })
  const unfound = await unfoundIn(docs, question)
  return `${sectionsText(found, unfound, placeIn(named), styleOf(terminal.stdout, terminal.env))}\n`
}

async function lines(docs: Docs, options: AskOptions, terminal: Terminal): Promise<void> {
  let before = ''
  for await (const line of questionLines(terminal)) {
    const question = followUp(line, before)
    before = question
    terminal.stdout.write(`${await textOf(docs, question, options, terminal)}\n`)
  }
}

function prompt(docs: Docs, { limit, named }: AskOptions, terminal: Terminal): Promise<void> {
  const { stdin, stdout, env, signal } = terminal
  return new Prompt({
    input: stdin,
    output: stdout,
    style: () => styleOf(stdout, env),
    placeOf: placeIn(named),
    search: async (question) => ({
      sections: await docs.search(question, { limit: limit ?? SHOWN }),
      ...(await unfoundIn(docs, question)),
    }),
    open: (section) => openSection(docs.root, section, terminal),
    signal,
  }).run()
}

async function openSection(root: string, { file, line }: FoundSection, { env }: Terminal): Promise<string | null> {
  const command = editorCommand(env, resolve(root, file), line)
  return command === null ? 'Set VISUAL or EDITOR to the editor that opens sections.' : runEditor(command)
}
