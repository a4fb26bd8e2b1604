/**
 * @module
 * The reasoning records of a ReAct agent: the plain data of its transcript. A record is immutable.
 */

import { checkGiven } from '@x/core/options'
import { type RecordReader, readRecord } from '@x/core/reading'
import { compactJson, deepCopy } from '@x/core/values'

/** A tool call of the model. */
export interface ActionReasoningStep {
  readonly kind: 'action'
  readonly thought: string
  /** The name of the tool. */
  readonly action: string
  readonly actionInput: Readonly<Record<string, unknown>>
}

/** The output of a tool, or a user input during a task. */
interface ObservationReasoningStep {
  readonly kind: 'observation'
  readonly observation: unknown
}

/** The answer of the model. */
export interface ResponseReasoningStep {
  readonly kind: 'response'
  readonly thought: string
  readonly response: string
  /** Whether only the start of the answer is known. */
  readonly isStreaming: boolean
  /** Whether the text has no markers and is the answer as a whole. `thought` is a fixed sentence then. */
  readonly implicit: boolean
}

/** Text of the model that cannot be parsed. It is kept so that the model sees its mistake. */
interface UnparsedReasoningStep {
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
 * Returns the text of an entry, as the model receives it in its next call.
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

/** A record in JSON. Its keys determine the kind of record. */
type ReasoningStepDict =
  | { thought: string; action: string; action_input: Record<string, unknown> }
  | { observation: string }
  | { thought: string; response: string; is_streaming: boolean; implicit?: true }
  | { text: string }

/**
 * Returns the wire form of a record. `implicit` is written only if it is true. LlamaIndex for Python has neither this key nor records of
 * text that cannot be parsed.
 * @example
 * reasoningToDict({ kind: 'observation', observation: '3' }) // => { observation: '3' }
 */
export function reasoningToDict(step: ReasoningStep): ReasoningStepDict {
  checkGiven('reasoningToDict', { step }, 'a reasoning step', 'kind')
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
 * Reads a record from its wire form. One of the keys `action`, `response`, `observation` and `text` determines the kind of record.
 * @throws {ModelValidationError} with an issue for every invalid field.
 * @example
 * reasoningFromDict({ observation: '3' }) // => { kind: 'observation', observation: '3' }
 */
export function reasoningFromDict(data: unknown): ReasoningStep {
  return readRecord('ReasoningStep', data, readStep)
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

/** Whether this entry is the last: an answer, complete or streaming. */
export function isReasoningDone(step: ReasoningStep): boolean {
  checkGiven('isReasoningDone', { step }, 'a reasoning step', 'kind')
  return step.kind === 'response'
}
