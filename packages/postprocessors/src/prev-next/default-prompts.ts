/** The default prompt that asks in which direction more text is needed; variables `context_str` and `query_str`. */
export const defaultInferPrevNextTmpl = `You are given a passage of a document and a question. Decide which text has to be read in addition to the passage to answer the question.
Answer with one word:
PREVIOUS when the text before the passage is needed,
NEXT when the text after the passage is needed,
NONE when the passage is enough or no neighbouring text would help.

Example
Passage: Because of that, the committee rejected the plan.
Question: Why was the plan rejected?
Answer: PREVIOUS

Example
Passage: The bridge was opened in 1932. The following years brought three changes.
Question: What changed after the bridge was opened?
Answer: NEXT

Example
Passage: The lake is 42 metres deep.
Question: How deep is the lake?
Answer: NONE

Passage: {context_str}
Question: {query_str}
Answer: `

/** The default prompt for each further part of a long passage; variables `context_msg`, `query_str` and `existing_answer`. */
export const defaultRefinePrevNextTmpl = `You are reading a long passage of a document part by part, to decide which text has to be read in addition to the passage to answer a question.
Answer with one word: PREVIOUS when the text before the passage is needed, NEXT when the text after it is needed, NONE when neither is.

Your answer for the parts so far: {existing_answer}
The next part of the passage: {context_msg}
Question: {query_str}
Keep your answer, or correct it in the light of this part.
Answer: `
