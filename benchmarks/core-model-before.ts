/**
 * Compares the speed of models with that at an earlier commit: constructing, writing and reading each class that both have.
 * Both are bundled from their sources and measured by turns, each in its own processes; the best time of each counts.
 * Exits with 1 when constructing or reading the classes of `npm run bench -- core-model` takes longer than before.
 *
 * @example npm run bench -- core-model-before
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The first complete state. */
const BEFORE = '6cf7c5a'
const PROCESSES = 6
const ROUNDS = 100
/** Each round of a case takes about so long. */
const ROUND_MS = 0.2
/** Noise that remains in the sums of best times. */
const NOISE = 1.02

interface AnyModel {
  toDict(): object
  toJson(): string
  copy(): AnyModel
}

interface AnyClass {
  new (options: object): AnyModel
  spec(): { fields: object }
  fromDict(data: object, overrides?: object, options?: object): AnyModel
  fromJson(text: string, overrides?: object, options?: object): AnyModel
}

type Packages = Readonly<Record<string, AnyClass>>

/** The classes that `core-model` measures. */
const eight = [
  'ChatMessage',
  'ChatResponse',
  'CompletionResponse',
  'ToolOutput',
  'TextNode',
  'RelatedNodeInfo',
  'NodeWithScore',
  'QueryBundle',
]

/** Live objects, for fields that data cannot contain. */
function liveObjects(packages: Packages): Record<string, object> {
  class Embedding extends (packages['BaseEmbedding']!) {}
  class Model extends (packages['CustomLLM']!) {}
  class Memory {
    get() {}
    getAll() {}
    put() {}
    set() {}
    reset() {}
    toDict = () => ({ class_name: 'Own' })
  }
  return {
    llm: new Model({}),
    embedModel: new Embedding({}),
    memory: new Memory(),
    docstore: Object.assign(new Memory(), { getNode() {}, getNodes() {}, getDocument() {} }),
    ner: async () => [],
    crossEncoder: { predict: async () => [] },
  }
}

/** The options of each case, by the name of the class and what is special about the case. */
type Cases = Record<string, () => object>

function coreCases(packages: Packages): Cases {
  const message = new packages['ChatMessage']!({ role: 'user', content: 'What is 1 + 2?' })
  const node = new packages['TextNode']!({ id: 'a', text: 'Paris is in France.' })
  return {
    ChatMessage: () => ({ role: 'user', content: 'What is 1 + 2?' }),
    'ChatMessage with a tool call': () => ({
      role: 'assistant',
      content: null,
      additionalKwargs: {
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'add', arguments: '{"a":1}' } }],
      },
    }),
    'ChatMessage with parts': () => ({
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'a.png' } },
      ],
    }),
    ChatResponse: () => ({ message }),
    CompletionResponse: () => ({ text: 'It is 3.' }),
    ToolOutput: () => ({ content: '3', toolName: 'add', rawInput: { a: 1, b: 2 }, rawOutput: 3, isError: false }),
    TextNode: () => ({ id: 'a', text: 'Paris is in France.', metadata: { page: 3 } }),
    'TextNode with sixteen entries': () => ({
      id: 'a',
      text: 'Paris is in France.',
      metadata: {
        ...{ file: 'a.md', page: 3, title: 'Paris', section: 'Intro', tags: 'a', author: 'Ann', lang: 'en', size: 12 },
        ...{ created: '2024-01-01', updated: null, score: 0.5, draft: false, parent: 'b', links: 3, rank: 1, by: 'me' },
      },
    }),
    'TextNode with nested entries': () => ({
      id: 'a',
      text: 'Paris is in France.',
      metadata: {
        ...{ file: 'a.md', page: 3, title: 'Paris', section: 'Intro', tags: ['a', 'b', 'c'], lang: 'en', size: 1200 },
        ...{ author: { name: 'Ann', mail: 'a@b.c' }, created: '2024-01-01', updated: null, score: 0.5, draft: false },
        ...{ links: [{ href: 'x' }, { href: 'y' }], stats: { words: 10, by: { a: 1 } }, source: 'web', rank: 1 },
      },
    }),
    RelatedNodeInfo: () => ({ nodeId: 'a', hash: 'f00' }),
    NodeWithScore: () => ({ node, score: 0.5 }),
    QueryBundle: () => ({ queryStr: 'Where is Paris?' }),
    Document: () => ({ id: 'a', text: 'Paris is in France.', metadata: { page: 3 } }),
    ImageNode: () => ({ id: 'a', text: '', imageUrl: 'https://a/b.png' }),
    IndexNode: () => ({ id: 'a', text: 'Paris', indexId: 'b' }),
    LLMMetadata: () => ({ contextWindow: 4096, modelName: 'a' }),
  }
}

function otherCases(packages: Packages, live: Record<string, object>): Cases {
  const { llm, embedModel, memory, docstore, ner, crossEncoder } = live
  const message = new packages['ChatMessage']!({ role: 'user', content: 'What is 1 + 2?' })
  const prompt = new packages['PromptTemplate']!({ template: 'Hello {name}' })
  const filter = new packages['SimilarityPostprocessor']!({})
  return {
    PromptTemplate: () => ({ template: 'Hello {name}, this is {place}.' }),
    ChatPromptTemplate: () => ({ messageTemplates: [message] }),
    SelectorPromptTemplate: () => ({ defaultTemplate: prompt }),
    AutoPrevNextNodePostprocessor: () => ({ docstore, llm }),
    Deduplicate: () => ({ by: 'hash' }),
    DocumentGrouping: () => ({ groupKey: 'a' }),
    EmbeddingRecencyPostprocessor: () => ({ embedModel, similarityCutoff: 0.5 }),
    FixedRecencyPostprocessor: () => ({ topK: 3 }),
    KeywordNodePostprocessor: () => ({ requiredKeywords: ['a', 'b'] }),
    LLMRerank: () => ({ llm, topN: 3 }),
    LongContextReorder: () => ({}),
    MaximalMarginalRelevance: () => ({ topN: 3 }),
    MetadataReplacementPostProcessor: () => ({ targetMetadataKey: 'window' }),
    NERPIINodePostprocessor: () => ({ ner }),
    PIINodePostprocessor: () => ({ llm }),
    PostprocessorPipeline: () => ({ postprocessors: [filter] }),
    PrevNextNodePostprocessor: () => ({ docstore, numNodes: 2, mode: 'both' }),
    RankFusion: () => ({ rankers: [filter] }),
    ReActChatFormatter: () => ({ context: 'a' }),
    SentenceEmbeddingOptimizer: () => ({ embedModel, percentileCutoff: 0.5 }),
    SentenceTransformerRerank: () => ({ crossEncoder, topN: 2 }),
    SimilarityPostprocessor: () => ({ similarityCutoff: 0.5 }),
    Task: () => ({ taskId: 'a', input: 'a', memory }),
    TimeWeightedPostprocessor: () => ({ timeDecay: 0.9, now: 1000 }),
    TokenBudget: () => ({ maxTokens: 100 }),
  }
}

let last: unknown

/** Prints the best time of each operation of each case, in nanoseconds, as JSON. */
async function measure(bundle: string): Promise<void> {
  const packages: Packages = await import(bundle)
  const live = liveObjects(packages)
  const { ClassRegistry, SimilarityPostprocessor } = packages as Record<string, new (classes: unknown) => object>
  const registry = new ClassRegistry!([SimilarityPostprocessor, packages['TextNode'], packages['PromptTemplate']])
  const runs = Object.entries({ ...coreCases(packages), ...otherCases(packages, live) }).flatMap(([name, options]) => {
    const modelClass = packages[name.split(' ')[0]!]!
    const model = new modelClass(options())
    const overrides = Object.fromEntries(Object.entries(live).filter(([key]) => key in modelClass.spec().fields))
    const [dict, text] = [model.toDict(), model.toJson()]
    const operations: [string, () => unknown][] = [
      ['construct', () => new modelClass(options())],
      ['fromDict', () => modelClass.fromDict(dict, overrides, { registry })],
      ['fromJson', () => modelClass.fromJson(text, overrides, { registry })],
      ['toDict', () => model.toDict()],
      ['toJson', () => model.toJson()],
      ['copy', () => model.copy()],
    ]
    return operations.map(([operation, run]) => ({ name: `${operation} ${name}`, run, count: 100, best: Infinity }))
  })
  for (let round = -8; round < ROUNDS; round++)
    for (const entry of runs) {
      const start = performance.now()
      for (let i = 0; i < entry.count; i++) last = entry.run()
      const time = ((performance.now() - start) * 1e6) / entry.count
      if (round >= 0) entry.best = Math.min(entry.best, time)
      else entry.count = Math.max(50, Math.round((ROUND_MS * 1e6) / time))
    }
  console.log(JSON.stringify(Object.fromEntries(runs.map(({ name, best }) => [name, best]))))
}

const root = join(import.meta.dirname, '..')

/** Bundles the packages in a folder. */
async function bundle(folder: string, outfile: string): Promise<void> {
  const { build } = createRequire(join(root, 'tools', 'package.json'))('esbuild') as typeof import('esbuild')
  const names = ['core-model', 'prompts', 'postprocessors', 'agents']
  const sources = {
    name: 'sources',
    setup(made: import('esbuild').PluginBuild) {
      made.onResolve({ filter: /^@x\// }, ({ path }) => {
        const [, name, entry = 'index'] = path.split('/')
        return { path: join(folder, 'packages', name!, 'src', `${entry}.ts`) }
      })
    },
  }
  const contents = names.map((name) => `export * from '@x/${name}'`).join('\n')
  await build({
    stdin: { contents, resolveDir: folder },
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
    plugins: [sources],
  })
}

/** Prints the times of both, worst ratio first. Returns the ratios of constructing and of reading the eight classes. */
function compare(before: Record<string, number>, now: Record<string, number>): number[] {
  const names = Object.keys(now).sort((a, b) => now[b]! / before[b]! - now[a]! / before[a]!)
  console.log(`nanoseconds at ${BEFORE} and now, best of ${PROCESSES} processes with ${ROUNDS} rounds each`)
  for (const name of names)
    console.log(
      `${name.padEnd(46)}${before[name]!.toFixed(0).padStart(7)}${now[name]!.toFixed(0).padStart(7)}${(now[name]! / before[name]!).toFixed(2).padStart(7)}`,
    )
  return ['construct', 'fromDict', 'fromJson'].map((operation) => {
    const sum = (times: Record<string, number>) => eight.reduce((all, name) => all + times[`${operation} ${name}`]!, 0)
    const ratio = sum(now) / sum(before)
    console.log(`${operation}, the eight classes of core-model: ${ratio.toFixed(2)} times as long as at ${BEFORE}`)
    return ratio
  })
}

if (process.env['X_BUNDLE']) await measure(process.env['X_BUNDLE'])
else {
  const folder = mkdtempSync(join(tmpdir(), 'core-model-before-'))
  try {
    const archive = execFileSync('git', ['archive', BEFORE, 'packages'], { cwd: root, maxBuffer: 2 ** 28 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const files = [join(folder, 'before.mjs'), join(folder, 'now.mjs')]
    await bundle(folder, files[0]!)
    await bundle(root, files[1]!)
    const best: Record<string, number>[] = [{}, {}]
    for (let index = 0; index < 2 * PROCESSES; index++) {
      const which = (index + (index >> 1)) % 2
      const env = { ...process.env, X_BUNDLE: pathToFileURL(files[which]!).href }
      const { stdout } = spawnSync(process.execPath, [import.meta.filename], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const times: Record<string, number> = JSON.parse(stdout)
      for (const [name, time] of Object.entries(times))
        best[which]![name] = Math.min(time, best[which]![name] ?? Number.POSITIVE_INFINITY)
    }
    if (compare(best[0]!, best[1]!).some((ratio) => ratio > NOISE)) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}
if (last === null) console.log(last)
