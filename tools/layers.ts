/**
 * Refuses circles of files in packages, examples, benchmarks and tools; in packages also imports against the layers of folders, and
 * imports of packages that a package must not know. Imports of types count. Tests may import anything. The layers are in
 * `layers.config.ts`.
 *
 * @example node tools/layers.ts
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseAst } from 'vite'
import { folderLayers, packageImports } from './layers.config.ts'
import { packageFolders } from './packages.ts'

interface Statement {
  type: string
  source?: { value: string } | null
}

type Graph = ReadonlyMap<string, readonly string[]>

const root = join(import.meta.dirname, '..')
const faults: string[] = []

let checked = 0

const shownPath = (file: string): string => relative(root, file).replaceAll('\\', '/')

/** The specifiers that a source imports or exports from, types and dynamic imports included. */
function specifiersOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const { body } = parseAst(text, { lang: 'ts', sourceType: 'module' }) as unknown as { body: Statement[] }
  const stated = body.flatMap(({ source }) => source?.value ?? [])
  // Comments with examples import too.
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const inside = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier!)
  return [...stated, ...inside]
}

/** Each file of a folder without tests, with the specifiers that it imports. */
function importsOf(folder: string, pattern: string): Map<string, string[]> {
  const files = globSync(pattern, { cwd: folder, exclude: (path) => /(^|\/)(node_modules|dist|test)$/.test(path) })
  checked += files.length
  return new Map(
    files
      .filter((file) => !/\.test(-d)?\.ts$/.test(file))
      .map((file) => [join(folder, file), specifiersOf(join(folder, file))] as const),
  )
}

/** The files without generated code, each with the files that it imports. */
function graphOf(imports: ReadonlyMap<string, readonly string[]>): Graph {
  // Generated interfaces name the types of behaviour that is written by hand; they are erased in every build.
  const files = [...imports.keys()].filter((file) => !file.includes('/generated/'))
  const known = new Set(files)
  const targets = (file: string) =>
    imports
      .get(file)!
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(file), specifier))
      .filter((target) => known.has(target))
  return new Map(files.map((file) => [file, targets(file)]))
}

/** The circles of a graph: groups of files that reach each other (Tarjan's strongly connected components). */
function circlesOf(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    index.set(file, index.size)
    lowest.set(file, index.get(file)!)
    stack.push(file)
    for (const target of graph.get(file)!) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
    }
    if (lowest.get(file) !== index.get(file)) return
    const members = stack.splice(stack.indexOf(file))
    if (members.length > 1 || graph.get(file)!.includes(file)) circles.push(members.sort())
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** Refuses files that reach each other by imports. */
function checkCircles(graph: Graph): void {
  for (const circle of circlesOf(graph)) faults.push(`circle: ${circle.map(shownPath).join(' ')}`)
}

/** Refuses arrows from a folder to one of a higher layer, or to a neighbour in its own. */
function checkFolders(name: string, folder: string, graph: Graph): void {
  const layers = folderLayers[name]
  if (layers === undefined) return
  const layerOf = new Map(layers.flatMap(({ folders }, layer) => folders.map((path) => [path, layer] as const)))
  const folderOf = (file: string) =>
    relative(join(folder, 'src'), file).replaceAll('\\', '/').split('/').slice(0, -1)[0]
  for (const known of layerOf.keys()) {
    if (!existsSync(join(folder, 'src', known)))
      faults.push(`${name}: the folder ${known} of layers.config.ts does not exist`)
  }
  for (const [file, targets] of graph) {
    const own = folderOf(file)
    if (own === undefined) continue
    const layer = layerOf.get(own)
    if (layer === undefined) {
      faults.push(`${shownPath(file)}: the folder ${own} has no layer in layers.config.ts`)
      continue
    }
    for (const target of targets) {
      const other = folderOf(target)
      if (other === undefined || other === own || layerOf.get(other)! < layer) continue
      faults.push(`${shownPath(file)} imports ${shownPath(target)}: ${own} is not above ${other}`)
    }
  }
}

for (const folder of packageFolders()) {
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string }
  const imports = importsOf(folder, 'src/**/*.ts')
  const graph = graphOf(imports)
  checkCircles(graph)
  checkFolders(name, folder, graph)
  const allowed = packageImports[name]
  if (allowed === undefined) faults.push(`${name} is not in packageImports of layers.config.ts`)
  for (const [file, specifiers] of imports) {
    for (const specifier of specifiers) {
      const target = /^@x\/[^/]+/.exec(specifier)?.[0]
      if (target === undefined || target === name || allowed?.includes(target)) continue
      faults.push(`${shownPath(file)} imports ${specifier}: ${name} must not know it`)
    }
  }
}
for (const name of ['tools', 'benchmarks', 'examples']) {
  checkCircles(graphOf(importsOf(join(root, name), '**/*.{ts,tsx,js,mjs}')))
}
for (const fault of faults) console.log(`  ${fault}`)
console.log(`layers: ${checked} files, ${checked > 0 ? 1 : 0} passed, ${faults.length} failed`)
process.exitCode = faults.length === 0 && checked > 0 ? 0 : 1
