import type { CallOptions } from '@x/core-model'
import { ChatMessage, ChatResponse, LLMMetadata } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ChatLLM } from './chat-llm.ts'

/** Repeats the last message, and records the options. */
class Echo extends ChatLLM {
  readonly metadata = new LLMMetadata({ modelName: 'echo', isChatModel: true })
  readonly seen: CallOptions[] = []

  protected override async chatRequest(messages: readonly ChatMessage[], options: CallOptions): Promise<ChatResponse> {
    this.seen.push(options)
    const { role, content } = messages[0]!
    return new ChatResponse({ message: new ChatMessage({ role: 'assistant', content: `${role}: ${content}` }) })
  }

  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    const { message } = await this.chatRequest(messages, options)
    for (const delta of String(message.content).split(' ')) yield new ChatResponse({ message, delta })
  }
}

describe('ChatLLM', () => {
  it('completes a prompt as a chat with one user message', async () => {
    const llm = new Echo()
    expect(await llm.complete('Hello')).toMatchObject({ text: 'user: Hello', delta: null })
    expect(
      await llm.predict({
        getTemplate: () => '',
        format: () => '',
        formatMessages: () => [new ChatMessage({ content: 'Hi' })],
      }),
    ).toBe('user: Hi')
  })

  it('streams completions', async () => {
    const deltas: unknown[] = []
    for await (const { delta } of new Echo().streamComplete('Hello')) deltas.push(delta)
    expect(deltas).toEqual(['user:', 'Hello'])
  })

  it('passes the options of the call to the chat request, without `formatted`', async () => {
    const llm = new Echo()
    await llm.complete('Hello', { formatted: true, temperature: 0 })
    expect(llm.seen).toEqual([{ temperature: 0 }])
  })
})
