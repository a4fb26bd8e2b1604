/**
 * @module
 * The contract of reports about a run: as text for people, or as one JSON object for programs.
 */
import type { Source } from '../sources.ts'

/** The question, the model and the documents of a run. */
export interface RunInfo {
  question: string
  model: { name: string; standIn: boolean }
  documents: { files: number; texts: number; tables: number }
  /** The number of steps that an earlier process has finished. */
  resumedSteps: number
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

/** Receives the events of a run in this order: progress, start, steps, answer, end; or a failure at any time. */
export interface Report {
  progress(done: number, total: number): void
  start(info: RunInfo): void
  /** A step starts. */
  call(step: Omit<Step, 'result' | 'isError'>): void
  /** A step has finished. */
  result(step: Step): void
  /** A chunk of the answer. */
  answer(piece: string): void
  end(sources: readonly Source[]): void
  warn(message: string): void
  fail(message: string, exitCode: number): void
}
