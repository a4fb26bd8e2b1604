/** Language models that the cases of prompts and models describe. */
import { CallbackManager, type ChatMessage, type Dict, LLMMetadata } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { ScriptedLLM, type ScriptedPiece } from '@x/llm/testing'
import { isObject } from '../given.ts'
import { type ParserRecord, parserOf } from './output-parser.ts'
import { type PromptRecord, promptOf } from './prompts.ts'

/** The texts around a prompt. */
export interface AroundPrompt {
  before: string
  after: string
}

/** The texts between messages and behind them. */
export interface BetweenMessages {
  sep: string
  end?: string
}

/** A string, null, or `{"throw": true}`, which fails the request, or the stream at this point. */
type Piece = string | null | { throw: true }

export interface ModelRecord {
  metadata?: { is_chat_model?: boolean; model_name?: string }
  foreign?: boolean
  responses?: (Piece | Piece[])[]
  system_prompt?: string | null
  output_parser?: ParserRecord | null
  query_wrapper_prompt?: PromptRecord | null
  completion_to_prompt?: AroundPrompt | null
  messages_to_prompt?: BetweenMessages | null
}

const pieceOf = (piece: Piece): ScriptedPiece => (isObject(piece) ? new Error('the model failed') : piece)

/** The functions of a model or of a call that make prompts. */
export function promptFunctions(around?: AroundPrompt | null, between?: BetweenMessages | null) {
  return {
    completionToPrompt: around ? (text: string) => `${around.before}${text}${around.after}` : undefined,
    messagesToPrompt: between
      ? (messages: readonly ChatMessage[]) =>
          messages.map(({ role, content }) => `${role}=${content ?? ''}`).join(between.sep) + (between.end ?? '')
      : undefined,
  }
}

/** A scripted model, and a handler that records its events. */
export function modelOf(record: ModelRecord): { llm: ScriptedLLM; handler: RecordingCallbackHandler } {
  const handler = new RecordingCallbackHandler()
  const { metadata = {}, responses = [] } = record
  const llm = new ScriptedLLM({
    wire: false,
    answers: responses.map((answer) => (Array.isArray(answer) ? answer.map(pieceOf) : pieceOf(answer))),
    metadata: new LLMMetadata({ isChatModel: metadata.is_chat_model, modelName: metadata.model_name }),
    callbackManager: new CallbackManager([handler]),
    systemPrompt: record.system_prompt,
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
    queryWrapperPrompt: record.query_wrapper_prompt ? promptOf(record.query_wrapper_prompt) : undefined,
    ...promptFunctions(record.completion_to_prompt, record.messages_to_prompt),
  })
  if (record.foreign) Object.assign(llm, { foreignModel: { metadata: llm.metadata } })
  return { llm, handler }
}

/** The model of a case that may have none. */
export const llmOf = (record: ModelRecord | null | undefined) => (record ? modelOf(record).llm : undefined)

/** The requests that a model received, in the form of the cases. */
export function requestsOf({ calls }: ScriptedLLM): Dict[] {
  return calls.map(({ kind, messages, prompt, formatted }) => ({ kind, messages, prompt, formatted }))
}
