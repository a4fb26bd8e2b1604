/**
 * The tests of the package, the example or the tools in whose folder Vitest is started: what differs between them is here, everything else
 * in `tools/vitest.ts`. The scripts of the packages name this file, and `tools/with-toolchain.mjs` names it for `vitest` without `--config`.
 */
import { basename, join } from 'node:path'
import { guideDocuments } from './tools/doc-examples.ts'
import { type PackageTestOptions, packageTests, toolTests } from './tools/vitest.ts'

/** The lowest percentage of the lines of `src` that the tests cover, if it is not 95. */
const linesCovered: Readonly<Record<string, number>> = {
  agents: 96,
  'ai-sdk': 96,
  ask: 96,
  // The rest of the route is tested by the clients of `@x/ai-sdk`.
  chats: 88,
  codegen: 98,
  core: 98,
  'core-model': 97,
  dbos: 99,
  devtools: 90,
  // The workers are processes of their own, which are not counted.
  'ingest-cluster': 60,
  lancedb: 98,
  langchain: 98,
  llm: 97,
  mcp: 99,
  'node-parser': 99,
  openai: 98,
  opentelemetry: 99,
  postgres: 99,
  postprocessors: 98,
  prompts: 99,
  'query-pipeline': 98,
  readers: 98,
  redis: 99,
  rerank: 98,
  restate: 98,
  retrieval: 98,
  sqlite: 98,
  storage: 97,
  transformers: 99,
}

/** The guides whose examples connect to the database of `postgres-server.ts`. */
const systemDocuments = ['persist', 'ingest-with-many-workers', 'deploy'].map((name) => `../../docs/guides/${name}.md`)
const postgres = join(import.meta.dirname, 'tools', 'postgres-server.ts')

const more: Readonly<Record<string, Partial<PackageTestOptions>>> = {
  core: { withoutEval: true },
  'core-model': { withoutEval: true },
  llm: { withoutEval: true },
  'ai-sdk': { maxWorkers: 2 },
  durable: { maxWorkers: 2 },
  restate: { maxWorkers: 2 },
  testing: { maxWorkers: 2 },
  // Their tests start processes again and again.
  dbos: { testTimeout: 180_000, maxWorkers: 2 },
  'ingest-cluster': { testTimeout: 120_000 },
  guides: {
    // A model at its public address is refused without a key; `public-model.ts` answers its requests.
    env: { OPENAI_API_KEY: 'sk-example' },
    setupFiles: ['./public-model.ts'],
    documents: guideDocuments().filter((path) => !systemDocuments.includes(path)),
    systemDocuments,
    globalSetup: [postgres],
  },
  postgres: { testTimeout: 180_000, maxWorkers: 2, globalSetup: [postgres] },
  redis: { globalSetup: ['./test/redis-server.ts'] },
}

const name = basename(process.cwd())
const isExample = basename(join(process.cwd(), '..')) === 'examples'

export default name === 'tools'
  ? toolTests()
  : packageTests({ linesCovered: linesCovered[name] ?? (isExample ? 0 : 95), ...more[name] })
