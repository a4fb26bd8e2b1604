/**
 * @module
 * What is told of a run: as text for people, or as one JSON object for programs.
 */
import type { Source } from '../sources.ts'

/** What the run is about. */
export interface RunInfo {
  question: string
  model: { name: string; standIn: boolean }
  documents: { files: number; texts: number; tables: number }
  /** Steps that an earlier process has done. */
  resumedSteps: number
}

/** One tool call of the agent. */
export interface Step {
  thought: string
  tool: string
  input: unknown
  /** What the tool gave. */
  result: unknown
  isError: boolean
}

/** Told what happens, in this order: progress, start, steps, answer, end; or failure at any time. */
export interface Report {
  progress(done: number, total: number): void
  start(info: RunInfo): void
  /** A step begins; its result is not known yet. */
  call(step: Omit<Step, 'result' | 'isError'>): void
  /** A step is done. */
  result(step: Step): void
  /** A piece of the answer. */
  answer(piece: string): void
  end(sources: readonly Source[]): void
  warn(message: string): void
  fail(message: string, exitCode: number): void
}
