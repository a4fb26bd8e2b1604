/**
 * @module
 * The contract of reports about a run: as text for people, or as one JSON object for programs.
 */
import type { TaskUsage } from '@x/agents'
import type { Place } from '@x/retrieval/tables'
import type { Source } from '../sources.ts'

/** The model and the documents of a run. */
export interface RunInfo {
  model: { name: string; standIn: boolean }
  documents: { files: number; texts: number; tables: number }
}

/** The data that is reported after an answer. */
export interface Ending {
  /** The places that the answer cites, or all that were read. */
  sources: readonly Source[]
  /** Places that the answer cites, and that no tool has returned. */
  unread: readonly Place[]
  /** The usage of the model; null for the stand-in. */
  usage: TaskUsage | null
}

/** One tool call of the agent. */
export interface Step {
  thought: string
  tool: string
  input: unknown
  /** The result of the tool. */
  result: unknown
  isError: boolean
}

/**
 * Receives the events of a run in this order: progress, start, then for each question: question, steps, answer, end; or a failure at any
 * time.
 */
export interface Report {
  progress(done: number, total: number): void
  start(info: RunInfo): void
  /** @param resumedSteps - the number of steps that an earlier process has finished. */
  question(text: string, resumedSteps: number): void
  /** A step starts. */
  call(step: Omit<Step, 'result' | 'isError'>): void
  /** A step has finished. */
  result(step: Step): void
  /** A chunk of the answer. */
  answer(piece: string): void
  /** The text that was reported as an answer came before a tool call, so it is not the answer. */
  discardAnswer(): void
  end(ending: Ending): void
  warn(message: string): void
  fail(message: string, exitCode: number): void
}
