/**
 * @module
 * What a ReAct agent has thought, done and seen so far: plain data, one record per entry of its
 * transcript. A record never changes once it is made.
 */

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
      return `Thought: ${step.thought}\nAction: ${step.action}\nAction Input: ${JSON.stringify(step.actionInput)}`
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

/** Whether nothing comes after this entry: the answer, complete or streaming. */
export function isReasoningDone(step: ReasoningStep): boolean {
  return step.kind === 'response'
}
