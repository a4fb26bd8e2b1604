/** "Copy as a program": what a tab does, as TypeScript. */
import { readPassages, SOURCE } from './passages.ts'
import type { ChainStep, State, ToolData } from './state.ts'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const needs = ({ name, fields }: ChainStep): string => {
  const given = name === 'NERPIINodePostprocessor' ? ['ner: findPatterns'] : []
  const options = [...Object.entries(fields).map(([option, value]) => `${option}: ${JSON.stringify(value)}`), ...given]
  return `new ${name}(${options.length === 0 ? '' : `{ ${options.join(', ')} }`})`
}

function chainOf(chain: readonly ChainStep[]): { imports: string[]; list: string } {
  const names = new Set(chain.map(({ name }) => name))
  if (names.has('NERPIINodePostprocessor')) names.add('findPatterns')
  return { imports: [...names].sort(), list: `[\n  ${chain.map(needs).join(',\n  ')}\n]` }
}

const hasPassages = ({ passages }: State): boolean => passages.trim() !== ''

/** What is searched: passages, or the nodes of the document. */
const nodesOf = (state: State, needsNodes = true): string =>
  hasPassages(state)
    ? `const passages = [
  ${readPassages(state.passages)
    .map((found) => found.toJson())
    .join(',\n  ')},
].map((data) => NodeWithScore.fromDict(data))
${needsNodes ? 'const nodes = passages.map(({ node }) => node as TextNode)\n' : ''}`
    : `${parse(state)}\n`

/** The imports of {@link nodesOf}. */
const nodeImports = (state: State, needsNodes = true): string[] =>
  hasPassages(state)
    ? [`import { NodeWithScore${needsNodes ? ', type TextNode' : ''} } from '@x/core-model'`]
    : [
        "import { Document } from '@x/core-model'",
        "import { MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'",
      ]

/** Whether the passages were found by another search. */
const isFound = (state: State): boolean => readPassages(state.passages).some(({ score }) => score !== null)

const parse = ({ markdown }: State): string => `const text = ${json(markdown)}
const nestedNodeParser = new MarkdownNodeParser({ chunkSize: 256, minChunkSize: 64 })
const parser = new MarkdownElementNodeParser({ summarizer: 'headers', nestedNodeParser })
const nodes = await parser.getNodesFromDocuments([new Document({ id: ${json(SOURCE)}, text })])`

function search(state: State): string {
  const chain = chainOf(state.chain)
  const names = ['ExplanationLedger', 'PostprocessorPipeline', ...chain.imports].sort()
  const searches = !isFound(state)
  const retriever = searches ? ["import { Bm25Retriever } from '@x/retrieval'"] : []
  const imports = [
    ...nodeImports(state, searches),
    `import { ${names.join(', ')} } from '@x/postprocessors'`,
    ...retriever,
  ]
  return `${imports.join('\n')}

${nodesOf(state, searches)}
const query = ${json(state.query)}
const found = ${searches ? 'await new Bm25Retriever({ nodes, similarityTopK: 12 }).retrieve(query)' : 'passages'}
const ledger = new ExplanationLedger()
const chain = new PostprocessorPipeline({ postprocessors: ${chain.list} })
for (const { text } of await chain.postprocessNodes(found, { queryStr: query, ledger })) console.log(text)
console.log(String(ledger))
`
}

function evaluate(state: State): string {
  const chain = chainOf(state.chain)
  const names = ['ExplanationLedger', ...chain.imports].sort()
  const imports = [
    ...nodeImports(state),
    "import { evaluateRetriever, readTestSet, reportMarkdown } from '@x/evaluate'",
    `import { ${names.join(', ')} } from '@x/postprocessors'`,
    "import { Bm25Retriever } from '@x/retrieval'",
  ].sort((one, other) => (one.split(' from ')[1]! < other.split(' from ')[1]! ? -1 : 1))
  // Without the text of a document, a place is found by the text of the nodes.
  const sourceText = !hasPassages(state)
    ? `\n  sourceText: (source) => (source === ${json(SOURCE)} ? text : undefined),`
    : ''
  return `${imports.join('\n')}

${nodesOf(state)}
const run = await evaluateRetriever({
  retriever: new Bm25Retriever({ nodes, similarityTopK: 12 }),
  testSet: readTestSet(${json(state.testSet)}),
  nodes,
  postprocessors: ${chain.list},
  ledger: () => new ExplanationLedger(),${sourceText}
  k: 10,
})
console.log(reportMarkdown([run]))
`
}

/** A tool: its function, whose text has the arguments. */
function toolOf({ result, ...options }: ToolData): string {
  const names = Object.keys((options.schema['properties'] as object | undefined) ?? {})
  const used = names.filter((name) => /^[A-Za-z_]\w*$/.test(name) && result.includes(`{${name}}`))
  const text = result
    .replaceAll(/[`\\]|\$\{/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (whole, name) => (used.includes(name) ? `$${whole}` : whole))
  const fn = `(${used.length === 0 ? '' : `{ ${used.join(', ')} }`}) => \`${text}\``
  const lines = Object.entries({ ...options, needsApproval: options.needsApproval || undefined }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`  ${name}: ${JSON.stringify(value)},`]),
  )
  return `FunctionTool.fromDefaults({\n${lines.join('\n')}\n  fn: ${fn},\n})`
}

function agent({ agent: { question, model, script, tools } }: State): string {
  const isScript = model.kind === 'script'
  const llm = isScript
    ? `new ScriptedLLM({ answers: ${json(script)} })`
    : `new OpenAI(${json({ baseUrl: model.baseUrl, model: model.model })})`
  return `import { FunctionTool, ReActAgent } from '@x/agents'
import { isToolkitError } from '@x/core-model'
${isScript ? "import { ScriptedLLM } from '@x/llm/testing'" : "import { OpenAI } from '@x/openai'"}

const tools = [${tools.map(toolOf).join(', ')}]
const agent = ReActAgent.fromTools({ llm: ${llm}, tools })
const { taskId } = await agent.createTask(${json(question)})
for (;;) {
  try {
    console.log(String(await agent.runTask(taskId)))
    break
  } catch (error) {
    if (!isToolkitError(error, 'approval_required')) throw error
    for (const call of error.calls) {
      console.log(\`approved: \${call.name} \${JSON.stringify(call.arguments)}\`)
      await agent.approve(taskId, call.id)
    }
  }
}
`
}

const programs: Readonly<Record<State['tab'], (state: State) => string>> = {
  markdown: (state) => `import { Document } from '@x/core-model'
import { extractMarkdownElements, MarkdownElementNodeParser, MarkdownNodeParser } from '@x/node-parser'

${parse(state)}

for (const { type, startCharIdx, endCharIdx } of extractMarkdownElements(text)) console.log(type, startCharIdx, endCharIdx)
for (const node of nodes) console.log(node.id, JSON.stringify(node.text))
`,
  search,
  prompt: ({ template, variables }) => `import { formatWithSources, PromptTemplate } from '@x/prompts'

const prompt = new PromptTemplate({ template: ${json(template)} })
const { text, sources } = formatWithSources(prompt, ${json(variables)})
console.log(text)
for (const { start, end, source, variable } of sources) console.log(source, variable ?? '', JSON.stringify(text.slice(start, end)))
`,
  agent,
  python: ({ python }) => `import { ClassRegistry } from '@x/core'
import * as models from '@x/core-model'

const registry = new ClassRegistry([models.TextNode, models.Document, models.IndexNode, models.NodeWithScore, models.ChatMessage])
console.log(registry.fromDict(JSON.parse(${json(python)})).toJson({ indent: 2 }))
`,
  evaluate,
}

/** Returns a program that does what the selected tab does. */
export function programOf(state: State): string {
  return programs[state.tab](state)
}
