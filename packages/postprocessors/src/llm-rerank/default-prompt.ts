/** The default prompt of `LLMRerank`; variables `context_str` and `query_str`. `defaultParseChoiceSelectAnswerFn` parses the answer. */
export const defaultChoiceSelectTmpl = `Below is a numbered list of documents, and a question. Choose the documents that help to answer the question.
Write one line per chosen document, the most relevant one first: its number, and how relevant it is from 1 (hardly) to 10 (it answers the question). Leave out documents that do not help. Write nothing else, and stop after the last line.

Example of a list:
Document 1:
<text of document 1>

Document 2:
<text of document 2>

Document 3:
<text of document 3>

Question: <question>
Answer:
Doc: 3, Relevance: 9
Doc: 1, Relevance: 4

Now it is your turn.

{context_str}

Question: {query_str}
Answer:
`

/** The default prompt of `LLMRerank` with `answerFormat: 'schema'`; variables `context_str` and `query_str`. */
export const rankingTmpl = `Below is a numbered list of documents, and a question. Rank the documents that help to answer the question, the most relevant one first.
Answer with JSON: {{"ranking": [{{"document": <number>, "relevance": <from 1, hardly, to 10, it answers the question>}}]}}
Leave out documents that do not help.

{context_str}

Question: {query_str}
`
