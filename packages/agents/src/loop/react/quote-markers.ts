/**
 * @module
 * Text from outside, such as a web page, in the transcript of a ReAct agent.
 */

/** Blanks at the start of a line, then a word of the protocol with its colon, also in emphasis or after a list or quote sign. */
const MARKER =
  /(^|[\n\r\u2028\u2029])([^\S\n\r\u2028\u2029]*(?:[*_#>`-]+[^\S\n\r\u2028\u2029]*)?)(?=(?:Thought|Action(?: Input)?|(?:Final )?Answer|Observation)[*_`]*:)/gi

/**
 * Returns a string in which no line looks like a part of the protocol: a line that starts with `Thought:`, `Action:`, `Action Input:`,
 * `Answer:`, `Final Answer:` or `Observation:` gets a `| ` in front. Outputs of tools go to a text model through this function, so that
 * a page cannot pretend that the agent called a tool, or got its result. All other text stays as it is. Takes linear time.
 */
export function quoteMarkers(text: string): string {
  return text.replace(MARKER, '$1| $2')
}
