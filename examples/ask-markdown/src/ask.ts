/**
 * @module
 * The program: reads documents, lets an agent answer a question about them, and reports its steps.
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { type Document, isToolkitError } from '@x/core-model'
import { HELP, readArguments } from './arguments.ts'
import { ownDocumentation, readDocuments, STDIN } from './documents.ts'
import { followAgent, type Outcome, stepsOf } from './follow-agent.ts'
import { Library } from './library.ts'
import { type Agent, makeAgent } from './make-agent.ts'
import { type ChosenModel, chooseModel, embeddingModel } from './model/choose-model.ts'
import { explainedFailure } from './model/model-failure.ts'
import { JsonReport } from './output/json-report.ts'
import type { Report } from './output/report.ts'
import type { Output } from './output/style.ts'
import { TextReport } from './output/text-report.ts'
import { ExitCode, ProgramError } from './program-error.ts'
import { fingerprintOf, type Run, Runs } from './runs.ts'
import { citedSources, shownSources, unreadPlaces } from './sources.ts'

/** The environment of the program. */
export interface ProgramContext {
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  /** The folder that relative paths refer to. */
  folder: string
  /** The folder of the project, whose documentation is read by default. */
  project: string
  /** The content of the path `-`. */
  stdin?: AsyncIterable<Uint8Array> | undefined
  /** Waits before a failed request is repeated. @defaultValue a timer */
  wait?: ((ms: number) => Promise<void>) | undefined
  /** Cancels the run. */
  signal?: AbortSignal | undefined
}

/** The reason of a signal when the output was closed: the run ends, and is not resumed later. */
export class OutputClosedError extends Error {}

/** Runs the program and returns its exit code. */
export async function ask(argv: readonly string[], context: ProgramContext): Promise<ExitCode> {
  const { stdout, stderr, env, signal } = context
  const report = argv.includes('--json') ? new JsonReport(stdout, stderr) : new TextReport(stdout, stderr, env)
  try {
    const args = readArguments(argv, context)
    if (args.command === 'help') {
      stdout.write(HELP)
      return ExitCode.answered
    }
    const runs = new Runs(args.runs ?? join(context.project, 'examples', 'ask-markdown', '.runs'))
    if (args.command === 'resume') await answer(await lastRun(runs), runs, context, report)
    else {
      const { question, paths, model, embedding, store } = args
      const { folder } = context
      const id = newRunId()
      const run: Run = { version: 2, id, question, paths, folder, model, embedding, store, fingerprint: null }
      if (args.command === 'chat') await converse(run, context, report)
      else await answer(run, runs, context, report)
    }
    return ExitCode.answered
  } catch (error) {
    if (signal?.reason instanceof OutputClosedError) return ExitCode.answered
    const { message, exitCode } = signal?.aborted ? STOPPED : explained(error)
    report.fail(message, exitCode)
    return exitCode
  }
}

const STOPPED = new ProgramError(ExitCode.interrupted, 'Stopped; --resume continues.')

/** Answers the question of a new or resumed run. */
async function answer(run: Run, runs: Runs, context: ProgramContext, report: Report): Promise<void> {
  await withLibrary(run, context, report, async (library, documents) => {
    const fingerprint = fingerprintOf(documents)
    if (run.fingerprint !== null && run.fingerprint !== fingerprint) {
      report.warn('The documents have changed since this run started: it starts again.')
      await runs.tasks.delete(run.id)
    }
    const model = await modelOf(run, context, report)
    // Standard input cannot be read again.
    const isKept = !run.paths.includes(STDIN) && (await keep({ ...run, fingerprint }, runs, report))
    const agent = makeAgent(model.llm, library, isKept ? runs.tasks : null)
    const resumed = isKept ? await agent.resumeTask(run.id) : null
    if (resumed === null) await agent.createTask(run.question, { taskId: run.id })
    const earlierSteps = stepsOf(agent, run.id)
    report.start({ model: { name: model.name, standIn: model.isStandIn }, documents: library.counts() })
    report.question(run.question, earlierSteps.length)
    for (const step of earlierSteps) {
      report.call(step)
      report.result(step)
    }
    const { signal } = context
    const outcome = await followAgent(agent, run.id, report, signal).catch(async (error: unknown) => {
      if (signal?.reason instanceof OutputClosedError) await runs.end(run.id)
      throw error
    })
    await runs.end(run.id)
    reportEnd(outcome, model, library, report)
  })
}

/** Answers one question per line of standard input. Later questions may refer to earlier ones. */
async function converse(run: Run, context: ProgramContext, report: Report): Promise<void> {
  const { stdin = [], signal, stdout } = context
  await withLibrary(run, context, report, async (library) => {
    const model = await modelOf(run, context, report)
    const agent = makeAgent(model.llm, library, null)
    report.start({ model: { name: model.name, standIn: model.isStandIn }, documents: library.counts() })
    const prompt = () => stdout.isTTY && stdout.write('\n> ')
    prompt()
    for await (const line of createInterface({ input: Readable.from(stdin), signal })) {
      if (line.trim() !== '') await answerLine(line.trim(), agent, model, library, run, context, report)
      prompt()
    }
    signal?.throwIfAborted()
  })
}

/** Answers one question of a conversation, which continues if the question fails. */
async function answerLine(
  question: string,
  agent: Agent,
  model: ChosenModel,
  library: Library,
  run: Run,
  { signal }: ProgramContext,
  report: Report,
): Promise<void> {
  report.question(question, 0)
  const taskId = newRunId()
  try {
    await agent.createTask(question, { taskId })
    reportEnd(await followAgent(agent, taskId, report, signal), model, library, report)
  } catch (error) {
    signal?.throwIfAborted()
    const { message, exitCode } = explained(explainedFailure(error, run.model ?? run.embedding))
    if (exitCode === ExitCode.unexpected) throw error
    report.fail(message, exitCode)
  }
}

/** Calls `work` with the parsed documents of a run. */
async function withLibrary(
  run: Run,
  context: ProgramContext,
  report: Report,
  work: (library: Library, documents: readonly Document[]) => Promise<void>,
): Promise<void> {
  const documents = await documentsOf(run, context, report)
  const library = await readAll(documents, run, context, report)
  try {
    await work(library, documents)
  } catch (error) {
    throw explainedFailure(error, run.model ?? run.embedding)
  } finally {
    library.close()
  }
}

function modelOf({ model, folder }: Run, { env, wait }: ProgramContext, report: Report): Promise<ChosenModel> {
  return chooseModel(model, { apiKey: env['OPENAI_API_KEY'], folder, wait, onRetry: (message) => report.warn(message) })
}

function reportEnd(
  { answer, outputs, usage }: Outcome,
  { isStandIn }: ChosenModel,
  library: Library,
  report: Report,
): void {
  if (answer.trim() === '') throw new ProgramError(ExitCode.unfinished, 'The model returned no answer.')
  const cited = citedSources(answer, outputs)
  // The stand-in cites everything that it quotes; other models may not, or may invent places.
  if (isStandIn) report.end({ sources: cited, unread: [], usage: null })
  else {
    const unread = unreadPlaces(answer, outputs, library.files)
    report.end({ sources: cited.length > 0 ? cited : shownSources(outputs), unread, usage })
  }
}

async function documentsOf(
  { paths, folder }: Run,
  { project, stdin, signal }: ProgramContext,
  report: Report,
): Promise<Document[]> {
  const isOwn = paths.length === 0
  const wanted = isOwn ? await ownDocumentation(project) : paths
  if (wanted.length === 0) throw new ProgramError(ExitCode.documents, 'This project has no documentation; pass files.')
  const warn = (message: string) => report.warn(message)
  return readDocuments(wanted, { folder: isOwn ? project : folder, warn, stdin, signal })
}

/** Parses the documents, or reads them from the store. */
async function readAll(
  documents: readonly Document[],
  run: Run,
  { env, signal }: ProgramContext,
  report: Report,
): Promise<Library> {
  const library = await openLibrary(run, env['OPENAI_API_KEY'])
  try {
    report.progress(0, documents.length)
    await library.add(documents, { signal, onProgress: (done) => report.progress(done, documents.length) })
    return library
  } catch (error) {
    library.close()
    throw isToolkitError(error, 'sqlite_busy') ? storeError(run.store, error) : explainedFailure(error, run.embedding)
  }
}

async function openLibrary({ store, embedding }: Run, apiKey: string | undefined): Promise<Library> {
  const embedModel = embedding && embeddingModel(embedding, apiKey)
  if (store === null) return new Library({ embedModel })
  try {
    await mkdir(dirname(store), { recursive: true })
    return await Library.open(store, { embedModel })
  } catch (error) {
    throw storeError(store, error)
  }
}

function storeError(store: string | null, cause: unknown): ProgramError {
  return new ProgramError(ExitCode.documents, `--store ${store}: ${(cause as Error).message}`, { cause })
}

/** Saves the run, so that it can be resumed. Returns false if it cannot be saved; the program continues. */
async function keep(run: Run, runs: Runs, report: Report): Promise<boolean> {
  try {
    await runs.begin(run)
    return true
  } catch (error) {
    report.warn(`This run cannot be resumed later: ${(error as Error).message}`)
    return false
  }
}

async function lastRun(runs: Runs): Promise<Run> {
  const run = await runs.latest()
  if (run === null) throw new ProgramError(ExitCode.usage, 'There is no unfinished run to resume.')
  return run
}

/** Returns an id that sorts by time. */
function newRunId(): string {
  return `${Date.now()}-${process.pid}`
}

/** Returns the message and the exit code for an error. */
function explained(error: unknown): { message: string; exitCode: ExitCode } {
  if (error instanceof ProgramError) return error
  return { message: `Unexpected error: ${(error as Error)?.stack ?? error}`, exitCode: ExitCode.unexpected }
}
