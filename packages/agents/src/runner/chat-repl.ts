/**
 * @module
 * Conversations with an agent, line by line.
 */
import { isToolkitError } from '@x/core-model'
import type { AgentChatResponse } from '../answer/agent-chat-response.ts'
import type { StreamingAgentChatResponse } from '../answer/streaming-chat-response.ts'

/** The input and output of a conversation. */
export interface ChatReplIo {
  /** Reads a line. Returns null or undefined at the end of the input. */
  input(prompt: string): Promise<string | null | undefined> | string | null | undefined
  /** Writes text unchanged, without an additional line feed. */
  output(text: string): void
}

/** An agent with a conversation. */
export interface ChatAgent {
  reset(): Promise<void> | void
  chat(message: string): Promise<AgentChatResponse>
  streamChat(message: string): Promise<StreamingAgentChatResponse>
}

/** Runs a conversation until the line `exit` or the end of the input. */
export async function runChatRepl(agent: ChatAgent, io: ChatReplIo, streaming: boolean): Promise<void> {
  io.output('===== A new conversation. Write "exit" to end it. =====\n')
  await agent.reset()
  for (;;) {
    const message = await io.input('Human: ')
    if (message === null || message === undefined || message === 'exit') return
    if (streaming) {
      const answer = await agent.streamChat(message)
      io.output('Assistant: ')
      await printPieces(answer, io)
      io.output('\n\n')
    } else {
      io.output(`Assistant: ${await agent.chat(message)}\n\n`)
    }
  }
}

async function printPieces(answer: StreamingAgentChatResponse, io: ChatReplIo): Promise<void> {
  try {
    for await (const piece of answer) io.output(piece)
  } catch (error) {
    if (!isToolkitError(error, 'text_restarted')) throw error
    io.output('\n(The stream broke; the answer starts anew.)\n')
    await printPieces(answer, io)
  }
}
