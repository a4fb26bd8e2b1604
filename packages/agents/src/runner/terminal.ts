/// <reference types="node" />
/**
 * @module
 * Conversations in a terminal. A file of its own: a bundle for browsers has no `node:readline`.
 */

import { createInterface } from 'node:readline/promises'
import { checkGiven } from '@x/core/options'
import type { ChatReplIo } from './chat-repl.ts'

/**
 * Reads lines from the input and writes to the output.
 * @example
 * import { PassThrough, Readable } from 'node:stream'
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: Hello.'] }) })
 * const io = terminal({ input: Readable.from(['Hi\n', 'exit\n']), output: new PassThrough() })
 * await agent.streamingChatRepl(io)
 * io.close()
 * agent.chatHistory.length // => 2
 */
export function terminal(
  options: { input?: NodeJS.ReadableStream; output?: NodeJS.WritableStream } = {},
): ChatReplIo & { close(): void } {
  checkGiven('terminal', { options }, 'an object of options')
  const output = options.output ?? process.stdout
  const lines = createInterface({ input: options.input ?? process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const reader = lines[Symbol.asyncIterator]()
  return {
    async input(prompt) {
      output.write(prompt)
      const next = await reader.next()
      return next.done ? null : next.value
    },
    output(text) {
      output.write(text)
    },
    close() {
      lines.close()
    },
  }
}
