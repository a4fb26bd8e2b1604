// Generated from the schema of the model by x-codegen. Do not edit.
import { type CallbackManager, type ChatMessage, Model, type OutputParser, type PromptLike, modelOf } from '@x/core-model'

/** The fields of {@link LLM}. */
export interface LLMFields {
  /** Receives the events. */
  callbackManager: CallbackManager
  /** Prepended to the prompts of predict and stream; chat and complete do not use it. @defaultValue null */
  systemPrompt: string | null
  /** Renders messages for a completion model. */
  messagesToPrompt: ((messages: readonly ChatMessage[]) => string) | null
  /** Wraps a prompt for a completion model. */
  completionToPrompt: ((text: string) => string) | null
  /** Adds instructions to prompts and parses answers, in predict. */
  outputParser: OutputParser | null
  /** How structured answers are requested. @defaultValue 'default' */
  pydanticProgramMode: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer'
  /** Wraps the whole prompt of a completion model; variable query_str. */
  queryWrapperPrompt: PromptLike | null
}

/** Constructor options of {@link LLM}. */
export interface LLMOptions {
  /** Receives the events. */
  callbackManager?: CallbackManager | null | undefined
  /** Prepended to the prompts of predict and stream; chat and complete do not use it. @defaultValue null */
  systemPrompt?: string | null | undefined
  /** Renders messages for a completion model. */
  messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | null | undefined
  /** Wraps a prompt for a completion model. */
  completionToPrompt?: ((text: string) => string) | null | undefined
  /** Adds instructions to prompts and parses answers, in predict. */
  outputParser?: OutputParser | null | undefined
  /** How structured answers are requested. @defaultValue 'default' */
  pydanticProgramMode?: 'default' | 'openai' | 'llm' | 'guidance' | 'lm-format-enforcer' | undefined
  /** Wraps the whole prompt of a completion model; variable query_str. */
  queryWrapperPrompt?: PromptLike | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: LLMOptions)
}
interface Declared extends LLMFields {}

/** The typed base class of {@link LLM}. */
export const LLMModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'LLM',
  description: 'A language model.',
  fields: {
    callbackManager: { schema: { type: 'object', default: {}, description: 'Receives the events.' }, runtime: true, holds: ['startEvent', 'event'] },
    systemPrompt: { schema: { type: ['string', 'null'], description: 'Prepended to the prompts of predict and stream; chat and complete do not use it.' } },
    messagesToPrompt: { schema: { description: 'Renders messages for a completion model.' }, runtime: true, holds: 'function' },
    completionToPrompt: { schema: { description: 'Wraps a prompt for a completion model.' }, runtime: true, holds: 'function' },
    outputParser: { schema: { type: 'object', description: 'Adds instructions to prompts and parses answers, in predict.' }, runtime: true, holds: ['parse', 'format'] },
    pydanticProgramMode: { schema: { type: 'string', enum: ['default', 'openai', 'llm', 'guidance', 'lm-format-enforcer'], description: 'How structured answers are requested.' }, default: 'default' },
    queryWrapperPrompt: { schema: { type: 'object', description: 'Wraps the whole prompt of a completion model; variable query_str.' }, runtime: true, holds: ['format'] },
  },
})
