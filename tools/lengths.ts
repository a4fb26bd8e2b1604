/**
 * Refuses files of more than 400 lines and functions of more than 60 that are not justified in `lengths.config.ts`, and entries there
 * that nothing needs any more. Tests and generated code do not count.
 *
 * @example node tools/lengths.ts
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { justified } from './lengths.config.ts'

const MOST_LINES_OF_FILE = 400
const MOST_LINES_OF_FUNCTION = 60

interface Node {
  type: string
  start: number
  end: number
  id?: { name?: string } | null
  key?: { name?: string; value?: unknown }
  value?: unknown
}

const root = join(import.meta.dirname, '..')
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Calls `visit` for every function below a node, with the name that it is declared under. */
function eachFunction(node: Node, name: string, visit: (node: Node, name: string) => void): void {
  const own = node.id?.name ?? node.key?.name ?? name
  if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) visit(node, own)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) eachFunction(child, own, visit)
  }
}

/** The parts of a file that are too long: `path` for the file itself, `path name` for a function. */
function longParts(path: string): Map<string, number> {
  const text = readFileSync(join(root, path), 'utf8')
  const lineCount = (start: number, end: number) => text.slice(start, end).split('\n').length
  const found = new Map<string, number>()
  const total = lineCount(0, text.trimEnd().length)
  if (total > MOST_LINES_OF_FILE) found.set(path, total)
  eachFunction(parseAst(text, { lang: 'ts', sourceType: 'module' }) as unknown as Node, '(top level)', (node, name) => {
    const lines = lineCount(node.start, node.end)
    const key = `${path} ${name}`
    if (lines > MOST_LINES_OF_FUNCTION) found.set(key, Math.max(lines, found.get(key) ?? 0))
  })
  return found
}

const files = globSync(
  ['{packages,packages/integrations,examples}/*/{src,fuzz}/**/*.ts', 'tools/**/*.ts', 'benchmarks/*.ts'],
  { cwd: root, exclude: (path) => /node_modules|generated|toolchain/.test(path) },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test(-d)?\.ts$|\/generated\/|node_modules/.test(path))
const found = new Map(files.flatMap((path) => [...longParts(path)]))
const faults: string[] = []
for (const [what, lines] of found) {
  const entry = justified[what]
  if (entry === undefined) faults.push(`${what} has ${lines} lines`)
  else if (lines > entry.lines) faults.push(`${what} has ${lines} lines, and ${entry.lines} are justified`)
}
for (const what of Object.keys(justified)) {
  if (!found.has(what)) faults.push(`lengths.config.ts: ${what} is short now, remove its entry`)
}
for (const fault of faults) console.log(`  ${fault}`)
console.log(`lengths: ${files.length} files, ${files.length > 0 ? 1 : 0} passed, ${faults.length} failed`)
process.exitCode = faults.length === 0 && files.length > 0 ? 0 : 1
