/**
 * @module
 * The program: reads the arguments, opens the folder, and starts what was asked for.
 */

import { join } from 'node:path'
import { isToolkitError } from '@x/core-model'
import { DocsFolder } from '@x/retrieval/folder'
import { type Arguments, type FolderArguments, HELP, readArguments } from './arguments.ts'
import { ask, type Terminal } from './ask.ts'
import { Docs } from './docs.ts'
import { cacheFolder, defaultCache } from './index-cache.ts'
import { ownVersion } from './own-version.ts'
import { ExitCode, ProgramError } from './program-error.ts'

/** The environment of the program. */
export interface ProgramContext extends Terminal {
  platform: NodeJS.Platform
  /** The folder that is searched by default. */
  standard: string
}

/** Runs the program until it is done, its client ends it, or `signal` is aborted. Returns the exit code. */
export async function run(argv: readonly string[], context: ProgramContext): Promise<ExitCode> {
  const { stdout, stderr, signal } = context
  const log = (line: string) => stderr.write(`ask: ${line}\n`)
  // A client may not read the log.
  stderr.on('error', () => {})
  let isUnread = false
  stdout.on('error', () => {
    isUnread = true
  })
  try {
    const args = readArguments(argv, context)
    if (args.command === 'help') stdout.write(HELP)
    else if (args.command === 'version') stdout.write(`${ownVersion()}\n`)
    else await start(args, context, log)
    return signal.aborted && args.command === 'ask' ? ExitCode.interrupted : ExitCode.ended
  } catch (error) {
    if (signal.aborted)
      return argv.includes('--mcp') || argv.includes('--serve') ? ExitCode.ended : ExitCode.interrupted
    // The reader of a pipe has what it wants: ask … | head
    if (isUnread) return ExitCode.ended
    const isExpected = error instanceof ProgramError || isToolkitError(error)
    log(isExpected ? error.message : ((error as Error).stack ?? String(error)))
    return error instanceof ProgramError ? error.exitCode : ExitCode.failed
  }
}

async function start(
  args: Exclude<Arguments, { command: 'help' | 'version' }>,
  context: ProgramContext,
  log: (line: string) => void,
): Promise<void> {
  const runs = join(cacheFolder(context.env, context.platform), 'runs')
  if (args.command === 'resume') {
    const { resumeAnswer } = await import('./answer/answer-question.ts')
    return resumeAnswer({ json: args.json, runs }, context)
  }
  // What a server logs is news for the one who asks a single question.
  const docs = await openDocs(args, context, args.command === 'mcp' ? log : () => {})
  try {
    if (args.command === 'ask' && args.model) {
      // Loaded only if needed: sections are shown sooner.
      const { answerQuestion } = await import('./answer/answer-question.ts')
      await answerQuestion(docs, { ...args, model: args.model, runs }, context)
    } else if (args.command === 'ask') await ask(docs, args, context)
    else if (args.command === 'score') await (await import('./score.ts')).score(docs, args, context)
    else if (args.command === 'mcp') await (await import('./serve-mcp.ts')).serveMcp(docs, args.port, context, log)
    else if (args.command === 'serve') await serve(docs, args, context, log)
    else if (args.command === 'words')
      await (await import('./words/propose-words.ts')).proposeWords(docs, args, context)
    else await build(docs, args, context)
  } finally {
    await docs.close()
  }
}

async function serve(
  docs: Docs,
  { port, model }: Extract<Arguments, { command: 'serve' }>,
  context: ProgramContext,
  log: (line: string) => void,
): Promise<void> {
  const { servePage } = await import('./page/serve-page.ts')
  const answer = model && (await import('./answer/answer-question.ts')).pageAnswer(docs, model, context)
  const served = await servePage(docs, port, answer, (error) => log(error.message))
  context.stdout.write(`${served.url}\n`)
  const { signal } = context
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  await served.close()
}

async function build(
  docs: Docs,
  { out, words, languages }: Extract<Arguments, { command: 'build' }>,
  context: ProgramContext,
): Promise<void> {
  const { stdout } = context
  if (words) await (await import('./words/propose-words.ts')).runWriteWords(docs, words, languages, context)
  if (out === null) return
  const { buildPage } = await import('./page/page-files.ts')
  for (const { name, bytes } of await buildPage(docs, out))
    stdout.write(`${join(out, name)}  ${(bytes / 1000).toFixed(1)} kB\n`)
}

async function openDocs(
  { folder, cache, rerank }: FolderArguments,
  { env, platform, signal }: ProgramContext,
  log: (line: string) => void,
): Promise<Docs> {
  const { root } = await DocsFolder.open(folder)
  const reranker = rerank && (await (await import('./search/reranker.ts')).openReranker(rerank, signal))
  const docs = await Docs.open(folder, { log, reranker, cache: cache ? defaultCache(root, env, platform) : undefined })
  log(`${docs.root}`)
  return docs
}
