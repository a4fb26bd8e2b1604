/**
 * @module
 * Quotes untrusted text, such as a web page, in the transcript of a ReAct agent.
 */

/** Blanks at the start of a line, then a word of the protocol with its colon, also in emphasis or after a list or quote sign. */
const MARKER =
  /(^|[\n\r\u2028\u2029])([^\S\n\r\u2028\u2029]*(?:[*_#>`-]+[^\S\n\r\u2028\u2029]*)?)(?=(?:Thought|Action(?: Input)?|(?:Final )?Answer|Observation|Tool (?:Name|Description|Args))[*_`]*:)/gi

/**
 * Returns a string in which no line looks like a part of the protocol: a line that starts with `Thought:`, `Action:`, `Action Input:`,
 * `Answer:`, `Final Answer:`, `Observation:`, `Tool Name:`, `Tool Description:` or `Tool Args:` is prefixed with `| `. Applied to tool
 * outputs, descriptions of tools and messages of users for a ReAct model, so that none of them can forge a tool, a tool call or its
 * result. All other text is unchanged. Takes linear time.
 */
export function quoteMarkers(text: string): string {
  return text.replace(MARKER, '$1| $2')
}
