/**
 * Refuses a parser of ReAct outputs that reads an output of the collection wrongly; prints the score per kind of mistake.
 * The export is a function from text to `{ kind: 'action', action, actionInput, thought? }` or
 * `{ kind: 'response', response, thought? }` that throws when nothing can be read, or a class whose instances have such a `parse`.
 *
 * @example npm run react-outputs
 * @example npm run react-outputs -- ./my-parser.js parseReAct
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scoreParser } from './score-parser.ts'

const ours = '@x/agents/protocol'
const [module = ours, name = module === ours ? 'ReActOutputParser' : undefined] = process.argv.slice(2)
const isFile = module.startsWith('.') || module.startsWith('/')
const file = resolve(process.env['INIT_CWD'] ?? process.cwd(), module)
const loaded = await import(isFile ? pathToFileURL(file).href : module)
const found = name ? loaded[name] : (loaded.parse ?? loaded.default)
if (typeof found !== 'function') {
  console.error(`${module}: exports no function ${name ?? 'parse or default'}.`)
  process.exit(2)
}
const parse = found.prototype?.parse ? (text: string) => new found().parse(text) : found
const { right, total, byKind, wrong } = await scoreParser(parse)
for (const { id, output, expected, received } of wrong) {
  console.log(`${id}: ${JSON.stringify(output.length > 200 ? `${output.slice(0, 200)}…` : output)}`)
  console.log(`  expected ${JSON.stringify(expected)}\n  received ${JSON.stringify(received)}`)
}
for (const [kind, score] of Object.entries(byKind)) console.log(`${kind}: ${score.right} of ${score.total}`)
console.log(`all: ${right} of ${total}`)
process.exitCode = right === total ? 0 : 1
