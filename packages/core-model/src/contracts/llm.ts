import type { ChatMessage } from '../messages/chat-message.ts'
import type { ChatResponse, CompletionResponse, LLMMetadata } from '../messages/responses.ts'

/** What goes along with one call of a model; all other keys are handed to the model as they are. */
export interface CallOptions {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Id of the event that the call belongs to, where the platform has no async context. */
  parentId?: string | undefined
  [option: string]: unknown
}

/** Options of a completion. */
export interface CompleteOptions extends CallOptions {
  /** The prompt already went through `completionToPrompt`. @defaultValue false */
  formatted?: boolean
}

/** A language model, as all packages use it. Errors of the model pass through as they are. */
export interface BaseLLM {
  /** What is known about the model. */
  readonly metadata: LLMMetadata
  /** Answers a chat. */
  chat(messages: readonly ChatMessage[], options?: CallOptions): Promise<ChatResponse>
  /** Completes a text. */
  complete(prompt: string, options?: CompleteOptions): Promise<CompletionResponse>
  /** Answers a chat piece by piece. */
  streamChat(messages: readonly ChatMessage[], options?: CallOptions): AsyncIterable<ChatResponse>
  /** Completes a text piece by piece. */
  streamComplete(prompt: string, options?: CompleteOptions): AsyncIterable<CompletionResponse>
}

/** A prompt, as models use it; the templates of `@x/prompts` are such. */
export interface PromptLike {
  /** The parser that adds instructions to this prompt. */
  readonly outputParser?: unknown
  getTemplate(options?: { llm?: BaseLLM | undefined }): string
  format(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): string
  formatMessages(vars?: Readonly<Record<string, unknown>>, options?: PromptFormatOptions): ChatMessage[]
  /** The values that the template's variables really get, by template name. */
  resolveVars?(
    vars?: Readonly<Record<string, unknown>>,
    options?: { llm?: BaseLLM | undefined },
  ): Record<string, string>
  /** The template that is used for a model. */
  select?(options?: { llm?: BaseLLM | undefined }): PromptLike
}

/** What a prompt may use of the model that it is for. */
export interface PromptFormatOptions {
  llm?: BaseLLM | undefined
  /** Wraps the text for a completion model. */
  completionToPrompt?: ((text: string) => string) | undefined
  /** Renders messages for a completion model. */
  messagesToPrompt?: ((messages: readonly ChatMessage[]) => string) | undefined
}
