/**
 * @module
 * The system prompt of the agent: the documents, and the rules for answers.
 */
import { PromptTemplate } from '@x/prompts'
import type { Library } from './library.ts'

/** The maximum number of file names in the prompt; further files are counted. */
const LISTED_FILES = 20

const PROMPT = new PromptTemplate({
  template: `You answer questions about Markdown documents: {files}. They contain {tableCount} tables.
Rely on the results of the tools, not on what you remember. Quote values and definitions as they are written.
After every statement name its source in round brackets, as the tools write it: (file:line).
If the documents do not contain the answer, say so.`,
})

/** Returns the context for the system message of the agent. */
export function agentPrompt(library: Library): string {
  const { files } = library
  const more = files.length - LISTED_FILES
  const listed = files.slice(0, LISTED_FILES).join(', ')
  return PROMPT.format({ files: more > 0 ? `${listed} and ${more} more` : listed, tableCount: library.counts().tables })
}
