/**
 * @module
 * What a ReAct agent has thought, done and seen so far: plain data, one record per entry of its
 * transcript. A record never changes once it is made.
 */

import { compactJson, deepCopy } from '@x/core-model/internal'
import { RecordReader } from '../record-reader.ts'

/** The model wants a tool called. */
export interface ActionReasoningStep {
  readonly kind: 'action'
  readonly thought: string
  /** The name of the tool. */
  readonly action: string
  readonly actionInput: Readonly<Record<string, unknown>>
}

/** What came back: the output of a tool, or a word from the user in the middle of a task. */
export interface ObservationReasoningStep {
  readonly kind: 'observation'
  readonly observation: unknown
}

/** The model answers. */
export interface ResponseReasoningStep {
  readonly kind: 'response'
  readonly thought: string
  readonly response: string
  /** Only the beginning of the answer is known yet. */
  readonly isStreaming: boolean
  /** The text had no markers and is the answer as a whole; `thought` is a fixed note then. */
  readonly implicit: boolean
}

/** What the model wrote cannot be read; it is kept so that the model sees its mistake. */
export interface UnparsedReasoningStep {
  readonly kind: 'unparsed'
  readonly text: string
}

/** One entry of a ReAct transcript. */
export type ReasoningStep =
  | ActionReasoningStep
  | ObservationReasoningStep
  | ResponseReasoningStep
  | UnparsedReasoningStep

/**
 * The text of an entry, as the model sees it in its next call.
 * @example
 * reasoningText({ kind: 'action', thought: 'I must add.', action: 'add', actionInput: { a: 1 } })
 * // => 'Thought: I must add.\nAction: add\nAction Input: {"a":1}'
 */
export function reasoningText(step: ReasoningStep): string {
  switch (step.kind) {
    case 'action':
      return `Thought: ${step.thought}\nAction: ${step.action}\nAction Input: ${compactJson(step.actionInput)}`
    case 'observation':
      return `Observation: ${step.observation}`
    case 'response':
      return step.isStreaming
        ? `Thought: ${step.thought}\nAnswer (Starts With): ${step.response} ...`
        : `Thought: ${step.thought}\nAnswer: ${step.response}`
    case 'unparsed':
      return step.text
  }
}

/** A record in JSON. The keys tell which record it is. */
export type ReasoningStepDict =
  | { thought: string; action: string; action_input: Record<string, unknown> }
  | { observation: string }
  | { thought: string; response: string; is_streaming: boolean; implicit?: true }
  | { text: string }

/**
 * A record in wire form. `implicit` is written only when it is true; the Python library has neither that key nor records of
 * text that cannot be read.
 * @example
 * reasoningToDict({ kind: 'observation', observation: '3' }) // => { observation: '3' }
 */
export function reasoningToDict(step: ReasoningStep): ReasoningStepDict {
  switch (step.kind) {
    case 'action':
      return { thought: step.thought, action: step.action, action_input: deepCopy({ ...step.actionInput }) }
    case 'observation':
      return { observation: String(step.observation) }
    case 'response': {
      const { thought, response, isStreaming, implicit } = step
      return { thought, response, is_streaming: isStreaming, ...(implicit && { implicit }) }
    }
    case 'unparsed':
      return { text: step.text }
  }
}

/**
 * Reads a record from its wire form. Its keys decide: `action`, `response`, `observation`, or `text`.
 * @throws {ModelValidationError} naming every field that does not fit.
 * @example
 * reasoningFromDict({ observation: '3' }) // => { kind: 'observation', observation: '3' }
 */
export function reasoningFromDict(data: unknown): ReasoningStep {
  const reader = new RecordReader('ReasoningStep', data)
  const step = readStep(reader)
  reader.finish()
  return step
}

function readStep(reader: RecordReader): ReasoningStep {
  if (reader.has('action')) {
    return {
      kind: 'action',
      thought: reader.string('thought'),
      action: reader.string('action'),
      actionInput: reader.object('action_input'),
    }
  }
  if (reader.has('response')) {
    return {
      kind: 'response',
      thought: reader.string('thought'),
      response: reader.string('response'),
      isStreaming: reader.boolean('is_streaming', false),
      implicit: reader.boolean('implicit', false),
    }
  }
  if (reader.has('text')) return { kind: 'unparsed', text: reader.string('text') }
  return { kind: 'observation', observation: reader.string('observation') }
}

/** Whether nothing comes after this entry: the answer, complete or streaming. */
export function isReasoningDone(step: ReasoningStep): boolean {
  return step.kind === 'response'
}
