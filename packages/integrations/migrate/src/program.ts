/**
 * @module
 * The program: reads the command line, copies, and prints what it found, wrote and proved.
 */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkOption, list, required } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { type PythonLineName, pythonLine } from '@x/core-model/python'
import { type Answers, answersOf, type Match } from './check-question.ts'
import { type Comparison, compare } from './compare.ts'
import type { Content, WriteOptions } from './content.ts'
import { nameOf, readPostgres, readSqlite, writePostgres, writeSqlite } from './databases.ts'
import { MigrateError } from './errors.ts'
import { FolderContent } from './folder-content.ts'
import { proveWith } from './prove-with.ts'
import { writeFolder } from './write-folder.ts'

const help = `Usage: migrate FOLDER [--to TARGET] [OPTIONS]
       migrate --from SOURCE --to TARGET [OPTIONS]

Copies nodes, vectors, hashes, indexes and conversations between a storage folder of LlamaIndex for Python and a
database, in both directions. Without --to it prints what the source contains. The source is never changed.

  FOLDER, --from    a storage folder, json:FOLDER, sqlite:FILE or postgres://USER@HOST/DATABASE?schema=NAME
  --to              the same forms: a new folder, a new file, or empty tables
  --line            the release of llama-index-core that the target has, such as 0.13.6, or its line, such as 0.13;
                    default: the newest that the files of the source show, and for each conversation its own
  --check           also answers a question from source and target, by its words and by the vector of the best match
  --prove-with      loads the folder that is written in a Python program, such as python3, with its llama-index-core,
                    and compares contents, hashes, conversations and the answer of a query
  --allow-left-out  writes also if something cannot be migrated, without it; each thing is printed by name
  --help

The result is 0 if everything was written and is the same, 1 for an error, a difference, or something that was left
out and not allowed to be, 2 for wrong arguments.`

/** Where the program prints. */
interface MigrateOutput {
  /** Receives a line of the result. */
  print(line: string): void
  /** Receives the progress. */
  report(line: string): void
}

interface Options {
  from: string
  to: string | undefined
  line: PythonLineName | undefined
  check: string | undefined
  proveWith: string | undefined
  allowsLeftOut: boolean
}

/** Runs the program, and returns its exit code. @param args - the arguments of the command line. */
export async function run(args: readonly string[], output: MigrateOutput): Promise<number> {
  checkOption('run', 'args', args, required(list))
  checkOption('run', 'output', output, required('an output', 'print'))
  let options: Options | null
  try {
    options = optionsOf(args)
  } catch (error) {
    output.print(`${errorMessage(error)} See migrate --help.`)
    return 2
  }
  if (!options) {
    output.print(help)
    return 0
  }
  try {
    return await migrate(options, output)
  } catch (error) {
    output.print(`Nothing was written: ${errorMessage(error)}`)
    return 1
  }
}

function optionsOf(args: readonly string[]): Options | null {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      from: text,
      to: text,
      line: text,
      check: text,
      'prove-with': text,
      'allow-left-out': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return null
  const [folder, ...others] = positionals
  if (others.length > 0) throw new MigrateError(`expected one folder, received also ${others.join(' ')}`)
  if ((folder === undefined) === (values.from === undefined))
    throw new MigrateError('expected either a folder or --from')
  const { to, line, check, 'prove-with': proveWith, 'allow-left-out': allowsLeftOut = false } = values
  try {
    if (line !== undefined) pythonLine(line)
  } catch {
    throw new MigrateError(
      `--line: expected a release of llama-index-core from 0.10 on, such as 0.13.6, received ${line}`,
    )
  }
  for (const place of [folder ?? values.from!, ...(to === undefined ? [] : [to])]) checkScheme(place)
  if (proveWith !== undefined && (to === undefined || !isFolder(to)))
    throw new MigrateError('--prove-with: expected a folder as --to, because Python loads it')
  return { from: folder ?? values.from!, to, line, check, proveWith, allowsLeftOut }
}

/** @throws {MigrateError} for an address of an unknown kind. A single letter is a drive of Windows. */
function checkScheme(place: string): void {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(place)?.[1]
  if (scheme !== undefined && !['json', 'sqlite', 'postgres', 'postgresql'].includes(scheme))
    throw new MigrateError(
      `expected a folder, json:FOLDER, sqlite:FILE or postgres://…, received an address of the kind ${scheme}:`,
    )
}

async function migrate(options: Options, output: MigrateOutput): Promise<number> {
  const { from, to, line: wanted, check } = options
  const source = await opened(from)
  try {
    for (const fact of source.facts) output.print(fact)
    const line = wanted ?? source.line
    let answers: Answers | undefined
    if (to === undefined) await readAll(source)
    else {
      const prove = async (written: Content) => {
        answers = await proved(source, written, line, options, output)
      }
      await writeTo(to, source, line, { prove, progress: progressOf(output), isOwnLine: wanted === undefined })
      output.print(`wrote ${shown(to)} in the line ${line}`)
      if (line !== '0.10' && !isFolder(to))
        output.print(
          `Open its document store with { line: pythonLine('${line}') }, so that unchanged documents stay unchanged.`,
        )
    }
    const isSame = check === undefined || printAnswers(check, await answersOf(source, check), answers, output)
    if (to === undefined || options.allowsLeftOut) printLeftOut(source, output)
    return isSame ? 0 : 1
  } finally {
    await source.close()
  }
}

/** Reads everything, so that what cannot be read is known. */
async function readAll(source: Content): Promise<void> {
  for await (const _ of source.nodes());
  for await (const _ of source.chats());
}

function printLeftOut(source: Content, { print }: MigrateOutput): void {
  for (const { key, reason } of source.leftOut) print(`left out: ${key}: ${reason}`)
}

/**
 * Compares what was written with the source, and asks Python if requested. Returns the answers of the question.
 * @throws {MigrateError} if something differs, or is left out and may not be.
 */
async function proved(
  source: Content,
  written: Content,
  line: PythonLineName,
  { check, proveWith: command, allowsLeftOut, line: wanted }: Options,
  output: MigrateOutput,
): Promise<Answers | undefined> {
  const comparison = await compare(source, written)
  printComparison(comparison, source, output)
  if (comparison.count > 0) {
    const advice = wanted === undefined ? '; --line names the release that the target has' : ''
    throw new MigrateError(`what was written has ${comparison.count} differences${advice}`)
  }
  if (source.leftOut.length > 0 && !allowsLeftOut) {
    printLeftOut(source, output)
    throw new MigrateError(
      `${source.leftOut.length} things cannot be migrated; --allow-left-out writes everything else`,
    )
  }
  if (command !== undefined) for (const fact of await proveWith(command, written, line)) output.print(fact)
  return check === undefined ? undefined : answersOf(written, check)
}

/** Returns what follows the name of a form, such as `sqlite:`; null for other forms. */
function after(form: string, text: string): string | null {
  return text.startsWith(form) ? text.slice(form.length) : null
}

const isPostgres = (text: string): boolean => /^postgres(ql)?:/.test(text)

const isFolder = (text: string): boolean => !isPostgres(text) && after('sqlite:', text) === null

const shown = (text: string): string => (isPostgres(text) ? nameOf(urlOf(text)) : text)

/** `postgres:URL` may contain the whole address. */
function urlOf(text: string): string {
  const url = /^postgres(?:ql)?:(postgres(?:ql)?:.*)$/s.exec(text)?.[1] ?? text
  if (!URL.canParse(url)) throw new MigrateError('expected an address such as postgres://user@host/database')
  return url
}

async function opened(text: string): Promise<Content> {
  const file = after('sqlite:', text)
  if (file !== null) return readSqlite(resolve(file))
  if (isPostgres(text)) return readPostgres(urlOf(text))
  return new FolderContent(resolve(after('json:', text) ?? text))
}

async function writeTo(text: string, content: Content, line: PythonLineName, options: WriteOptions): Promise<void> {
  const file = after('sqlite:', text)
  if (file !== null) return writeSqlite(content, resolve(file), line, options)
  if (isPostgres(text)) return writePostgres(content, urlOf(text), line, options)
  return writeFolder(content, resolve(after('json:', text) ?? text), line, options)
}

const EVERY = 10_000

function progressOf(output: MigrateOutput): WriteOptions['progress'] {
  let reported = 0
  return (nodes) => {
    if (nodes < reported + EVERY) return
    reported = nodes
    output.report(`${nodes} nodes …`)
  }
}

function printComparison(comparison: Comparison, { found }: Content, { print }: MigrateOutput): void {
  const { nodes, vectors, hashes, conversations, messages, indexes, differences, count } = comparison
  print(
    `taken ${nodes} of ${found.nodes} nodes, ${vectors} of ${found.vectors} vectors, ${indexes} of ${found.indexes} indexes, ${messages} of ${found.messages} messages`,
  )
  print(
    `${nodes} nodes, ${vectors} vectors, ${hashes} hashes, ${conversations} conversations of ${messages} messages, ${count} differences`,
  )
  for (const difference of differences) print(`different: ${difference}`)
}

/** Prints the answers, and returns whether those of the target are the same. */
function printAnswers(
  question: string,
  source: Answers,
  target: Answers | undefined,
  { print }: MigrateOutput,
): boolean {
  print(`check "${question}"`)
  let isSame = true
  for (const kind of ['byWords', 'byVector'] as const) {
    for (const match of source[kind]) print(`  ${kind === 'byWords' ? 'words ' : 'vector'} ${matchText(match)}`)
    if (target && JSON.stringify(source[kind]) !== JSON.stringify(target[kind])) {
      isSame = false
      for (const match of target[kind]) print(`  the target answers ${matchText(match)}`)
    }
  }
  if (target && isSame) print('  the target returns the same answers')
  return isSame
}

function matchText({ id, score, text }: Match): string {
  return `${score.toFixed(4)} ${id} ${JSON.stringify(text.slice(0, 60))}`
}
