/**
 * @module
 * Conversations with an agent, line by line.
 */
import { isToolkitError } from '@x/core-model'
import { isStreamingResponse } from '../answer/chat-answer.ts'
import type { Answer } from './finalizing.ts'

/** The input and output of a conversation. */
export interface ChatReplIo {
  /** Reads a line. Returns null or undefined at the end of the input. */
  input(prompt: string): Promise<string | null | undefined> | string | null | undefined
  /** Writes text unchanged, without an additional line feed. */
  output(text: string): void
}

/** Runs a new conversation until the line `exit` or the end of the input. */
export async function runChatRepl(
  io: ChatReplIo,
  reset: () => Promise<void>,
  answer: (message: string) => Promise<Answer>,
): Promise<void> {
  io.output('===== A new conversation. Write "exit" to end it. =====\n')
  await reset()
  for (;;) {
    const message = await io.input('Human: ')
    if (message === null || message === undefined || message === 'exit') return
    const reply = await answer(message)
    io.output('Assistant: ')
    if (isStreamingResponse(reply)) await printPieces(reply, io)
    else io.output(String(reply))
    io.output('\n\n')
  }
}

async function printPieces(answer: AsyncIterable<string>, io: ChatReplIo): Promise<void> {
  try {
    for await (const piece of answer) io.output(piece)
  } catch (error) {
    if (!isToolkitError(error, 'text_restarted')) throw error
    io.output('\n(The stream broke; the answer starts again.)\n')
    await printPieces(answer, io)
  }
}
