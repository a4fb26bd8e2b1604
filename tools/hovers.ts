/**
 * Refuses built packages whose documentation editors do not show: at `new X(`, at a field of an instance, and at an option. Asks the
 * language server of TypeScript, as an editor does, about a program over the declarations in `dist`.
 *
 * @example node tools/hovers.ts
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageConnection } from 'vscode-jsonrpc/node'

/** A statement with `|` before the word that is hovered over, and a part of the text that has to be shown. */
const hovers: [statement: string, shown: string][] = [
  [
    "import { SimilarityPostprocessor } from '@x/postprocessors'\nexport const a = new |SimilarityPostprocessor({})",
    'Keeps the nodes',
  ],
  [
    "import { SimilarityPostprocessor } from '@x/postprocessors'\nexport const a = new SimilarityPostprocessor({ |similarityCutoff: 0.7 })",
    'The lowest score that is kept',
  ],
  [
    "import { SimilarityPostprocessor } from '@x/postprocessors'\nexport const a = new SimilarityPostprocessor({}).|similarityCutoff",
    'The lowest score that is kept',
  ],
  ["import { LLMRerank } from '@x/postprocessors'\nexport const a = |LLMRerank", 'model'],
  ["import { TextNode } from '@x/core-model'\nexport const a = new |TextNode({ text: 'a' })", 'A piece of text'],
  [
    "import { TextNode } from '@x/core-model'\nexport const a = new TextNode({ text: 'a' }).|metadata",
    'JSON values by key',
  ],
  [
    "import { ChatMessage } from '@x/core-model'\nexport const a = new |ChatMessage({ content: 'a' })",
    'One message of a chat',
  ],
  ["import { PromptTemplate } from '@x/prompts'\nexport const a = new |PromptTemplate('{a}')", 'template'],
  [
    "import { MarkdownElementNodeParser } from '@x/node-parser'\nexport const a = (b: ConstructorParameters<typeof MarkdownElementNodeParser>[0]) => new |MarkdownElementNodeParser(b)",
    'Markdown',
  ],
  ["import { ReActAgent } from '@x/agents'\nexport const a = |ReActAgent", 'agent'],
  ["import { FunctionTool } from '@x/agents'\nexport const a = |FunctionTool", 'function'],
  [
    "import { Bm25Retriever } from '@x/retrieval'\nexport const a = (b: ConstructorParameters<typeof Bm25Retriever>[0]) => new |Bm25Retriever(b)",
    'nodes',
  ],
  ["import { SimpleDocumentStore } from '@x/storage'\nexport const a = new |SimpleDocumentStore()", 'store'],
]

const folder = realpathSync(mkdtempSync(join(import.meta.dirname, '.hovers-')))
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] })
const connection = createMessageConnection(server.stdout, server.stdin)
// The server asks for settings too; none are set.
connection.onRequest(() => null)
connection.listen()
let failed = 0
try {
  const options = { target: 'es2022', module: 'nodenext', strict: true, types: [], noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const rootUri = pathToFileURL(folder).href
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  await connection.sendNotification('initialized', {})
  for (const [index, [statement, shown]] of hovers.entries()) {
    const at = statement.indexOf('|')
    const lines = statement.slice(0, at).split('\n')
    const uri = `${rootUri}/hover-${index}.ts`
    const text = statement.replace('|', '')
    writeFileSync(join(folder, `hover-${index}.ts`), text)
    const textDocument = { uri, languageId: 'typescript', version: 1, text }
    await connection.sendNotification('textDocument/didOpen', { textDocument })
    const position = { line: lines.length - 1, character: lines.at(-1)!.length }
    const result = (await connection.sendRequest('textDocument/hover', { textDocument: { uri }, position })) as {
      contents: { value: string }
    } | null
    // Without the declaration, which contains the names of options.
    const documentation = (result?.contents.value ?? '').replace(/```[\s\S]*?```/, '')
    if (documentation.includes(shown)) continue
    failed += 1
    console.log(
      `${statement.split('\n')[1]}: expected documentation with "${shown}", received:\n${result?.contents.value ?? 'nothing'}`,
    )
  }
} finally {
  connection.dispose()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`hovers: ${hovers.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
