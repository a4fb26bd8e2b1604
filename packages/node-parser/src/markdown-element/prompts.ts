/**
 * @module
 * The prompts for table summaries.
 */

/** The default question. */
export const summaryQuestion =
  'Say very concisely, as a caption and a summary, what this table is about. ' +
  'If a title or caption of the table, or an id such as a number, is given, report them as they are. ' +
  'Also decide whether the table should be kept.'

/** Returns the prompt that asks for a JSON object. */
export function tablePrompt(context: string, question: string): string {
  return `A table from a document, with its caption if there is one:

${context}

${question}

Answer with one JSON object and nothing else. Its keys:
- "summary": text, required. What the table is about.
- "table_title": text or null. The title or caption found above, not one that you make up.
- "table_id": text or null. The id found above.
- "columns": list, required. For each column an object with "col_name": text, required; "col_type": text, required, the kind of data in it; "summary": text or null.
- "should_keep": true or false. Whether the table contains information worth keeping.
`
}

/** Returns the prompt that asks for plain text, after an answer that could not be parsed. */
export function plainPrompt(context: string, question: string): string {
  return `A table from a document, with its caption if there is one:

${context}

${question}

Answer in plain words, in one short paragraph.
`
}
