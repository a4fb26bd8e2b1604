#!/usr/bin/env node
// Scores a parser of ReAct outputs on the collection of malformed ones.
//
//   score-react-parser <module> [export]      such as: score-react-parser ./my-parser.js parseReAct
//
// The export (default: `parse`, else the default export) is a function from text to
//   { kind: 'action', action, actionInput, thought? }  or  { kind: 'response', response, thought? },
// or a class whose instances have such a `parse` method. It throws when nothing can be read. `thought` is compared only
// when the function gives one. Prints the score per kind of fault; ends with 1 when a text was read wrongly.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scoreParser } from './score-parser.mjs'

const [module, name] = process.argv.slice(2)
if (!module) {
  console.error('Usage: score-react-parser <module> [export]')
  process.exit(2)
}
const file = resolve(module)
const loaded = await import(module.startsWith('.') || module.startsWith('/') ? pathToFileURL(file).href : module)
const found = name ? loaded[name] : (loaded.parse ?? loaded.default)
if (typeof found !== 'function') {
  console.error(`${module}: no function ${name ?? 'parse or default'} is exported.`)
  process.exit(2)
}
const parse = found.prototype?.parse ? (text) => new found().parse(text) : found
const { cases } = JSON.parse(readFileSync(new URL('./malformed-react-outputs.json', import.meta.url), 'utf8'))
const { right, total, byKind, wrong } = await scoreParser(parse, cases)
for (const { id, output, expected, received } of wrong) {
  console.log(`${id}: ${JSON.stringify(output.length > 200 ? `${output.slice(0, 200)}…` : output)}`)
  console.log(`  expected ${JSON.stringify(expected)}\n  received ${JSON.stringify(received)}`)
}
for (const [kind, score] of Object.entries(byKind)) console.log(`${kind}: ${score.right} of ${score.total}`)
console.log(`all: ${right} of ${total}`)
process.exitCode = right === total ? 0 : 1
