/** The default prompt of `LLMCompression`; variables `context_str` and `query_str`. */
export const sentenceSelectTmpl = `Below are the numbered sentences of a passage, and a question. Choose the sentences that help to answer the question, and those that are needed to understand them.
Answer with their numbers, separated by commas, and nothing else. If no sentence helps, answer 0.

{context_str}

Question: {query_str}
Numbers:
`
