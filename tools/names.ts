/**
 * Refuses names of the public API that mean two things: a name that two packages declare, and two interfaces with the same method in
 * different packages, where one should extend the other. Refuses declarations that public signatures use and no entry exports, because
 * nobody could name them; bases of classes and computed types need no name. Reads every `api.d.ts`. Exceptions are in `names.config.ts`, with a reason; an
 * exception that nothing needs is refused.
 *
 * @example node tools/names.ts
 */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apiParts } from './api-parts.ts'
import { sameMethods, sameNames } from './names.config.ts'
import { packageFolders } from './packages.ts'

interface Declared {
  package: string
  name: string
  text: string
}

/** What the entries of a package export, and what their signatures use beside it. */
function declaredIn(folder: string): { exported: Declared[]; hidden: Declared[] } {
  const path = join(folder, 'api.d.ts')
  const sections = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split(/^\/\/ =+ /m)
        .slice(1)
    : []
  const parts = sections.map((section) =>
    section.split(apiParts.bases)[0]!.split(apiParts.computed)[0]!.split(apiParts.others),
  )
  const declarations = (text = ''): Declared[] => {
    const pattern =
      /^(?:declare )?(?:abstract )?(?:class|const|enum|function|interface|type) ([\w$]+)[\s\S]*?(?=\n\n|$(?![\s\S]))/gm
    return [...text.matchAll(pattern)].map(([text, name]) => ({ package: basename(folder), name: name!, text }))
  }
  return {
    exported: parts.flatMap(([exported]) => declarations(exported)),
    hidden: parts.flatMap(([, hidden]) => declarations(hidden)),
  }
}

/** The names of the methods of an interface; none for other declarations. */
function methodsOf({ text }: Declared): string[] {
  if (!text.startsWith('interface')) return []
  return [...text.matchAll(/^ {4}(\w+)\??(?:<[^(\n]*>)?\(/gm)].map(([, name]) => name!)
}

const all = packageFolders().map(declaredIn)
const declared = all.flatMap(({ exported }) => exported)
const faults = all.flatMap(({ hidden }) =>
  hidden.map(
    (one) => `${one.name} of ${one.package} is used by public signatures: export it, or mark what uses it @internal`,
  ),
)
const used = new Set<string>()
let passed = 0

for (const [name, all] of Map.groupBy(declared, ({ name }) => name)) {
  const packages = [...new Set(all.map((one) => one.package))]
  if (packages.length < 2) passed += 1
  else if (Object.hasOwn(sameNames, name)) used.add(name)
  else faults.push(`${name} is declared by ${packages.join(' and ')}: export it from one of them, or rename one`)
}

const methods = declared.flatMap((one) => methodsOf(one).map((method) => ({ ...one, method })))
for (const [method, all] of Map.groupBy(methods, ({ method }) => method)) {
  const roots = all.filter(({ text }) => !all.some((other) => text.split('{')[0]!.includes(`extends ${other.name}`)))
  const packages = [...new Set(roots.map((one) => one.package))]
  if (packages.length < 2) passed += 1
  else if (Object.hasOwn(sameMethods, method)) used.add(`${method}()`)
  else {
    const where = roots.map((one) => `${one.name} of ${one.package}`)
    faults.push(`${method}() is a method of ${where.join(', ')}: declare it once, and extend or import that interface`)
  }
}

const exceptions = [...Object.keys(sameNames), ...Object.keys(sameMethods).map((method) => `${method}()`)]
for (const name of exceptions) if (!used.has(name)) faults.push(`names.config.ts: nothing needs the exception ${name}`)
for (const fault of faults) console.log(`  ${fault}`)
console.log(`names: ${passed} passed, ${faults.length} failed`)
process.exitCode = faults.length === 0 ? 0 : 1
