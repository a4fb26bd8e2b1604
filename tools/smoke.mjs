/**
 * Refuses built packages that do not load in the Node that runs this file, as users have it: by `import`, by `require`, and with a
 * first call. Plain JavaScript, because it also runs on Node 20.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const packages = join(import.meta.dirname, '..', 'packages')
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

for (const folder of readdirSync(packages)) {
  const { name, exports } = JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'))
  for (const entry of Object.keys(exports).filter((key) => !key.endsWith('.json'))) {
    const specifier = name + entry.slice(1)
    await check(`import ${specifier}`, async () => {
      const imported = await import(specifier)
      assert(Object.keys(imported).length > 0, 'exports nothing')
      assert.deepEqual(
        Object.keys(require(specifier)).sort(),
        Object.keys(imported).sort(),
        'require gives other names',
      )
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
console.log(`Node ${process.version}: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
