/**
 * @module
 * Default prompts for common tasks. Each call creates a new prompt. A bundle contains only those that it uses.
 */
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import { isChatModel } from './prompt-sizes.ts'
import { PromptTemplate } from './prompt-template.ts'
import { SelectorPromptTemplate } from './selector-prompt-template.ts'

const fence = '-----'

/** Asks for an answer based only on a context. Variables: `context_str`, `query_str`. */
export const textQaPrompt = () =>
  new PromptTemplate({
    promptType: 'text_qa',
    template: `Here is what is known:
${fence}
{context_str}
${fence}
Use only this information, and nothing you know from elsewhere, to answer the question. Say so when it does not contain the answer.
Question: {query_str}
Answer: `,
  })

/** `textQaPrompt` for chat models, with the rules in a system message. */
export const textQaChatPrompt = () =>
  ChatPromptTemplate.fromMessages(
    [
      [
        'system',
        'You answer questions from the information that the user sends along, never from what you know from elsewhere. ' +
          'You do not mention that information was sent; when it does not contain the answer, you say that you do not know.',
      ],
      ['user', `Information:\n${fence}\n{context_str}\n${fence}\nQuestion: {query_str}`],
    ],
    { promptType: 'text_qa' },
  )

/** `textQaPrompt`, with its chat form for chat models. */
export const textQaSelector = () => forChatModels(textQaPrompt(), textQaChatPrompt())

/** Asks to improve an answer with more context. Variables: `query_str`, `existing_answer`, `context_msg`. */
export const refinePrompt = () =>
  new PromptTemplate({
    promptType: 'refine',
    template: `The question is: {query_str}
So far the answer is: {existing_answer}
Now there is more information:
${fence}
{context_msg}
${fence}
Improve the answer where the new information helps to answer the question. Where it does not help, repeat the answer unchanged.
Improved answer: `,
  })

/** `refinePrompt` for chat models. The answer so far is an assistant message. */
export const refineChatPrompt = () =>
  ChatPromptTemplate.fromMessages(
    [
      ['user', '{query_str}'],
      ['assistant', '{existing_answer}'],
      [
        'user',
        `Here is more information:\n${fence}\n{context_msg}\n${fence}\n` +
          'Write your answer again, improved where this information helps. If it does not help, repeat your answer word for word. ' +
          'Write the answer only.',
      ],
    ],
    { promptType: 'refine' },
  )

/** `refinePrompt`, with its chat form for chat models. */
export const refineSelector = () => forChatModels(refinePrompt(), refineChatPrompt())

/**
 * `refinePrompt` for context from a table. Variables: `query_str`, `existing_answer`, `schema` (of the table),
 * `context_msg`.
 */
export const refineTablePrompt = () =>
  new PromptTemplate({
    promptType: 'table_context',
    template: `The question is: {query_str}
So far the answer is: {existing_answer}
A table contains more information. Its schema:
${fence}
{schema}
${fence}
Its rows:
${fence}
{context_msg}
${fence}
Improve the answer where the rows of the table help to answer the question. Where they do not help, repeat the answer unchanged.
Improved answer: `,
  })

/** `refineTablePrompt` for chat models. */
export const refineTableChatPrompt = () =>
  ChatPromptTemplate.fromMessages(
    [
      ['user', '{query_str}'],
      ['assistant', '{existing_answer}'],
      [
        'user',
        `A table contains more information. Its schema:\n${fence}\n{schema}\n${fence}\nIts rows:\n${fence}\n{context_msg}\n${fence}\n` +
          'Write your answer again, improved where its rows help. If they do not help, repeat your answer word for word.',
      ],
    ],
    { promptType: 'table_context' },
  )

/** `refineTablePrompt`, with its chat form for chat models. */
export const refineTableSelector = () => forChatModels(refineTablePrompt(), refineTableChatPrompt())

/** Asks for one answer from several sources. Variables: `context_str`, `query_str`. */
export const treeSummarizePrompt = () =>
  new PromptTemplate({
    promptType: 'summary',
    template: `Several sources say:
${fence}
{context_str}
${fence}
Bring together what these sources say, without adding anything from elsewhere, and answer the question.
Question: {query_str}
Answer: `,
  })

/** `treeSummarizePrompt` for chat models, with the rules in a system message. */
export const treeSummarizeChatPrompt = () =>
  ChatPromptTemplate.fromMessages(
    [
      [
        'system',
        'You bring together what several sources say and answer questions from them alone, without adding anything from elsewhere.',
      ],
      ['user', `Sources:\n${fence}\n{context_str}\n${fence}\nQuestion: {query_str}`],
    ],
    { promptType: 'summary' },
  )

/** `treeSummarizePrompt`, with its chat form for chat models. */
export const treeSummarizeSelector = () => forChatModels(treeSummarizePrompt(), treeSummarizeChatPrompt())

/** Asks for a summary. Variable: `context_str`. */
export const summaryPrompt = () =>
  new PromptTemplate({
    promptType: 'summary',
    template: `Summarize the text below in your own words. Keep names, numbers, dates and all other details that matter.
${fence}
{context_str}
${fence}
Summary: `,
  })

/**
 * Asks which numbered documents help to answer a question. Variables: `context_str`, `query_str`. Answer: `Doc: 9, Relevance: 7` per
 * line.
 */
export const choiceSelectPrompt = () =>
  new PromptTemplate({
    promptType: 'choice_select',
    template: `Below are numbered documents and a question. Which documents help to answer the question?
Write one line per helpful document: its number, and how much it helps from 1 (a little) to 10 (fully). The most helpful one comes first. Leave out documents that do not help. Write these lines and nothing else.

The form, by an example:
Doc: 4, Relevance: 9
Doc: 1, Relevance: 3

{context_str}

Question: {query_str}
Answer:
`,
  })

/** Asks for a ranking of passages that earlier messages have numbered. Variables: `query`, `num`. Answer: `[2] > [1]`. */
export const rankGptRerankPrompt = () =>
  new PromptTemplate({
    promptType: 'rankgpt_rerank',
    template: `Search query: {query}
Order the {num} passages above by how well they answer the search query, the best one first. Name every passage once by its identifier in brackets, in the form [2] > [1]. Write the ordered identifiers only.`,
  })

/** The question without further text. Variable: `query_str`. */
export const simpleInputPrompt = () => new PromptTemplate({ promptType: 'simple_input', template: '{query_str}' })

/** Asks which of several summaries a passage belongs to. Variables: `num_chunks`, `context_list`, `new_chunk_text`. Answer: a number. */
export const insertPrompt = () =>
  new PromptTemplate({
    promptType: 'insert',
    template: `Here are {num_chunks} summaries, numbered from 1 to {num_chunks}:
${fence}
{context_list}
${fence}
And here is a new text:
${fence}
{new_chunk_text}
${fence}
Write the number of the summary whose topic the new text fits best, and nothing else.
Number: `,
  })

/** Asks for the best of several choices. Variables: `num_chunks`, `context_list`, `query_str`. Answer: `ANSWER: n` with a reason. */
export const treeSelectPrompt = () =>
  new PromptTemplate({
    promptType: 'tree_select',
    template: `Here are {num_chunks} choices, numbered from 1 to {num_chunks}; each one summarizes a text:
${fence}
{context_list}
${fence}
Which text most likely answers this question: {query_str}
Judge by the choices alone. Give its number in the form "ANSWER: <number>", then in a sentence why you chose it.
`,
  })

/**
 * Asks for the best few of several choices. Variables: `num_chunks`, `context_list`, `query_str`, `branching_factor`.
 * Answer: `ANSWER: n, m` with reasons.
 */
export const treeSelectMultiplePrompt = () =>
  new PromptTemplate({
    promptType: 'tree_select_multiple',
    template: `Here are {num_chunks} choices, numbered from 1 to {num_chunks}; each one summarizes a text:
${fence}
{context_list}
${fence}
Which texts, at most {branching_factor}, most likely answer this question: {query_str}
Judge by the choices alone. Give their numbers, the best one first, in the form "ANSWER: <numbers>", then in a sentence each why you chose them.
`,
  })

/** Asks for the keywords of a passage. Variables: `max_keywords`, `text`. Answer: a comma-separated list after `KEYWORDS:`. */
export const keywordExtractPrompt = () =>
  new PromptTemplate({
    promptType: 'keyword_extract',
    template: `Name up to {max_keywords} keywords of the text below: words by which one would look it up. Leave out words that any text contains.
${fence}
{text}
${fence}
Write them in one line in the form "KEYWORDS: <keyword>, <keyword>".
`,
  })

/** Asks for the keywords of a question. Variables: `max_keywords`, `question`. Answer: a comma-separated list after `KEYWORDS:`. */
export const queryKeywordExtractPrompt = () =>
  new PromptTemplate({
    promptType: 'query_keyword_extract',
    template: `A question is below. Name up to {max_keywords} keywords by which one would find texts that answer it. Leave out words that any text contains.
${fence}
{question}
${fence}
Write them in one line in the form "KEYWORDS: <keyword>, <keyword>".
`,
  })

/** Returns a selector that uses `chat` for chat models and `text` for others. */
function forChatModels(text: PromptTemplate, chat: ChatPromptTemplate): SelectorPromptTemplate {
  return new SelectorPromptTemplate({ defaultTemplate: text, conditionals: [[isChatModel, chat]] })
}
