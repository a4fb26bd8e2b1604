#!/usr/bin/env node
/**
 * Serves the pages until standard input ends.
 *
 * @example npx @x/docs-mcp
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { Docs, serveDocs } from '@x/ask'
import { docsPages } from './index.ts'

const HELP = `Usage: docs-mcp

An MCP server on standard input and output, with the documentation of the @x packages and their skills. In the configuration of a client:
{ "mcpServers": { "x-docs": { "command": "npx", "args": ["-y", "@x/docs-mcp"] } } }

  --version
  --help
`
const INSTRUCTIONS = `These are the documentation of the @x packages for TypeScript (retrieval, prompts, agents) and their skills.
index.md lists the pages with a sentence each. Before you write code for a task, read its skill: list_documents within "skills".
packages/NAME.md is the README of @x/NAME, reference/NAME.md lists its exported names, errors.md all codes of errors.
Links within the pages are paths of documents. A search leaves out index.md and skills, which repeat pages; within: "skills" searches them.`

const { argv, stdin, stdout, stderr } = process
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

async function serve(): Promise<void> {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort())
  const log = (line: string) => void stderr.write(`docs-mcp: ${line}\n`)
  const docs = await Docs.open(docsPages, {
    log,
    searches: (path) => path !== 'index.md' && !path.startsWith('skills/'),
  })
  const info = { name: '@x/docs-mcp', title: 'Documentation of @x', version, instructions: INSTRUCTIONS }
  await serveDocs(docs, { stdin, stdout, signal: controller.signal, log }, info)
  await docs.close()
  stdin.destroy()
}

const [argument] = argv.slice(2)
if (argument === undefined) await serve()
else if (argument === '--version') stdout.write(`${version}\n`)
else if (argument === '--help' || argument === '-h') stdout.write(HELP)
else {
  stderr.write(`docs-mcp: expected no arguments, received ${argument}.\n\n${HELP}`)
  process.exitCode = 2
}
