/**
 * @module
 * Parses the command line.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ModelOptions, readModel } from './model/model-options.ts'
import { ExitCode, ProgramError } from './program-error.ts'
import { type RerankerOptions, rerankerOf } from './search/reranker.ts'

const USAGE =
  'Usage: ask [folder] ["question"] [--json] | ask --mcp [folder] [--http PORT] | ask --serve [folder] | ask build <folder> --out <folder>'

export const HELP = `Searches a folder of Markdown: shows the sections that answer a question, with file and line.

  ask [folder] "question"        prints three sections
  ask [folder]                   a prompt that shows sections while you type; without a terminal, one question per line
  ask --mcp [folder]             an MCP server on standard input and output
  ask --mcp [folder] --http PORT the same on http://127.0.0.1:PORT/mcp
  ask --serve [folder]           a page on http://127.0.0.1:4321
  ask build <folder> --out DIR   the same page as static files
  ask score <folder> FILE        asks the questions of a JSON file, and counts right sections; with --model right answers
  ask words <folder> FILE        shows words of questions of this file that the sections with the answers lack
  ask build <folder> --words MODEL
                                 lets a model write words and questions of readers for each section

The folder is the current one by default. Files ending in .md, .mdx and .markdown are read, at any depth, except those in
hidden folders and node_modules, and those that .gitignore and .ignore name.

  --json          { "sections": [{ "file", "from", "to", "path", "excerpt" }] }, ten sections
  --limit N       the number of sections
  --model NAME    a language model answers, with citations that are checked: openai:NAME (the key is read from OPENAI_API_KEY),
                  ollama:NAME, or ai-sdk:PACKAGE:NAME with a provider of the AI SDK that is installed in the current folder
  --base-url URL  a server with the OpenAI interface; --model is a name on it
  --text-tools    describes the tools in the prompt, for models without tool calls
  --timeout N     the maximum time without data from the server, in seconds; default 120
  --rerank MODEL  a cross-encoder reorders the first 20 sections: a folder (./model), or a name on the Hugging Face hub; needs
                  @x/transformers and @huggingface/transformers
  --words MODEL   writes ask-words.json in the folder, to be reviewed and committed; sections that have words keep them
  --languages L   languages of readers for --words, in addition to that of the documents: German,Chinese
  --write         of "words": adds them to ask-words.json
  --resume        continues the last answer that was stopped or failed
  --port PORT     the port of --serve; default 4321
  --no-cache      does not keep the index of a large folder in the cache folder of the user
  --version       prints the version
  --help          prints this text

Colors are left out in a pipe and with NO_COLOR. In the prompt, Enter opens the section with $VISUAL or $EDITOR.
Exit codes: 0 done, also if nothing was found; 1 the folder, a port or the reranker cannot be used; 2 wrong arguments;
4 the model server fails; 5 the model returned no answer; 130 stopped by Ctrl-C
`

/** The parsed command line. */
export type Arguments =
  | { command: 'help' }
  | { command: 'version' }
  | ({
      command: 'ask'
      question: string | null
      json: boolean
      limit: number | null
      model: ModelOptions | null
    } & FolderArguments)
  | { command: 'resume'; json: boolean }
  | ({ command: 'score'; questions: string; model: ModelOptions | null } & FolderArguments)
  | ({ command: 'mcp'; port: number | null } & FolderArguments)
  | ({ command: 'serve'; port: number; model: ModelOptions | null } & FolderArguments)
  | ({ command: 'words'; questions: string; writes: boolean } & FolderArguments)
  | ({
      command: 'build'
      out: string | null
      /** Writes the words of readers. */
      words: ModelOptions | null
      languages: string[]
    } & FolderArguments)

/** The folder that is searched. */
export interface FolderArguments {
  /** The absolute path. */
  folder: string
  /** The folder as it was named; empty for the default. */
  named: string
  /** Whether the index of a large folder is kept. */
  cache: boolean
  /** What reorders the sections. */
  rerank?: RerankerOptions | undefined
}

/** The folders that arguments refer to. */
export interface Folders {
  /** The folder of relative paths. */
  cwd: string
  /** The folder that is searched by default. */
  standard: string
}

/** Parses the command line. @throws {ProgramError} when it is wrong. */
export function readArguments(argv: readonly string[], folders: Folders): Arguments {
  const { values, positionals } = parse(argv)
  if (values.help) return { command: 'help' }
  if (values.version) return { command: 'version' }
  const cache = !values['no-cache']
  const chosen = (['mcp', 'serve', 'json'] as const).filter((name) => values[name])
  if (chosen.length > 1) throw wrong(`expected one of --mcp, --serve and --json, received ${chosen.length}.`)
  if (values.http !== undefined && !values.mcp) throw wrong('--http: expected --mcp with it.')
  if (values.port !== undefined && !values.serve) throw wrong('--port: expected --serve with it.')
  if (values.rerank !== undefined && (values.serve || values.resume || values.out !== undefined))
    throw wrong('--rerank: expected a question, --mcp or score with it; the page searches in the browser.')
  if (values.rerank === '') throw wrong('--rerank: expected a folder or the name of a model, received an empty string.')
  const rerank = values.rerank === undefined ? undefined : rerankerOf(values.rerank, folders.cwd)
  if (positionals[0] === 'build' && (values.out !== undefined || positionals.length === 2)) {
    const [, folder, ...others] = positionals
    if (folder === undefined || others.length > 0 || !(values.out || values.words))
      throw wrong('build: expected one folder, and --out with the folder of the page, or --words with a model.')
    const languages = (values.languages ?? '').split(',').flatMap((name) => name.trim() || [])
    const words = values.words === undefined ? null : modelOf({ ...values, model: values.words })
    const out = values.out ? resolve(folders.cwd, values.out) : null
    return { command: 'build', ...folderOf(folder, folders), cache, out, words, languages }
  }
  for (const name of ['out', 'words', 'languages'] as const)
    if (values[name] !== undefined) throw wrong(`--${name}: expected "build" with it.`)
  if (positionals[0] === 'words' && positionals.length === 3) {
    const [, folder = '', questions = ''] = positionals
    const file = resolve(folders.cwd, questions)
    return { command: 'words', ...folderOf(folder, folders), cache, questions: file, writes: values.write === true }
  }
  if (values.write) throw wrong('--write: expected "words <folder> FILE" with it.')
  if (values.resume) return { command: 'resume', json: values.json === true }
  const model = modelOf(values)
  if (positionals[0] === 'score' && positionals.length === 3) {
    const [, folder = '', questions = ''] = positionals
    const file = resolve(folders.cwd, questions)
    return { command: 'score', ...folderOf(folder, folders), cache, rerank, questions: file, model }
  }
  const [folder, ...rest] = splitFolder(positionals, folders)
  const place = { ...folderOf(folder, folders), cache, rerank }
  if (values.mcp || values.serve) {
    if (rest.length > 0) throw wrong(`expected one folder, received ${positionals.length} arguments.`)
    if (values.mcp) return { command: 'mcp', ...place, port: portOf('--http', values.http) }
    return { command: 'serve', ...place, port: portOf('--port', values.port) ?? 4321, model }
  }
  const question = rest.join(' ').trim()
  if (rest.length > 0 && question === '') throw wrong('expected a question, received an empty string.')
  const json = values.json === true
  if (json && question === '') throw wrong('--json: expected a question with it.')
  return { command: 'ask', ...place, question: question || null, json, limit: limitOf(values.limit), model }
}

/** The first argument is a folder if it exists, or is written like a path; otherwise all of them are the question. */
function splitFolder(positionals: readonly string[], { cwd }: Folders): [string, ...string[]] {
  const [first, ...rest] = positionals
  if (first === undefined) return ['']
  const isFolder = statSync(resolve(cwd, first), { throwIfNoEntry: false }) !== undefined
  const isPath = isFolder || (!/\s/.test(first) && (/^(?:\.{1,2}$|\.{0,2}[/\\]|~)/.test(first) || rest.length > 0))
  return isPath ? [first, ...rest] : ['', ...positionals]
}

function folderOf(named: string, { cwd, standard }: Folders): { folder: string; named: string } {
  return { folder: named === '' ? standard : resolve(cwd, named), named }
}

function modelOf(values: ReturnType<typeof parse>['values']): ModelOptions | null {
  const { timeout = '120' } = values
  if (!/^\d{1,5}$/.test(timeout) || Number(timeout) === 0)
    throw wrong(`--timeout: expected a number of seconds, received "${timeout}".`)
  const model = readModel({
    model: values.model,
    baseUrl: values['base-url'],
    timeoutMs: Number(timeout) * 1000,
    textTools: values['text-tools'] === true,
  })
  if (typeof model === 'string') throw wrong(model)
  return model
}

function limitOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,4}$/.test(text) || Number(text) === 0)
    throw wrong(`--limit: expected a number from 1 to 9999, received "${text}".`)
  return Number(text)
}

function portOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw wrong(`${name}: expected a port from 0 to 65535, received "${text}".`)
  return Number(text)
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        limit: { type: 'string' },
        model: { type: 'string' },
        'base-url': { type: 'string' },
        'text-tools': { type: 'boolean' },
        timeout: { type: 'string' },
        rerank: { type: 'string' },
        resume: { type: 'boolean' },
        mcp: { type: 'boolean' },
        http: { type: 'string' },
        serve: { type: 'boolean' },
        port: { type: 'string' },
        out: { type: 'string' },
        words: { type: 'string' },
        languages: { type: 'string' },
        write: { type: 'boolean' },
        'no-cache': { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw wrong((error as Error).message.split('\n')[0]!.replace(/\. To specify[\s\S]*/, '.'))
  }
}

function wrong(problem: string): ProgramError {
  return new ProgramError(ExitCode.usage, `${problem}\n${USAGE}`)
}
