/**
 * @module
 * The questions in a terminal.
 */
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** Where a user is asked. */
export interface Terminal {
  input: Readable
  output: Writable
}

/** Asks one question after the other. */
export interface Questions {
  /** Returns a line; `byDefault` for an empty one. */
  line(question: string, byDefault: string): Promise<string>
  /** Returns the name of a choice, which the user writes or counts. An empty line is the first one. */
  choice<Name extends string>(question: string, choices: Readonly<Record<Name, { title: string }>>): Promise<Name>
  close(): void
}

/** The user ended the questions. */
export class StoppedError extends Error {}

/** Begins to ask. @throws {StoppedError} from a question, when the user ends the input or presses Ctrl-C. */
export function askUser({ input, output }: Terminal): Questions {
  const lines = createInterface({ input, output })
  let isOpen = true
  lines.once('close', () => {
    isOpen = false
  })
  // Keeps what is typed or pasted before its question.
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    lines.setPrompt(question)
    if (isOpen) lines.prompt()
    const { done, value } = await typed.next()
    if (done) throw new StoppedError()
    return value.trim()
  }
  return {
    line: async (question, byDefault) => (await ask(`${question} (${byDefault}) `)) || byDefault,
    async choice<Name extends string>(question: string, choices: Readonly<Record<Name, { title: string }>>) {
      const names = Object.keys(choices) as Name[]
      const rows = names.map((name, index) => `  ${index + 1}  ${name.padEnd(11)}${choices[name].title}\n`)
      output.write(`${question}\n${rows.join('')}`)
      for (;;) {
        const said = (await ask('(1) ')) || '1'
        const found = names.find((name, index) => said === name || said === String(index + 1))
        if (found !== undefined) return found
        output.write(`Expected a number from 1 to ${names.length}, or a name.\n`)
      }
    },
    close: () => lines.close(),
  }
}
