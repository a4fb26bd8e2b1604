/**
 * Refuses a package that exceeds its size budget (minified and gzipped, for typical imports from the built packages), and code that a
 * main entry must not contain, and sizes in the README that differ from the measured ones by more than 1 kB. Also prints the part of each
 * size that descriptions take, measured by removing them. Refuses to measure builds that are missing or were made from other sources.
 *
 * @example npm run sizes
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, gzipSize, inReadme } from './bundle.ts'
import { packageFolders } from './packages.ts'

interface Budget {
  what: string
  code: string
  /** Largest size in bytes (1 kB is 1,024). */
  budget: number
  /** Whether only the code of the package itself counts: an adapter beside the packages and the library that it connects. */
  alone?: boolean
  /** Whether the package runs in Node alone, whose modules it may import. */
  inNode?: boolean
}

const kB = 1024

/** A budget in kB. */
const of = (what: string, code: string, budget: number): Budget => ({ what, code, budget: budget * kB })

/** The budget of all that an entry exports. */
const all = (entry: string, budget: number) => of(`${entry}: all`, `export * from '@x/${entry}'`, budget)

/** The budgets of what an adapter exports, without the library that it connects. */
function adapter(name: string, budgets: Readonly<Record<string, number>>, entry = 'index'): Budget[] {
  const path = `../packages/integrations/${name}/dist/${entry}.js`
  return Object.entries(budgets).map(([exported, budget]) => {
    const what = `${name}${entry === 'index' ? '' : `/${entry}`}: ${exported === '*' ? 'all' : exported}`
    const code = `export ${exported === '*' ? '*' : `{ ${exported} }`} from '${path}'`
    return { ...of(what, code, budget), alone: true }
  })
}

const inNode = (budget: Budget): Budget => ({ ...budget, inNode: true })

/** A package as a whole may grow by this factor before its budget is raised: a new part of it does not begin with a budget. */
const ROOM_OF_ALL = 1.02
/** Slightly above the measured sizes; raised by the rules of docs/decisions/0003-size-budgets.md. */
const budgets: Budget[] = [
  of('core: Model', "export { Model } from '@x/core'", 6.95),
  of('core-model: Model', "export { Model } from '@x/core-model'", 6.95),
  of(
    'core: an own model of one field',
    `import { Model } from '@x/core'
import { fields, string } from '@x/core/fields'
export class Shelf extends fields(Model, 'Shelf', { label: string({ pattern: '^[A-Z]' }) }) {}`,
    9.15,
  ),
  of(
    'core: an own model that nobody uses',
    `import { Model } from '@x/core'
import { fields, string } from '@x/core/fields'
class Shelf extends /* @__PURE__ */ fields(Model, 'Shelf', { label: /* @__PURE__ */ string() }) {}
export const other = 1`,
    0.1,
  ),
  of('core-model: ChatMessage', "export { ChatMessage } from '@x/core-model'", 9.4),
  of('prompts: text and chat templates', "export { PromptTemplate, ChatPromptTemplate } from '@x/prompts'", 14.9),
  all('prompts/rich', 23.95),
  of('postprocessors: one', "export { SimilarityPostprocessor } from '@x/postprocessors'", 12.8),
  all('postprocessors', 82),
  of('node-parser with micromark', "export { MarkdownElementNodeParser } from '@x/node-parser'", 56.05),
  of('node-parser: MarkdownNodeParser', "export { MarkdownNodeParser } from '@x/node-parser'", 42.85),
  of('node-parser: SentenceSplitter', "export { SentenceSplitter } from '@x/node-parser'", 20.25),
  of('node-parser: readBlocks', "export { readBlocks } from '@x/node-parser'", 21.7),
  all('node-parser', 71.05),
  of('retrieval: Bm25Retriever', "export { Bm25Retriever } from '@x/retrieval'", 23.05),
  all('retrieval', 36.45),
  all('retrieval/answer', 28.5),
  all('retrieval/indexeddb', 26.5),
  all('retrieval/tables', 7.35),
  inNode(all('testing', 16.45)),
  of('evaluate: evaluateRetriever', "export { evaluateRetriever } from '@x/evaluate'", 20.6),
  all('evaluate', 43.1),
  of('storage: SimpleDocumentStore', "export { SimpleDocumentStore } from '@x/storage'", 19),
  of('storage: IndexedDBDocumentStore', "export { IndexedDBDocumentStore } from '@x/storage/indexeddb'", 19.75),
  all('sqlite', 40.6),
  of('agents: ReAct agent with function tools', "export { ReActAgent, FunctionTool } from '@x/agents'", 84.5),
  of('agents: agent with native tool calls', "export { FunctionCallingAgent, FunctionTool } from '@x/agents'", 76),
  of(
    'agents: native tool calls, a Standard Schema',
    "export { FunctionCallingAgent, schemaTool } from '@x/agents'",
    70.65,
  ),
  of('agents/loop: toolLoop with a function tool', "export { toolLoop, FunctionTool } from '@x/agents/loop'", 26.35),
  of('agents/loop: toolLoop, a Standard Schema', "export { toolLoop, schemaTool } from '@x/agents/loop'", 21.1),
  of('agents/loop: reactLoop with a function tool', "export { reactLoop, FunctionTool } from '@x/agents/loop'", 32.65),
  of('chats: a route of a chat', "export { chatRoute, memoryChatStreams } from '@x/chats'", 30.05),
  of(
    'layers: toolLoop with all but helpers',
    `export { toolLoop } from '@x/agents/loop'
export { background, clearResults, cost, files, longTermMemory, offload, sandbox, skills, steer, todo } from '@x/layers'`,
    32.1,
  ),
  of('layers: toolLoop with all', "export { toolLoop } from '@x/agents/loop'; export * from '@x/layers'", 35.05),
  ...adapter('openai', { OpenAI: 3.5, OpenAIResponses: 3.55, OpenAIEmbedding: 3.5 }),
  ...adapter('ai-sdk', {
    AiSdkLLM: 3.6,
    AiSdkEmbedding: 3,
    toAiSdkModel: 3,
    toAiSdkRerankingModel: 3,
    'runUIMessages, uiMessageResponse': 4.05,
    chatHandler: 4.95,
  }),
  ...adapter('ai-sdk', { agUiHandler: 4.25 }, 'ag-ui'),
  ...adapter('readers', { '*': 4.25 }),
  ...adapter('readers', { '*': 3 }, 'docling'),
  ...adapter('langchain', {
    LangChainLLM: 3.3,
    LangChainEmbedding: 3,
    'LangChainRetriever, LangChainPostprocessor': 3,
    langChainTool: 3,
  }),
  ...adapter('langchain', { '*': 3 }, 'for-langchain'),
  ...adapter('dbos', { '*': 3.55 }),
  ...adapter('dbos', { '*': 4.45 }, 'client'),
  ...adapter('mcp', {
    mcpTools: 5.47,
    serveTools: 3.5,
    waitForUser: 3.5,
    askUser: 3.5,
    'mcpDocuments, mcpPrompts': 3.5,
  }),
  ...adapter('restate', {
    agentWorkflow: 3.4,
    agentSteps: 4.2,
    agentConversation: 1.3,
    ingestionWorkflow: 1.63,
    '*': 5.9,
  }).map(inNode),
  ...adapter('restate', { '*': 1.85 }, 'client'),
  ...adapter('opentelemetry', { '*': 3.7 }),
  inNode(of('create: createProject', "export { createProject } from '@x/create'", 5.25)),
  ...adapter('migrate', { run: 10.4 }).map(inNode),
  ...adapter('postgres', {
    openDatabase: 3.45,
    PostgresDocumentStore: 3.8,
    PostgresKeywordRetriever: 3.6,
    PostgresVectorRetriever: 3.5,
    PostgresChatStore: 3.75,
    PostgresTaskStore: 2.1,
    PostgresKeyValueStore: 1.2,
    PostgresAnswerCache: 0.7,
  }),
  ...adapter('lancedb', { '*': 3 }),
  ...adapter('redis', { RedisKeyValueStore: 1.9, RedisTaskStore: 1.4 }),
  ...adapter('rerank', { '*': 1.4 }),
  ...adapter('transformers', { TransformersEmbedding: 3.1, TransformersCrossEncoder: 3, TransformersNer: 3 }),
]

/** The descriptions of fields and models, in minified code. */
const description = /,?description:(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)/g

/** Imports of modules outside of a bundle, in minified code. */
const imports = /\bimport\s*(?:[\w$*{][^"';]*?\bfrom\s*)?"[^"]*";/g

const BUILT_IN = 'an import of a Node built-in'
/** Code that main entries must not contain. */
const forbidden: [what: string, pattern: RegExp][] = [
  ['eval', /\beval\s*\(/],
  ['new Function', /\bnew Function\b|\bFunction\s*\(/],
  [BUILT_IN, /\bfrom\s*["']node:|\bimport\s*\(\s*["']node:/],
]

/** The libraries that adapters connect. */
const others = ['@x/*', '@huggingface/*', '@langchain/*', '@opentelemetry/*', 'pg', 'rehype-*', 'remark-*', 'unified']

const isCurrent = (folder: string): boolean => {
  const args = [join(import.meta.dirname, 'assert-built.mjs'), '--current']
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' }).status === 0
}
// All are looked at, because a bundle contains what a package imports too. As a task of turbo, the builds are there.
const isTask = process.env['TURBO_HASH'] !== undefined
if (!isTask && packageFolders().filter((folder) => !isCurrent(folder)).length > 0) process.exit(1)

let failed = 0
for (const { what, code, budget, alone = false, inNode = false } of budgets) {
  const text = await bundle(code, import.meta.dirname, [...(alone ? others : []), ...(inNode ? ['node:*'] : [])])
  // An application's bundle has no imports of what an adapter connects, which esbuild repeats for each file, used or not.
  const measured = alone ? text.replace(imports, '') : text
  const size = gzipSize(measured)
  const described = size - gzipSize(measured.replace(description, ''))
  const refused = inNode ? forbidden.filter(([held]) => held !== BUILT_IN) : forbidden
  const found = refused.filter(([, pattern]) => pattern.test(text)).map(([code]) => code)
  const fits = size <= budget * (what.endsWith(': all') ? ROOM_OF_ALL : 1)
  if (!fits || found.length > 0) failed += 1
  const verdict = [fits ? 'ok' : 'over budget', ...found.map((code) => `contains ${code}`)].join(', ')
  console.log(
    `${what.padEnd(42)} ${(size / kB).toFixed(2).padStart(6)} kB of ${(budget / kB).toFixed(1).padStart(4)} kB  ${verdict}, descriptions ${(described / kB).toFixed(2)} kB`,
  )
}

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const compared = Object.values(inReadme).flat()
for (const [what, code] of compared) {
  const stated = Number(readme.split(`| ${what} | `)[1]?.split(' kB')[0])
  // As other libraries state theirs, and `npm run bench -- sizes` measures them: 1 kB is 1,000 bytes.
  const size = gzipSize(await bundle(code, import.meta.dirname)) / 1000
  const fits = Math.abs(size - stated) <= 1
  if (!fits) failed += 1
  console.log(
    `README: ${what.padEnd(34)} ${size.toFixed(2).padStart(6)} kB, stated ${stated} kB  ${fits ? 'ok' : 'differs'}`,
  )
}
const checks = budgets.length + compared.length
console.log(`${checks - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
