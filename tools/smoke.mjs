/**
 * Refuses built packages that do not load in the Node that runs this file, as users have it: by `import`, by `require`, and with a
 * first call; and classes that are not named like their export. Plain JavaScript, because it also runs on Node 20.
 *
 * @example node tools/smoke.mjs
 * @example node smoke.mjs node_modules/@x   (a copy in a project that installed the packages)
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const packages = process.argv[2] ?? join(import.meta.dirname, '..', 'packages')
let passed = 0
let failed = 0

async function check(what, fn) {
  try {
    await fn()
    passed += 1
  } catch (error) {
    failed += 1
    console.log(`  ${what}: ${error.message}`)
  }
}

/** Whether this Node is at least the one of `>=22.18`: commands for development may need a newer one than the libraries. */
function runsHere(range) {
  const [major, minor = 0] = range.slice(2).split('.').map(Number)
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)
  return ourMajor > major || (ourMajor === major && ourMinor >= minor)
}

const manifests = readdirSync(packages)
  .flatMap((folder) =>
    folder === 'integrations' ? readdirSync(join(packages, folder)).map((name) => join(folder, name)) : folder,
  )
  .map((folder) => join(packages, folder, 'package.json'))
for (const path of manifests.filter((path) => existsSync(path))) {
  const { name, exports, engines } = JSON.parse(readFileSync(path, 'utf8'))
  if (!runsHere(engines.node)) continue
  for (const entry of Object.keys(exports).filter((key) => !key.endsWith('.json'))) {
    const specifier = name + entry.slice(1)
    await check(`import ${specifier}`, async () => {
      const imported = await import(specifier)
      assert(Object.keys(imported).length > 0, 'exports nothing')
      assert.deepEqual(
        Object.keys(require(specifier)).sort(),
        Object.keys(imported).sort(),
        'require returns different names',
      )
      for (const value of Object.values(imported))
        if (typeof value === 'function' && /^class\b/.test(`${value}`)) assert.equal(imported[value.name], value)
    })
  }
}

await check('a prompt', async () => {
  const { PromptTemplate } = await import('@x/prompts')
  assert.equal(new PromptTemplate({ template: 'Hello {name}' }).format({ name: 'Ada' }), 'Hello Ada')
})
await check('a postprocessor', async () => {
  const { NodeWithScore, TextNode } = await import('@x/core-model')
  const { SimilarityPostprocessor } = await import('@x/postprocessors')
  const nodes = [0.9, 0.1].map((score) => new NodeWithScore({ node: new TextNode({ text: 'a' }), score }))
  assert.equal((await new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes(nodes)).length, 1)
})
await check('a heading that micromark reads', async () => {
  const { Document } = await import('@x/core-model')
  const { MarkdownNodeParser } = await import('@x/node-parser')
  const text = '[a]: /b\n===\n\n[A] *b* &amp; `c`\n---\n'
  const [, node] = await new MarkdownNodeParser().getNodesFromDocuments([new Document({ text })])
  assert.deepEqual(node.metadata, { Header_2: 'A b & c' })
})
await check('an agent with a tool, saved and taken up', async () => {
  const { AgentRunner, FunctionTool, journal, ReActAgent } = await import('@x/agents')
  const { ScriptedLLM } = await import('@x/llm/testing')
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
  const tools = [FunctionTool.fromDefaults({ name: 'twice', schema, fn: ({ a }) => 2 * a })]
  const agentFor = (...answers) =>
    ReActAgent.fromTools({ llm: new ScriptedLLM({ answers }), tools, taskStore: journal() })
  const first = agentFor('Thought: double\nAction: twice\nAction Input: {"a": 21}')
  assert(first instanceof AgentRunner)
  const { taskId } = await first.createTask('How much is 2 * 21?')
  await first.runStep(taskId)
  const second = agentFor('Thought: done\nAnswer: 42')
  await second.loadTask(JSON.parse(JSON.stringify(first.saveTask(taskId))))
  const answer = await second.runTask(taskId)
  assert.deepEqual([String(answer), answer.sources.map(String)], ['42', ['42']])
})
await check('a query pipeline', async () => {
  const { FnComponent, QueryPipeline } = await import('@x/query-pipeline')
  const add = () => new FnComponent({ fn: ({ x }) => x + 1, params: { required: ['x'] } })
  assert.equal(await new QueryPipeline({ chain: [add(), add()] }).run(1), 3)
})
await check('a search', async () => {
  const { TextNode } = await import('@x/core-model')
  const { Bm25Retriever } = await import('@x/retrieval')
  const nodes = ['green tea', 'black coffee'].map((text) => new TextNode({ text }))
  const [found] = await new Bm25Retriever({ nodes }).retrieve('coffee')
  assert.equal(found.node.text, 'black coffee')
})
console.log(`Node ${process.version}: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
