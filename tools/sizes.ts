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
import { bundle, gzipSize } from './bundle.ts'
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

/** The budget of an adapter without the library that it connects. */
function adapter(name: string, exported: string, budget: number, entry = 'index'): Budget {
  const what = `${name}${entry === 'index' ? '' : `/${entry}`}: ${exported === '*' ? 'all' : exported}`
  const path = `../packages/integrations/${name}/dist/${entry}.js`
  const code = `export ${exported === '*' ? '*' : `{ ${exported} }`} from '${path}'`
  return { what, code, budget: budget * kB, alone: true }
}

const kB = 1024
/** A package as a whole may grow by this factor before its budget is raised: a new part of it does not begin with a budget. */
const ROOM_OF_ALL = 1.02
/** Slightly above the measured sizes; raised by the rules of docs/decisions/0003-size-budgets.md. */
const budgets: Budget[] = [
  { what: 'core: Model', code: "export { Model } from '@x/core'", budget: 6.5 * kB },
  { what: 'core-model: Model', code: "export { Model } from '@x/core-model'", budget: 6.5 * kB },
  {
    what: 'core: an own model of one field',
    code: `import { Model } from '@x/core'
import { fields, string } from '@x/core/fields'
export class Shelf extends fields(Model, 'Shelf', { label: string({ pattern: '^[A-Z]' }) }) {}`,
    budget: 8.85 * kB,
  },
  {
    what: 'core: an own model that nobody uses',
    code: `import { Model } from '@x/core'
import { fields, string } from '@x/core/fields'
class Shelf extends /* @__PURE__ */ fields(Model, 'Shelf', { label: /* @__PURE__ */ string() }) {}
export const other = 1`,
    budget: 0.1 * kB,
  },
  {
    what: 'core-model: ChatMessage',
    code: "export { ChatMessage } from '@x/core-model'",
    budget: 9.1 * kB,
  },
  {
    what: 'prompts: text and chat templates',
    code: "export { PromptTemplate, ChatPromptTemplate } from '@x/prompts'",
    budget: 14.5 * kB,
  },
  { what: 'prompts/rich: all', code: "export * from '@x/prompts/rich'", budget: 22.3 * kB },
  {
    what: 'postprocessors: one',
    code: "export { SimilarityPostprocessor } from '@x/postprocessors'",
    budget: 12.1 * kB,
  },
  {
    what: 'postprocessors: all',
    code: "export * from '@x/postprocessors'",
    budget: 79.8 * kB,
  },
  {
    what: 'node-parser with micromark',
    code: "export { MarkdownElementNodeParser } from '@x/node-parser'",
    budget: 54.4 * kB,
  },
  {
    what: 'node-parser: MarkdownNodeParser',
    code: "export { MarkdownNodeParser } from '@x/node-parser'",
    budget: 41.4 * kB,
  },
  {
    what: 'node-parser: SentenceSplitter',
    code: "export { SentenceSplitter } from '@x/node-parser'",
    budget: 19.1 * kB,
  },
  {
    what: 'node-parser: readBlocks',
    code: "export { readBlocks } from '@x/node-parser'",
    budget: 20.4 * kB,
  },
  {
    what: 'node-parser: all',
    code: "export * from '@x/node-parser'",
    budget: 69.5 * kB,
  },
  {
    what: 'retrieval: Bm25Retriever',
    code: "export { Bm25Retriever } from '@x/retrieval'",
    budget: 22.05 * kB,
  },
  {
    what: 'retrieval: all',
    code: "export * from '@x/retrieval'",
    budget: 34.75 * kB,
  },
  { what: 'retrieval/answer: all', code: "export * from '@x/retrieval/answer'", budget: 23.25 * kB },
  { what: 'retrieval/indexeddb: all', code: "export * from '@x/retrieval/indexeddb'", budget: 25.3 * kB },
  {
    what: 'retrieval/tables: all',
    code: "export * from '@x/retrieval/tables'",
    budget: 7.15 * kB,
  },
  { what: 'testing: all', code: "export * from '@x/testing'", budget: 16 * kB, inNode: true },
  {
    what: 'evaluate: evaluateRetriever',
    code: "export { evaluateRetriever } from '@x/evaluate'",
    budget: 19.7 * kB,
  },
  {
    what: 'evaluate: all',
    code: "export * from '@x/evaluate'",
    budget: 42.2 * kB,
  },
  {
    what: 'storage: SimpleDocumentStore',
    code: "export { SimpleDocumentStore } from '@x/storage'",
    budget: 17.8 * kB,
  },
  {
    what: 'storage: IndexedDBDocumentStore',
    code: "export { IndexedDBDocumentStore } from '@x/storage/indexeddb'",
    budget: 18.1 * kB,
  },
  {
    what: 'sqlite: all',
    code: "export * from '@x/sqlite'",
    budget: 38 * kB,
  },
  {
    what: 'agents: ReAct agent with function tools',
    code: "export { ReActAgent, FunctionTool } from '@x/agents'",
    budget: 77.95 * kB,
  },
  {
    what: 'agents: agent with native tool calls',
    code: "export { FunctionCallingAgent, FunctionTool } from '@x/agents'",
    budget: 70.35 * kB,
  },
  {
    what: 'agents: native tool calls, a Standard Schema',
    code: "export { FunctionCallingAgent, schemaTool } from '@x/agents'",
    budget: 65.05 * kB,
  },
  {
    what: 'agents/loop: toolLoop with a function tool',
    code: "export { toolLoop, FunctionTool } from '@x/agents/loop'",
    budget: 24.95 * kB,
  },
  {
    what: 'agents/loop: toolLoop, a Standard Schema',
    code: "export { toolLoop, schemaTool } from '@x/agents/loop'",
    budget: 19.65 * kB,
  },
  {
    what: 'agents/loop: reactLoop with a function tool',
    code: "export { reactLoop, FunctionTool } from '@x/agents/loop'",
    budget: 30.75 * kB,
  },
  {
    what: 'chats: a route of a chat',
    code: "export { chatRoute, memoryChatStreams } from '@x/chats'",
    budget: 25.85 * kB,
  },
  {
    what: 'layers: toolLoop with all but helpers',
    code: `export { toolLoop } from '@x/agents/loop'
export { background, clearResults, cost, files, longTermMemory, offload, sandbox, skills, steer, todo } from '@x/layers'`,
    budget: 29.55 * kB,
  },
  {
    what: 'layers: toolLoop with all',
    code: "export { toolLoop } from '@x/agents/loop'; export * from '@x/layers'",
    budget: 32.5 * kB,
  },
  adapter('openai', 'OpenAI', 3.5),
  adapter('openai', 'OpenAIResponses', 3.5),
  adapter('openai', 'OpenAIEmbedding', 3.5),
  adapter('ai-sdk', 'AiSdkLLM', 3.6),
  adapter('ai-sdk', 'AiSdkEmbedding', 3),
  adapter('ai-sdk', 'toAiSdkModel', 3),
  adapter('ai-sdk', 'toAiSdkRerankingModel', 3),
  adapter('ai-sdk', 'runUIMessages, uiMessageResponse', 3.45),
  adapter('ai-sdk', 'chatHandler', 4.5),
  adapter('ai-sdk', 'agUiHandler', 3.85, 'ag-ui'),
  adapter('readers', '*', 3.4),
  adapter('readers', '*', 3, 'docling'),
  adapter('langchain', 'LangChainLLM', 3.3),
  adapter('langchain', 'LangChainEmbedding', 3),
  adapter('langchain', 'LangChainRetriever, LangChainPostprocessor', 3),
  adapter('langchain', 'langChainTool', 3),
  adapter('langchain', '*', 3, 'for-langchain'),
  adapter('dbos', '*', 3.5),
  adapter('dbos', '*', 4.15, 'client'),
  adapter('mcp', 'mcpTools', 5.2),
  adapter('mcp', 'serveTools', 3.5),
  adapter('mcp', 'waitForUser', 3.5),
  adapter('mcp', 'askUser', 3.5),
  adapter('mcp', 'mcpDocuments, mcpPrompts', 3.5),
  { ...adapter('restate', 'agentWorkflow', 3.07), inNode: true },
  { ...adapter('restate', 'agentSteps', 4.01), inNode: true },
  { ...adapter('restate', 'agentConversation', 1.3), inNode: true },
  { ...adapter('restate', 'ingestionWorkflow', 1.63), inNode: true },
  { ...adapter('restate', '*', 5.45), inNode: true },
  adapter('restate', '*', 1.7, 'client'),
  adapter('opentelemetry', '*', 3.7),
  { what: 'create: createProject', code: "export { createProject } from '@x/create'", budget: 5.2 * kB, inNode: true },
  { ...adapter('migrate', 'run', 10.4), inNode: true },
  adapter('postgres', 'openDatabase', 3.45),
  adapter('postgres', 'PostgresDocumentStore', 3.8),
  adapter('postgres', 'PostgresKeywordRetriever', 3.6),
  adapter('postgres', 'PostgresVectorRetriever', 3.5),
  adapter('postgres', 'PostgresChatStore', 3.55),
  adapter('postgres', 'PostgresTaskStore', 2.01),
  adapter('postgres', 'PostgresKeyValueStore', 1.2),
  adapter('postgres', 'PostgresAnswerCache', 0.7),
  adapter('lancedb', '*', 3),
  adapter('redis', 'RedisKeyValueStore', 1.9),
  adapter('redis', 'RedisTaskStore', 1.4),
  adapter('rerank', '*', 1.4),
  adapter('transformers', 'TransformersEmbedding', 3.1),
  adapter('transformers', 'TransformersCrossEncoder', 3),
  adapter('transformers', 'TransformersNer', 3),
]

/** The adapter of OpenAI, as an application needs it. */
const openai = "\nexport { OpenAI } from '@x/openai'"

/** The sizes that the README compares with those of other libraries; `npm run bench -- sizes --write` writes all of them. */
const inReadme: [what: string, code: string][] = [
  [
    '`@x/agents/loop`: `toolLoop`, other features as values',
    `export { toolLoop, FunctionTool } from '@x/agents/loop'${openai}`,
  ],
  ['`@x/agents`: `FunctionCallingAgent`', `export { FunctionCallingAgent, FunctionTool } from '@x/agents'${openai}`],
  ['`@x/agents`: `ReActAgent`', `export { ReActAgent, FunctionTool } from '@x/agents'${openai}`],
  ['`@x/prompts`: `PromptTemplate`', "export { PromptTemplate } from '@x/prompts'"],
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
for (const [what, code] of inReadme) {
  const stated = Number(readme.split(`| ${what} | `)[1]?.split(' kB')[0])
  // As other libraries state theirs, and `npm run bench -- sizes` measures them: 1 kB is 1,000 bytes.
  const size = gzipSize(await bundle(code, import.meta.dirname)) / 1000
  const fits = Math.abs(size - stated) <= 1
  if (!fits) failed += 1
  console.log(
    `README: ${what.padEnd(34)} ${size.toFixed(2).padStart(6)} kB, stated ${stated} kB  ${fits ? 'ok' : 'differs'}`,
  )
}
const checks = budgets.length + inReadme.length
console.log(`${checks - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
