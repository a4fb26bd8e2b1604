/**
 * @module
 * What the agent is told about the documents and about good answers.
 */
import { PromptTemplate } from '@x/prompts'
import type { Library } from './library.ts'

/** Names of files that are listed; more are only counted. */
const LISTED_FILES = 20

const PROMPT = new PromptTemplate({
  template: `You answer questions about Markdown documents: {files}. They hold {tableCount} tables.
Rely on what the tools give you, not on what you remember. Quote values and definitions as they are written.
After every statement name its source in round brackets, as the tools write it: (file:line).
When the documents do not hold the answer, say so.`,
})

/** The background for the system message of the agent. */
export function agentPrompt(library: Library): string {
  const { files } = library
  const more = files.length - LISTED_FILES
  const listed = files.slice(0, LISTED_FILES).join(', ')
  return PROMPT.format({ files: more > 0 ? `${listed} and ${more} more` : listed, tableCount: library.counts().tables })
}
