/**
 * The last step of a build: writes the public types of the package in the working directory into `.api/api.d.ts` (for every entry, the
 * declarations of what it exports, sorted by name and without comments, then the declarations that those use and that no entry exports),
 * and the names with their sentences into `REFERENCE.md`. Refuses a name without a comment. `names.ts` reads the types.
 *
 * @example cd packages/prompts && node ../../tools/api.ts
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseAst } from 'vite'
import { apiParts } from './api-parts.ts'
import { commentBefore, type Described, referencePage, undescribed } from './api-reference.ts'

interface Named {
  name?: string
  value?: string
}

interface Node {
  type: string
  start: number
  end: number
  source?: { value: string } | null
  specifiers?: { type: string; local: Named; exported?: Named; imported?: Named }[]
  declaration?: Node | null
  declarations?: { id: Named }[]
  id?: Named
}

/** The origin of a name: a declaration of the same file, or a name of another module. */
type Binding = { name: string; text: string; doc: string } | { name: string; from: string }

interface Module {
  /** The names that the module can use. */
  local: Map<string, Binding>
  /** The names that it exports. */
  exported: Map<string, Binding>
  /** The modules all of whose names it exports. */
  all: string[]
}

interface Declaration extends Described {
  path: string
  name: string
}

const folder = process.cwd()
const modules = new Map<string, Module>()
const nameOf = ({ name, value }: Named): string => name ?? value ?? ''

/** The module that a specifier means: a declaration file of this package, or the name of a package. */
function target(path: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  const file = resolve(dirname(path), specifier.replace(/\.(?:js|ts)$/, '.d.ts'))
  if (!existsSync(file)) throw new Error(`${path}: ${specifier} has no declarations`)
  return file
}

function declaredNames(node: Node): string[] {
  return (node.declarations ?? []).map(({ id }) => nameOf(id)).concat(node.id ? [nameOf(node.id)] : [])
}

function addExport(found: Module, path: string, node: Node): void {
  for (const { local, exported } of node.specifiers ?? []) {
    const name = nameOf(local)
    const binding = node.source ? { from: target(path, node.source.value), name } : found.local.get(name)
    if (binding) found.exported.set(nameOf(exported!), binding)
  }
}

function read(path: string): Module {
  const known = modules.get(path)
  if (known) return known
  const file = readFileSync(path, 'utf8')
  const text = file.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, (comment) => comment.replaceAll(/[^\n]/g, ' '))
  const { body } = parseAst(text, { lang: 'dts', sourceType: 'module' }) as unknown as { body: Node[] }
  const found: Module = { local: new Map(), exported: new Map(), all: [] }
  modules.set(path, found)
  for (const node of body) {
    if (node.type === 'ImportDeclaration') {
      for (const { local, imported } of node.specifiers ?? []) {
        found.local.set(nameOf(local), {
          from: target(path, node.source!.value),
          name: imported ? nameOf(imported) : '*',
        })
      }
    } else if (node.type === 'ExportAllDeclaration') found.all.push(target(path, node.source!.value))
    else {
      const declaration = node.declaration ?? node
      for (const name of declaredNames(declaration)) {
        // Overloads and merged declarations belong together.
        const before = found.local.get(name)
        const own = text.slice(declaration.start, declaration.end).replaceAll(/\n\s*\n/g, '\n')
        const [earlier, doc] = before && 'text' in before ? [`${before.text}\n`, before.doc] : ['', '']
        const binding = { name, text: earlier + own, doc: doc || commentBefore(file, node.start) }
        found.local.set(name, binding)
        if (node.declaration) found.exported.set(name, binding)
      }
    }
  }
  for (const node of body) if (node.type === 'ExportNamedDeclaration') addExport(found, path, node)
  return found
}

/** Whether the origin of a name is a file of this package, not another package. */
const isFile = (from: string): boolean => from.startsWith('/') || /^[A-Z]:/.test(from)

/** Follows a name to its declaration; one of another package is named only. */
function declarationOf(path: string, name: string, binding: Binding): Declaration {
  if ('text' in binding) return { path, name: binding.name, text: binding.text, doc: binding.doc }
  if (!isFile(binding.from))
    return { path: binding.from, name, text: `export { ${binding.name} } from '${binding.from}'`, doc: '' }
  const further = exportsOf(binding.from).get(binding.name)
  if (!further) throw new Error(`${path}: ${binding.from} exports no ${binding.name}`)
  return further
}

function exportsOf(path: string): Map<string, Declaration> {
  const { exported, all } = read(path)
  const found = new Map([...exported].map(([name, binding]) => [name, declarationOf(path, name, binding)]))
  for (const other of all) {
    if (!isFile(other))
      found.set(`* ${other}`, { path: other, name: `* ${other}`, text: `export * from '${other}'`, doc: '' })
    else for (const [name, declaration] of exportsOf(other)) found.set(name, declaration)
  }
  return found
}

/** The declarations that some declarations use and that are not among them. */
function usedBy(declarations: readonly Declaration[]): Declaration[] {
  const known = new Set(declarations.map(({ text }) => text))
  const used: Declaration[] = []
  for (const { path, text } of [...declarations]) collect(path, text)
  return used

  function collect(path: string, text: string): void {
    if (!modules.has(path)) return
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) {
      const binding = read(path).local.get(word)
      if (
        !binding ||
        ('from' in binding && (binding.name === '*' || (!modules.has(binding.from) && !existsSync(binding.from))))
      )
        continue
      const declaration = declarationOf(path, word, binding)
      if (known.has(declaration.text)) continue
      known.add(declaration.text)
      used.push(declaration)
      collect(declaration.path, declaration.text)
    }
  }
}

/** The declarations by name; one that an earlier section has is named only. */
function printed(declarations: readonly (readonly [string, Declaration])[]): string {
  const parts = declarations.map(([name, { name: own, text }]) => {
    const alias = name === own ? '' : `export { ${own} as ${name} }`
    if (shown.has(text)) return { name, text: alias || `export { ${name} } // above` }
    shown.add(text)
    return { name, text: alias ? `${text}\n${alias}` : text }
  })
  const keyOf = (part: { name: string; text: string }) => `${part.name} ${part.text}`
  return parts
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map(({ text }) => text)
    .join('\n\n')
}

/** Whether a declaration is a base of classes, generated or abstract: what it declares is seen at the classes, which have public names. */
const isBase = ({ path, text }: Declaration): boolean =>
  /[\\/]generated[\\/]/.test(path) || text.startsWith('declare abstract class')
/** Whether a declaration computes a type of the arguments of a call, so that no program writes its name. */
const isComputed = ({ text }: Declaration): boolean => /^(?:declare )?type \w+</.test(text)

/** The texts of the declarations that are printed. */
const shown = new Set<string>()
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const entries = Object.entries(manifest.exports as Record<string, { types?: { default?: string } }>).flatMap(
  ([entry, { types }]) =>
    types?.default === undefined ? [] : [{ entry, own: [...exportsOf(join(folder, types.default))] }],
)
const inAnyEntry = new Set(entries.flatMap(({ own }) => own.map(([, { text }]) => text)))
const sections = entries.map(({ entry, own }) => {
  const exported = printed(own)
  const used = usedBy(own.map(([, declaration]) => declaration)).filter(
    ({ text }) => !shown.has(text) && !inAnyEntry.has(text),
  )
  const usedIn: Partial<Record<string, Declaration[]>> = Object.groupBy(used, (declaration): keyof typeof apiParts =>
    isBase(declaration) ? 'bases' : isComputed(declaration) ? 'computed' : 'others',
  )
  const further = Object.entries(apiParts).map(([part, line]) => {
    const declarations = usedIn[part]
    return declarations ? `\n\n${line}\n\n${printed(declarations.map((one) => [one.name, one]))}` : ''
  })
  return `// ${'='.repeat(8)} ${manifest.name}${entry.slice(1)}\n\n${exported}${further.join('')}\n`
})
mkdirSync(join(folder, '.api'), { recursive: true })
writeFileSync(join(folder, '.api', 'api.d.ts'), `// The public types of ${manifest.name}.\n\n${sections.join('\n')}`)
writeFileSync(join(folder, 'REFERENCE.md'), referencePage(manifest.name, entries))
for (const name of undescribed(entries)) {
  console.log(`${manifest.name}${name}: expected a comment that says what it is`)
  process.exitCode = 1
}
