/**
 * @module
 * Answers questions with a language model: a streamed answer, with citations that are checked.
 */
import { join } from 'node:path'
import type { ToolOutput } from '@x/core-model'
import type { LLM } from '@x/llm'
import { checkCitations as checkStatements } from '@x/retrieval/answer'
import type { Terminal } from '../ask.ts'
import { Docs } from '../docs.ts'
import { linesOf } from '../document-list.ts'
import { modelOf } from '../model/choose-model.ts'
import { explainedFailure } from '../model/model-failure.ts'
import type { ModelOptions } from '../model/model-options.ts'
import type { PageAnswer } from '../page/serve-page.ts'
import { ExitCode, ProgramError } from '../program-error.ts'
import { questionLines } from '../question-lines.ts'
import { styleOf } from '../terminal/show-sections.ts'
import { shortened, withoutControls } from '../terminal/text-width.ts'
import { type Agent, type AnswerReport, followAgent, makeAgent } from './follow-agent.ts'
import { type Run, Runs } from './runs.ts'
import { type CitedPlace, citedPlaces, shownSources } from './sources.ts'

/** What is asked, and how. */
export interface AnswerOptions {
  /** Null for one question per line of standard input. */
  question: string | null
  model: ModelOptions
  json: boolean
  /** The folder as it was named; empty for the default. */
  named: string
  /** The folder of unfinished runs. */
  runs: string
}

/** An answer with the places that it cites. */
interface CitedAnswer {
  answer: string
  sources: CheckedSource[]
}

/** Answers a question, or the lines of standard input. @throws {ProgramError} when the model fails. */
export async function answerQuestion(docs: Docs, options: AnswerOptions, terminal: Terminal): Promise<void> {
  const { question, model } = options
  const llm = await modelOf(model, terminal)
  if (question === null) {
    await converse(docs, llm, options, terminal)
    return
  }
  const run: Run = { version: 3, id: `${Date.now()}-${process.pid}`, question, folder: docs.root, model }
  await answerRun(docs, llm, run, options, terminal)
}

/** Continues the last answer that was stopped or failed. @throws {ProgramError} without such an answer. */
export async function resumeAnswer(options: Pick<AnswerOptions, 'json' | 'runs'>, terminal: Terminal): Promise<void> {
  const run = await new Runs(options.runs).latest()
  if (run === null) throw new ProgramError(ExitCode.usage, 'There is no unfinished answer to resume.')
  const docs = await Docs.open(run.folder)
  try {
    const llm = await modelOf(run.model, terminal)
    await answerRun(
      docs,
      llm,
      run,
      { ...options, question: run.question, model: run.model, named: run.folder },
      terminal,
    )
  } finally {
    await docs.close()
  }
}

/** Asks a model, and checks what it cites. */
async function citedAnswer(
  docs: Docs,
  agent: Agent,
  taskId: string,
  report: AnswerReport,
  signal: AbortSignal | undefined,
): Promise<CitedAnswer> {
  const { answer, outputs } = await followAgent(agent, taskId, report, signal)
  if (answer.trim() === '') throw new ProgramError(ExitCode.unfinished, 'The model returned no answer.')
  return { answer, sources: await checkCitations(answer, outputs, docs) }
}

/** Answers one question without showing or keeping it. */
export async function askModel(
  docs: Docs,
  question: string,
  model: ModelOptions,
  terminal: Terminal,
): Promise<CitedAnswer> {
  const agent = makeAgent(await modelOf(model, terminal), docs, null)
  const { taskId } = await agent.createTask(question)
  try {
    return await citedAnswer(docs, agent, taskId, { call() {}, text() {}, discard() {} }, terminal.signal)
  } catch (error) {
    throw explainedFailure(error, model)
  }
}

/** Returns a function that answers the questions of the page, each in a conversation of its own. */
export function pageAnswer(docs: Docs, model: ModelOptions, terminal: Terminal): PageAnswer {
  return async (question, write, signal) => {
    const agent = makeAgent(await modelOf(model, terminal), docs, null)
    const { taskId } = await agent.createTask(question)
    const report = {
      call() {},
      text: (piece: string) => write({ text: piece }),
      discard: () => write({ discard: true }),
    }
    try {
      write({ sources: (await citedAnswer(docs, agent, taskId, report, signal)).sources })
    } catch (error) {
      throw explainedFailure(error, model)
    }
  }
}

async function answerRun(docs: Docs, llm: LLM, run: Run, options: AnswerOptions, terminal: Terminal): Promise<void> {
  const runs = new Runs(options.runs)
  const isKept = await runs.begin(run).then(
    () => true,
    (error: Error) => {
      terminal.stderr.write(`ask: this answer cannot be resumed: ${error.message}\n`)
      return false
    },
  )
  const agent = makeAgent(llm, docs, isKept ? runs.tasks : null)
  const resumed = isKept ? await agent.resumeTask(run.id) : null
  if (resumed === null) await agent.createTask(run.question, { taskId: run.id })
  try {
    await show(docs, agent, run.id, options, terminal)
  } catch (error) {
    throw explainedFailure(error, run.model)
  }
  if (isKept) await runs.end(run.id)
}

/** Answers one question per line. Later questions may refer to earlier ones; a question that fails does not end the conversation. */
async function converse(docs: Docs, llm: LLM, options: AnswerOptions, terminal: Terminal): Promise<void> {
  const { stdout, stderr, signal } = terminal
  const agent = makeAgent(llm, docs, null)
  for await (const question of questionLines(terminal, () => stdout.isTTY && stdout.write('\n? '))) {
    const { taskId } = await agent.createTask(question.trim())
    try {
      await show(docs, agent, taskId, options, terminal)
    } catch (error) {
      signal.throwIfAborted()
      const explained = explainedFailure(error, options.model)
      if (!(explained instanceof ProgramError)) throw explained
      stderr.write(`ask: ${withoutControls(explained.message)}\n`)
    }
  }
}

async function show(
  docs: Docs,
  agent: Agent,
  taskId: string,
  options: AnswerOptions,
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr, env, signal } = terminal
  const style = styleOf(stdout, env)
  const { answer, sources } = await citedAnswer(
    docs,
    agent,
    taskId,
    {
      call: (tool, input) =>
        stderr.write(`${shortened(withoutControls(`${tool} ${JSON.stringify(input)}`), style.width)}\n`),
      text: (piece) => !options.json && stdout.write(withoutControls(piece)),
      discard: () => !options.json && stdout.write('\n(That was not the answer yet.)\n\n'),
    },
    signal,
  )
  if (options.json) {
    stdout.write(`${JSON.stringify({ answer, sources }, null, 2)}\n`)
    return
  }
  const lines = sources.map(({ file, from, heading, problem }) =>
    withoutControls(`${join(options.named, file)}:${from}  ${problem === null ? heading : `! ${problem}`}`),
  )
  stdout.write(`\n\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

/** A place that an answer cites. */
interface CheckedSource {
  file: string
  from: number
  to: number
  /** The headings above the place. */
  heading: string
  /** Why the place does not support a statement that cites it; null if no problem was found. */
  problem: string | null
}

/** The number of lines around a place in which a value may stand: a row is cited with its table, an option with its heading. */
const AROUND = 3

/**
 * Returns the places that an answer cites, each once, in its order; without citations, the places that were read. Each citation is checked
 * by its own statement; the problem of a place is the first of its citations.
 */
async function checkCitations(answer: string, outputs: readonly ToolOutput[], docs: Docs): Promise<CheckedSource[]> {
  const files = (await docs.documents()).map(({ path }) => path)
  const cited = citedPlaces(answer, outputs, { root: docs.root.replaceAll('\\', '/'), files })
  if (cited.length === 0)
    return shownSources(outputs).map(({ file, line, endLine, heading }) => ({
      file,
      from: line,
      to: endLine,
      heading,
      problem: 'is not cited',
    }))
  const texts = new Map(await Promise.all(cited.map(async (place) => [place, await textOf(place, docs)] as const)))
  const problems = checkStatements(answer, cited, (place) => texts.get(place)!)
  const sources = new Map<string, CheckedSource>()
  for (const [at, { file, line, endLine, heading, state }] of cited.entries()) {
    const key = `${file}:${line}-${endLine}`
    const source = sources.get(key) ?? { file, from: line, to: endLine, heading, problem: null }
    source.problem ??= state === 'read' ? problems[at]! : state === 'unread' ? 'was not read' : 'does not exist'
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** Returns the lines of a place and around it; an empty string if it was not read. */
async function textOf({ file, line, endLine, state }: CitedPlace, docs: Docs): Promise<string> {
  if (state !== 'read') return ''
  const lines = linesOf(await docs.read(file))
  return lines.slice(Math.max(0, line - 1 - AROUND), endLine + AROUND).join('\n')
}
