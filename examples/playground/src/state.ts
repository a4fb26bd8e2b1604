/** What the page shows: plain data, which the address contains. */

/** A step of a chain: a class of `@x/postprocessors` and its options. */
export interface ChainStep {
  name: string
  fields: Record<string, unknown>
}

/** A task of the agent, as it is saved. */
export interface NamedTask {
  name: string
  /** The result of `saveTask`; null before the first step. */
  saved: unknown
}

/** A tool of the agent: a function that fills its arguments into a template. */
export interface ToolData {
  name: string
  description: string
  /** The JSON Schema of the arguments. */
  schema: Record<string, unknown>
  needsApproval: boolean
  /** The text, with `{name}` for the value of an argument. */
  result: string
}

/** The model of the agent. The key of a server is kept in the page only. */
export interface ModelChoice {
  kind: 'script' | 'server'
  baseUrl: string
  model: string
}

export interface AgentState {
  question: string
  model: ModelChoice
  /** The replies of the scripted model, one for each turn. */
  script: string[]
  tools: ToolData[]
  tasks: NamedTask[]
  selected: number
}

export const tabs = ['agent', 'search', 'markdown', 'prompt', 'python', 'evaluate'] as const
export type TabName = (typeof tabs)[number]

export interface State {
  tab: TabName
  markdown: string
  /** Passages to search instead of the document, a JSON object a line; empty for the document. */
  passages: string
  query: string
  chain: ChainStep[]
  template: string
  variables: Record<string, string>
  agent: AgentState
  python: string
  testSet: string
}

const markdown = `# Fruit

Prices of this week. Pears are green and juicy.

| name  | price |
| ----- | ----: |
| apple |     2 |
| pear  |     3 |

## Keeping

- Apples keep for months in a cool cellar.
- Pears do not: eat them within a week.

## Orders

Write to orders@example.org before noon.

\`\`\`ts
const total = 2 * 3
\`\`\`
`

const script = [
  'Thought: I look up the price.\nAction: price\nAction Input: {"fruit": "pear"}',
  'Thought: I tell Ann.\nAction: send\nAction Input: {"to": "ann@example.org", "text": "A pear costs 3."}',
  'Thought: Ann knows it.\nAnswer: Ann knows that a pear costs 3.',
]

const strings = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
})

const tools: ToolData[] = [
  {
    name: 'price',
    description: 'Returns the price of a fruit, in EUR.',
    schema: strings('fruit'),
    needsApproval: false,
    result: '3 EUR for a {fruit}',
  },
  {
    name: 'send',
    description: 'Sends a message to an address.',
    schema: strings('to', 'text'),
    needsApproval: true,
    result: 'Sent to {to}: {text}',
  },
]

const python = `{
  "id_": "n1",
  "embedding": null,
  "metadata": {"file_name": "fruit.md"},
  "excluded_embed_metadata_keys": [],
  "excluded_llm_metadata_keys": ["file_name"],
  "relationships": {},
  "text": "Pears are green.",
  "start_char_idx": 0,
  "end_char_idx": 16,
  "text_template": "{metadata_str}\\n\\n{content}",
  "metadata_template": "{key}: {value}",
  "metadata_seperator": "\\n",
  "class_name": "TextNode"
}`

/** What the page shows first. */
export const initial: State = {
  tab: 'agent',
  markdown,
  passages: '',
  query: 'Which fruit is green?',
  chain: [
    { name: 'SimilarityPostprocessor', fields: { similarityCutoff: 0.1 } },
    { name: 'NERPIINodePostprocessor', fields: {} },
    { name: 'TokenBudget', fields: { maxTokens: 100 } },
  ],
  template: 'You are {role}.\nContext:\n{context}\nQuestion: {question}',
  variables: { role: 'a grocer', context: 'Pears are green.', question: 'Which fruit is green?' },
  agent: {
    question: 'Tell Ann the price of a pear.',
    model: { kind: 'script', baseUrl: 'http://localhost:11434/v1', model: 'qwen3' },
    script,
    tools,
    tasks: [{ name: 'task 1', saved: null }],
    selected: 0,
  },
  python,
  testSet: [
    '{"question": "Which fruit is green?", "places": [{"source": "page.md", "quote": "Pears are green"}]}',
    '{"question": "How long do apples keep?", "places": [{"source": "page.md", "quote": "Apples keep for months"}]}',
    '{"question": "Until when can I order?", "places": [{"source": "page.md", "quote": "before noon"}]}',
    '{"question": "Who lives on the moon?", "places": []}',
  ].join('\n'),
}
