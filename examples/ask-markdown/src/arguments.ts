/**
 * @module
 * Parses the command line.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isMarkdownName } from './documents.ts'
import { type ModelOptions, readModel } from './model/model-options.ts'
import { ExitCode, ProgramError } from './program-error.ts'

/** The question without arguments. */
const DEFAULT_QUESTION = 'What is a postprocessor?'

export const HELP = `Ask a question about Markdown files; an agent searches them, looks into their tables and answers with its sources.

Usage
  npm start                                        the project's own documentation, an example question
  npm start help                                   this text
  npm start -- "question"                          the project's own documentation
  npm start -- <file or folder>... "question"      these files, and the Markdown files in these folders
  … | npm start -- - "question"                    standard input
  npm start -- --chat <file or folder>...          a conversation: one question per line of standard input

Model
  Without options a stand-in answers: no network, no weights. It finds cells, sections and sentences by the
  words of the question, and quotes them. To use a language model, name it (or set ASK_MARKDOWN_MODEL):
  --model openai:<name>  a model of OpenAI, such as openai:gpt-5-mini; the key is read from OPENAI_API_KEY
  --model ollama:<name>  a model of Ollama on this machine, such as ollama:qwen3
  --model ai-sdk:<package>:<name>    a model of an AI SDK provider, such as ai-sdk:@ai-sdk/anthropic:<name>;
                         the package must be installed in the current folder
  --embedding-model <model>    search by meaning too: openai:<name>, ollama:<name>, or a name on the server
  --base-url <url>       a server with the OpenAI interface; --model is a name on it (or ASK_MARKDOWN_BASE_URL)
  --text-tools           describe the tools in the prompt, for models without tool calls
  --timeout <seconds>    the maximum time without data from the server; default 120

Documents
  --store <file>         keep the parsed documents in this SQLite file: unchanged ones are not parsed again

Output
  --json                 one JSON object on standard output: answer, sources, steps
  --help                 this text, as npm start help (npm needs -- before it: npm start -- --help)

Runs
  --resume               continue the last run that was stopped, killed or failed
  --runs <folder>        the folder of unfinished runs; default .runs next to this program

Exit codes
  0  answered, even if the answer is that nothing was found
  1  an error in this program
  2  wrong arguments
  3  a file or folder is missing, contains no Markdown, or cannot be read; or the store cannot be used
  4  the model server cannot be reached, rejects the request, or answers too late
  5  the model returned no answer, or one that was cut
  130  stopped by Ctrl-C
`

/** The parsed command line. */
export type Arguments =
  | { command: 'help' }
  | { command: 'resume'; json: boolean; runs: string | null }
  | {
      command: 'ask' | 'chat'
      json: boolean
      runs: string | null
      paths: string[]
      /** Empty for a conversation. */
      question: string
      /** Null for the stand-in. */
      model: ModelOptions | null
      /** Null for search by words alone. */
      embedding: ModelOptions | null
      /** The file that keeps the parsed documents. */
      store: string | null
    }

/** The current folder and the environment variables. */
export interface CommandLineContext {
  folder: string
  env: Readonly<Record<string, string | undefined>>
}

/** Parses the command line. @throws {ProgramError} for invalid arguments. */
export function readArguments(argv: readonly string[], { folder, env }: CommandLineContext): Arguments {
  const { values, positionals } = parse(argv)
  if (values.help || (positionals.length === 1 && positionals[0] === 'help')) return { command: 'help' }
  const common = { json: values.json ?? false, runs: values.runs === undefined ? null : resolve(folder, values.runs) }
  if (values.resume) {
    if (
      positionals.length > 0 ||
      values['base-url'] !== undefined ||
      values.model !== undefined ||
      values.store !== undefined
    )
      throw wrong('--resume continues with the question, the files and the model of the run; pass no others.')
    return { command: 'resume', ...common }
  }
  const exists = (path: string) => existsSync(resolve(folder, path))
  const models = readModels(values, env)
  const store = values.store === undefined ? null : resolve(folder, values.store)
  if (values.chat) {
    if (positionals.includes('-')) throw wrong('--chat reads questions from standard input; pass files.')
    if (values.json) throw wrong('--chat prints text; leave out --json.')
    return { command: 'chat', ...common, paths: positionals, question: '', ...models, store }
  }
  return {
    command: 'ask',
    ...common,
    ...splitPositionals(positionals, exists),
    ...models,
    store,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        model: { type: 'string' },
        timeout: { type: 'string' },
        'embedding-model': { type: 'string' },
        'text-tools': { type: 'boolean' },
        chat: { type: 'boolean' },
        runs: { type: 'string' },
        store: { type: 'string' },
        resume: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw wrong((error as Error).message.split('\n')[0]!.replace(/\. To specify.*$/, '.'))
  }
}

/** Splits the arguments: the last one is the question, all others are files or folders. */
function splitPositionals(
  positionals: readonly string[],
  exists: (path: string) => boolean,
): { paths: string[]; question: string } {
  const last = positionals.at(-1)
  if (last === undefined) return { paths: [], question: DEFAULT_QUESTION }
  if (exists(last) || (isMarkdownName(last) && !/\s/.test(last)))
    throw wrong(`no question: write it after the files, in quotes: npm start -- ${positionals.join(' ')} "What …?"`)
  if (last.trim() === '') throw wrong('the question is empty.')
  return { paths: positionals.slice(0, -1), question: last }
}

interface ModelValues {
  'base-url'?: string
  model?: string
  'embedding-model'?: string
  timeout?: string
  'text-tools'?: boolean
}

/** Returns the language model and the embedding model. A server may be named for one of them, or for both. */
function readModels(
  values: ModelValues,
  env: CommandLineContext['env'],
): { model: ModelOptions | null; embedding: ModelOptions | null } {
  const seconds = Number(values.timeout ?? 120)
  if (!(seconds > 0)) throw wrong(`--timeout: expected a number of seconds above 0, received "${values.timeout}".`)
  const baseUrl = values['base-url'] ?? env['ASK_MARKDOWN_BASE_URL']
  const model = values.model ?? env['ASK_MARKDOWN_MODEL']
  const embedding = values['embedding-model']
  const common = { timeoutMs: seconds * 1000, textTools: values['text-tools'] ?? false }
  const chat = readModel({ model, baseUrl: model || !embedding ? baseUrl : undefined, ...common })
  if (typeof chat === 'string') throw wrong(chat)
  const vectors = readModel({ model: embedding, baseUrl: embedding && baseUrl, ...common })
  if (typeof vectors === 'string') throw wrong(vectors.replaceAll('--model', '--embedding-model'))
  if (vectors?.provider.kind === 'ai-sdk') throw wrong('--embedding-model: expected openai:NAME or ollama:NAME.')
  return { model: chat, embedding: vectors }
}

function wrong(message: string): ProgramError {
  return new ProgramError(ExitCode.usage, `${message} (See npm start help.)`)
}
