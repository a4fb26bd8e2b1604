/** Language models that the cases of prompts and models describe. */
import { CallbackManager, type ChatMessage, type Dict, LLMMetadata } from '@x/core-model'
import { RecordingCallbackHandler, type ScriptedAnswer, ScriptedLLM } from '@x/core-model/testing'
import {
  argument,
  boolean,
  either,
  isObject,
  list,
  nullable,
  optional,
  type Read,
  type Reader,
  shape,
  string,
} from '../reader.ts'
import { parser, parserOf } from './output-parser.ts'
import { prompt, promptOf } from './prompts.ts'

export const completionToPrompt = shape({ before: string, after: string })
export const messagesToPrompt = shape({ sep: string, end: optional(string) })

/** Fails the request, or the stream at this point. */
const failure: Reader<Error> = (value, at) =>
  isObject(value) && value['throw'] === true ? new Error('the model failed') : at.fail('{"throw": true}', value)

const piece = either('a string, null or {"throw": true}', nullable(string), failure)
const answer: Reader<ScriptedAnswer> = either('an answer of the model', piece, list(piece))

export const model = shape({
  metadata: optional(
    shape({ is_chat_model: argument<boolean | undefined>(), model_name: argument<string | undefined>() }),
  ),
  foreign: optional(boolean),
  responses: optional(list(answer)),
  system_prompt: argument<string | null | undefined>(),
  output_parser: optional(nullable(parser)),
  query_wrapper_prompt: optional(nullable(prompt)),
  completion_to_prompt: optional(nullable(completionToPrompt)),
  messages_to_prompt: optional(nullable(messagesToPrompt)),
})

export type ModelRecord = Read<typeof model>

export function completionFunction({ before, after }: Read<typeof completionToPrompt>): (text: string) => string {
  return (text) => `${before}${text}${after}`
}

export function messagesFunction({ sep, end = '' }: Read<typeof messagesToPrompt>) {
  return (messages: readonly ChatMessage[]): string =>
    `${messages.map(({ role, content }) => `${role}=${content ?? ''}`).join(sep)}${end}`
}

/** A scripted model, and a handler that records its events. */
export function modelOf(record: ModelRecord): { llm: ScriptedLLM; handler: RecordingCallbackHandler } {
  const handler = new RecordingCallbackHandler()
  const { metadata = {}, completion_to_prompt: toPrompt, messages_to_prompt: fromMessages } = record
  const llm = new ScriptedLLM({
    answers: record.responses ?? [],
    metadata: new LLMMetadata({ isChatModel: metadata.is_chat_model, modelName: metadata.model_name }),
    callbackManager: new CallbackManager([handler]),
    systemPrompt: record.system_prompt,
    outputParser: record.output_parser ? parserOf(record.output_parser) : undefined,
    queryWrapperPrompt: record.query_wrapper_prompt ? promptOf(record.query_wrapper_prompt) : undefined,
    completionToPrompt: toPrompt ? completionFunction(toPrompt) : undefined,
    messagesToPrompt: fromMessages ? messagesFunction(fromMessages) : undefined,
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
