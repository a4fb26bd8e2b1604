/**
 * @module
 * A stand-in for a language model: it parses the prompt, decides by rules, and quotes. It has no knowledge and invents nothing.
 */
import {
  ChatMessage,
  ChatResponse,
  type CompletionResponse,
  chatToCompletionResponse,
  LLM,
  LLMMetadata,
} from '@x/core-model'
import { nextTurn } from './next-turn.ts'
import { readTranscript } from './transcript.ts'

const METADATA = new LLMMetadata({ modelName: 'built-in stand-in', isChatModel: true, contextWindow: 1_000_000 })

/**
 * Answers ReAct prompts without network and weights. The same prompt always has the same answer.
 * It finds cells, sections and sentences by the words of the question, and quotes them as written.
 */
export class StandInModel extends LLM {
  static override className(): string {
    return 'StandInModel'
  }

  get metadata(): LLMMetadata {
    return METADATA
  }

  protected override async chatRequest(messages: readonly ChatMessage[]): Promise<ChatResponse> {
    return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: reply(messages) }) })
  }

  /** Streams the same text word by word, like real models. */
  protected override async *streamChatRequest(messages: readonly ChatMessage[]): AsyncGenerator<ChatResponse> {
    let content = ''
    for (const delta of reply(messages).match(/\s*\S+|\s+$/g) ?? []) {
      content += delta
      yield new ChatResponse({ message: new ChatMessage({ role: 'assistant', content }), delta })
    }
  }

  protected override async completeRequest(prompt: string): Promise<CompletionResponse> {
    return chatToCompletionResponse(await this.chatRequest([new ChatMessage({ content: prompt })]))
  }

  protected override async *streamCompleteRequest(prompt: string): AsyncGenerator<CompletionResponse> {
    const pieces = this.streamChatRequest([new ChatMessage({ content: prompt })])
    for await (const piece of pieces) yield chatToCompletionResponse(piece, { stream: true })
  }
}

function reply(messages: readonly ChatMessage[]): string {
  const turn = nextTurn(readTranscript(messages))
  return 'answer' in turn
    ? `Thought: ${turn.thought}\nAnswer: ${turn.answer}`
    : `Thought: ${turn.thought}\nAction: ${turn.tool}\nAction Input: ${JSON.stringify(turn.input)}`
}
