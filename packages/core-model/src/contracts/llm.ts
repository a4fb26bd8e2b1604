import type { CallbackManager } from '../callbacks/callback-manager.ts'
import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatResponse, CompletionResponse, LLMMetadata } from '../messages/responses.ts'

/** A tool as chat models receive it. */
export interface ToolDefinition {
  type: 'function'
  function: {
    name: string
    description?: string
    /** The JSON Schema of the arguments. */
    parameters: Record<string, unknown>
    /** Asks the provider to return only arguments that match the schema. */
    strict?: boolean
  }
}

/** Which tools a model may call: any or none, none, at least one, or this one. */
export type ModelToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } }

/** The form of an answer: plain text, or JSON, with a schema where the model supports it. */
export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json'; schema?: Record<string, unknown>; name?: string; description?: string; strict?: boolean }

/**
 * Options of one call of a model. An adapter maps these options to those of its provider, and throws a `ModelCallError` of kind
 * `bad_request` for an option that the provider does not support. Other keys are passed to the model unchanged.
 */
export interface CallOptions {
  /** Cancels the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Id of the event that the call belongs to, where the platform has no async context. */
  parentId?: string | undefined
  /** Receives the event of this call. @defaultValue the callback manager of the model */
  callbackManager?: CallbackManager | undefined
  /** The tools that the model may call. */
  tools?: readonly ToolDefinition[] | undefined
  /** Which of the tools the model may call. */
  toolChoice?: ModelToolChoice | undefined
  /** The sampling temperature; 0 or more. */
  temperature?: number | undefined
  /** The part of the most probable tokens that is sampled from; above 0, at most 1. Set this or `temperature`. */
  topP?: number | undefined
  /** How much tokens that occurred before are avoided; between -2 and 2. */
  presencePenalty?: number | undefined
  /** How much tokens are avoided, for each time that they occurred before; between -2 and 2. */
  frequencyPenalty?: number | undefined
  /** An integer with which a model samples the same answer again, as far as it can. */
  seed?: number | undefined
  /** The most tokens of the answer. */
  maxTokens?: number | undefined
  /** Strings that end the answer. */
  stop?: readonly string[] | undefined
  /** The form of the answer. @defaultValue plain text */
  responseFormat?: ResponseFormat | undefined
  /** Time limit of the call in milliseconds; for a stream, of each piece. */
  timeoutMs?: number | undefined
  /** HTTP headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Options of a provider, by the provider's name. */
  providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
  [option: string]: unknown
}

/** Options of a completion. */
export interface CompleteOptions extends CallOptions {
  /** Whether `completionToPrompt` was already applied to the prompt. @defaultValue false */
  formatted?: boolean
}

/** A language model as all packages use it. Errors of the model are thrown unchanged. */
export interface BaseLLM {
  /** The properties of the model. */
  readonly metadata: LLMMetadata
  /** Answers a chat. */
  chat(messages: readonly ChatMessage[], options?: CallOptions): Promise<ChatResponse>
  /** Completes a prompt. */
  complete(prompt: string, options?: CompleteOptions): Promise<CompletionResponse>
  /** Answers a chat piece by piece. */
  streamChat(messages: readonly ChatMessage[], options?: CallOptions): AsyncIterable<ChatResponse>
  /** Completes a prompt piece by piece. */
  streamComplete(prompt: string, options?: CompleteOptions): AsyncIterable<CompletionResponse>
}

/** A language model that fills prompts itself, as `LLM` of `@x/llm` does. */
export interface PredictingLLM extends BaseLLM {
  /** Fills the prompt, sends it as chat or completion, and returns the answer as a string. */
  predict(prompt: PromptLike, vars?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<string>
}

/** A prompt as models use it. The templates of `@x/prompts` implement it. */
export interface PromptLike {
  /** The parser that adds instructions to this prompt. */
  readonly outputParser?: unknown
  getTemplate(options?: { llm?: BaseLLM | undefined }): string
  format(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): string
  formatMessages(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): ChatMessage[]
  /** Returns the values that fill the template, by the names of its variables. */
  resolveVars?(
    vars?: Readonly<Record<string, unknown>>,
    options?: { llm?: BaseLLM | undefined },
  ): Record<string, string>
  /** Returns the template that is used for a model. */
  select?(options?: { llm?: BaseLLM | undefined }): PromptLike
}

/** The model that receives a prompt, and its prompt functions. */
export interface PromptFormatOptions {
  llm?: BaseLLM | undefined
  /** Wraps the prompt for a completion model. */
  completionToPrompt?: ((text: string) => string) | undefined
  /** Renders messages for a completion model. */
  messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | undefined
}
