/**
 * @module
 * The command that lets a model write words.
 */
import { join } from 'node:path'
import type { Terminal } from '../ask.ts'
import type { Docs } from '../docs.ts'
import { modelOf } from '../model/choose-model.ts'
import { explainedFailure } from '../model/model-failure.ts'
import type { ModelOptions } from '../model/model-options.ts'
import { withoutControls } from '../terminal/text-width.ts'
import { WORDS_FILE } from './added-words.ts'
import { writeWords } from './write-words.ts'

/** Writes the file of words, and prints what was written. @throws {ProgramError} when the model fails. */
export async function runWriteWords(
  docs: Docs,
  model: ModelOptions,
  languages: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr, signal } = terminal as Terminal & { stderr: { isTTY?: boolean } }
  const llm = await modelOf(model, terminal)
  const onProgress = (done: number, total: number) => {
    if (stderr.isTTY) stderr.write(`\r${done} of ${total} sections …`)
  }
  try {
    const { written, kept, unread } = await writeWords(docs, { llm, languages, signal, onProgress })
    for (const place of unread) stderr.write(`ask: no words were returned for ${withoutControls(place)}\n`)
    stdout.write(`${join(docs.root, WORDS_FILE)}: words for ${written} sections written, ${kept} kept.\n`)
  } catch (error) {
    throw explainedFailure(error, model)
  }
}
