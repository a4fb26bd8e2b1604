/**
 * @module
 * Questions on standard input.
 */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ExitCode, ProgramError } from './program-error.ts'

/**
 * Yields the lines of standard input that are not empty, until it ends.
 * @param prompt - called before each line is read.
 * @throws {ProgramError} when an input other than a terminal has no such line.
 */
export async function* questionLines(
  { stdin, signal }: { stdin: Readable & { isTTY?: boolean }; signal: AbortSignal },
  prompt: () => unknown = () => {},
): AsyncGenerator<string, void, undefined> {
  let isEmpty = true
  prompt()
  for await (const line of createInterface({ input: stdin, signal })) {
    if (line.trim() !== '') {
      isEmpty = false
      yield line
    }
    prompt()
  }
  signal.throwIfAborted()
  if (isEmpty && !stdin.isTTY)
    throw new ProgramError(
      ExitCode.usage,
      'expected a question, received an empty input: pass it as an argument, or one per line of standard input.',
    )
}
