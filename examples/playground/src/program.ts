/** "Copy as a program": what a tab does, as TypeScript. */
import { SOURCE } from './source.ts'
import type { ChainStep, State } from './state.ts'

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

const parse = ({ markdown }: State): string => `const text = ${json(markdown)}
const parser = new MarkdownElementNodeParser({ summarizer: 'headers' })
const nodes = await parser.getNodesFromDocuments([new Document({ id: ${json(SOURCE)}, text })])`

function search(state: State): string {
  const { imports, list } = chainOf(state.chain)
  const names = ['ExplanationLedger', 'PostprocessorPipeline', ...imports].sort()
  return `import { Document } from '@x/core-model'
import { MarkdownElementNodeParser } from '@x/node-parser'
import { ${names.join(', ')} } from '@x/postprocessors'
import { Bm25Retriever } from '@x/retrieval'

${parse(state)}

const query = ${json(state.query)}
const found = await new Bm25Retriever({ nodes, similarityTopK: 12 }).retrieve(query)
const ledger = new ExplanationLedger()
const chain = new PostprocessorPipeline({ postprocessors: ${list} })
for (const { text } of await chain.postprocessNodes(found, { queryStr: query, ledger })) console.log(text)
console.log(String(ledger))
`
}

function evaluate(state: State): string {
  const { imports, list } = chainOf(state.chain)
  const names = ['ExplanationLedger', ...imports].sort()
  return `import { Document } from '@x/core-model'
import { evaluateRetriever, readTestSet, reportMarkdown } from '@x/evaluate'
import { MarkdownElementNodeParser } from '@x/node-parser'
import { ${names.join(', ')} } from '@x/postprocessors'
import { Bm25Retriever } from '@x/retrieval'

${parse(state)}

const run = await evaluateRetriever({
  retriever: new Bm25Retriever({ nodes, similarityTopK: 12 }),
  testSet: readTestSet(${json(state.testSet)}),
  nodes,
  postprocessors: ${list},
  ledger: () => new ExplanationLedger(),
  sourceText: (source) => (source === ${json(SOURCE)} ? text : undefined),
  k: 10,
})
console.log(reportMarkdown([run]))
`
}

function agent({ agent: { question, model, script } }: State): string {
  const isScript = model.kind === 'script'
  const llm = isScript
    ? `new ScriptedLLM({ answers: ${json(script)} })`
    : `new OpenAI(${json({ baseUrl: model.baseUrl, model: model.model })})`
  return `import { FunctionTool, ReActAgent } from '@x/agents'
import { isToolkitError } from '@x/core-model'
${isScript ? "import { ScriptedLLM } from '@x/llm/testing'" : "import { OpenAI } from '@x/openai'"}

const price = FunctionTool.fromDefaults({
  name: 'price',
  description: 'Returns the price of a fruit, in EUR.',
  schema: { type: 'object', properties: { fruit: { type: 'string' } }, required: ['fruit'] },
  fn: ({ fruit }) => (fruit === 'pear' ? '3' : '2'),
})
const send = FunctionTool.fromDefaults({
  name: 'send',
  description: 'Sends a message to an address.',
  schema: { type: 'object', properties: { to: { type: 'string' }, text: { type: 'string' } }, required: ['to', 'text'] },
  needsApproval: true,
  fn: ({ to, text }) => \`Sent to \${to}: \${text}\`,
})
const agent = ReActAgent.fromTools({ llm: ${llm}, tools: [price, send] })
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
import { extractMarkdownElements, MarkdownElementNodeParser } from '@x/node-parser'

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
