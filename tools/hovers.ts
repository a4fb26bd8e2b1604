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

/** The language server, spoken to over its standard input and output. */
class LanguageServer {
  readonly #process
  readonly #waiting = new Map<number, (result: unknown) => void>()
  #received = Buffer.alloc(0)
  #id = 0

  constructor(root: string) {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
    this.#process = spawn(process.execPath, [tsc, '--lsp', '--stdio'], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] })
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.subarray(0, end).toString())?.[1])
      if (end < 0 || this.#received.length < end + 4 + length) return
      const message = JSON.parse(this.#received.subarray(end + 4, end + 4 + length).toString())
      this.#received = this.#received.subarray(end + 4 + length)
      // The server asks for settings too; none are set.
      if (message.method !== undefined && message.id !== undefined) this.#write({ id: message.id, result: null })
      else this.#waiting.get(message.id)?.(message.result)
    }
  }

  #write(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  notify(method: string, params: object): void {
    this.#write({ method, params })
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#id
    this.#write({ id, method, params })
    return new Promise((resolve) => this.#waiting.set(id, resolve))
  }

  stop(): void {
    this.#process.kill()
  }
}

const folder = realpathSync(mkdtempSync(join(import.meta.dirname, '.hovers-')))
const server = new LanguageServer(folder)
let failed = 0
try {
  const options = { target: 'es2022', module: 'nodenext', strict: true, types: [], noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const rootUri = pathToFileURL(folder).href
  await server.ask('initialize', {
    processId: process.pid,
    rootUri,
    capabilities: { textDocument: { hover: { contentFormat: ['markdown'] } } },
  })
  server.notify('initialized', {})
  for (const [index, [statement, shown]] of hovers.entries()) {
    const at = statement.indexOf('|')
    const lines = statement.slice(0, at).split('\n')
    const uri = `${rootUri}/hover-${index}.ts`
    const text = statement.replace('|', '')
    writeFileSync(join(folder, `hover-${index}.ts`), text)
    server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'typescript', version: 1, text } })
    const position = { line: lines.length - 1, character: lines.at(-1)!.length }
    const result = (await server.ask('textDocument/hover', { textDocument: { uri }, position })) as {
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
  server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`hovers: ${hovers.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
