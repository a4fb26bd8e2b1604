/**
 * The public names. `names.txt` lists them by package and entry, with the error codes, so that a new or a removed name is seen in the diff
 * of a commit: a list that differs is refused; with `--write` it is written. Refuses names that mean two things: a name that two packages
 * declare, and two interfaces with the same method in different packages, where one should extend the other. Refuses classes that public
 * signatures use and no entry exports, types that the declarations of a user's program can need and no entry exports, and private members
 * of the classes of the cores, which would make every copy of the package another type. Reads the types that the builds wrote (`api.ts`).
 * Exceptions are in `names.config.ts`, with a reason; an exception that nothing needs is refused.
 *
 * @example npm run names
 * @example node tools/names.ts --write postprocessors   (the list of this package alone)
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { apiParts } from './api-parts.ts'
import { runBeside } from './command.ts'
import { sameMethods, sameNames } from './names.config.ts'
import { packageFolders } from './packages.ts'
import { errorCodes } from './site/errors.ts'

/** The arguments of a call whose types are of no interest. */
const call = '(...([] as never as [never]))'

interface Declared {
  package: string
  name: string
  text: string
}

/** The types of the entries of a package, each beginning with the name of the entry. */
function entriesOf(folder: string): string[] {
  const path = join(folder, '.api', 'api.d.ts')
  if (!existsSync(path)) throw new Error(`${path} is not there: run \`npm run build\``)
  const [, ...sections] = readFileSync(path, 'utf8').split(/^\/\/ =+ /m)
  return sections
}

/** What the entries export, and what their signatures use beside it. */
function declaredIn(folder: string): { exported: Declared[]; hidden: Declared[] } {
  const parts = entriesOf(folder).map((section) =>
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

/** A list in lines of at most 120 characters. */
const wrapped = (words: readonly string[]): string => words.join(', ').replaceAll(/(.{1,116})(?: |$)/g, '  $1\n')

/** The names of a package by entry, and its error codes. */
function namesOf(folder: string): string {
  const lists = entriesOf(folder).map((section) => {
    const exported = section.split(/^\/\/ (?:Used by them|Computed types|Bases of the classes), not exported:/m)[0]!
    const pattern =
      /^(?:export )?(?:declare )?(?:abstract )?(?:class|const|enum|function|interface|type) ([\w$]+)|^export \{ (?:[\w$]+ as )?([\w$]+) \}|^export (\*) from '(.*)'/gm
    const found = [...exported.matchAll(pattern)].map(([, own, other, , from]) => own ?? other ?? `all of ${from}`)
    return `${section.split('\n')[0]}\n${wrapped([...new Set(found)].sort())}`
  })
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const codes = errorCodes().flatMap(({ packageName, code, className }) =>
    packageName === name ? [`${code} (${className})`] : [],
  )
  return lists.join('') + (codes.length === 0 ? '' : `error codes\n${wrapped(codes)}`)
}

const list = join(import.meta.dirname, '..', 'names.txt')
/** The lists of all packages, by the name of their first entry. */
const lists = new Map(
  readFileSync(list, 'utf8')
    .split(/\n(?=\n)/)
    .map((text) => [text.trim().split('\n')[0]!, `${text.trim()}\n`]),
)

/** Whether the list of a package is the one of its build; writes it with `--write`. */
function differences(folder: string): string[] {
  const now = namesOf(folder)
  const name = now.split('\n')[0]!
  const before = lists.get(name) ?? ''
  if (before === now) return []
  lists.set(name, now)
  const [had, has] = [before, now].map((text) => new Set(text.match(/[^\s,]+/g))) as [Set<string>, Set<string>]
  const added = [...has].flatMap((name) => (had.has(name) ? [] : [`+${name}`]))
  const removed = [...had].flatMap((name) => (has.has(name) ? [] : [`-${name}`]))
  const what = [...added, ...removed].join(' ') || 'the order'
  console.log(`  ${basename(folder)}: ${what}`)
  return isWriting ? [] : [`names.txt of ${name} is not that of the build: \`npm run names -- --write\``]
}

/** Members of a core that no copy of the package beside it fits. */
function privateMembers(folder: string): string[] {
  if (!/^core(?:-model)?$/.test(basename(folder))) return []
  const found =
    entriesOf(folder)
      .join('')
      .match(/^ +(?:#private|private|protected(?! static)).*$/gm) ?? []
  return found.map(
    (line) => `${basename(folder)}: a class has ${line.trim()}, which makes every copy of the package another type`,
  )
}

const isWriting = process.argv.includes('--write')
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const folders = packageFolders().filter((folder) => only.length === 0 || only.includes(basename(folder)))
const all = folders.map(declaredIn)
const declared = all.flatMap(({ exported }) => exported)
/** Interfaces and types are reached from what uses them. */
const isType = ({ text }: Declared): boolean => /^(?:interface|type) /.test(text)
const faults = all.flatMap(({ hidden }) =>
  hidden
    .filter((one) => !isType(one))
    .map(
      (one) => `${one.name} of ${one.package} is used by public signatures: export it, or mark what uses it @internal`,
    ),
)
faults.push(...folders.flatMap(differences), ...folders.flatMap(privateMembers), ...(await undeclared(folders)))
if (isWriting)
  writeFileSync(
    list,
    [...lists.keys()]
      .sort()
      .map((name) => lists.get(name))
      .join('\n'),
  )
const used = new Set<string>()
let passed = 0

for (const [name, all] of Map.groupBy(declared, ({ name }) => name)) {
  const packages = [...new Set(all.map((one) => one.package))]
  if (packages.length < 2) passed += 1
  else if (Object.hasOwn(sameNames, name)) used.add(name)
  else faults.push(`${name} is declared by ${packages.join(' and ')}: export it from one of them, or rename one`)
}

const methods = all
  .flatMap(({ exported, hidden }) => [...exported, ...hidden])
  .flatMap((one) => methodsOf(one).map((method) => ({ ...one, method })))
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
for (const name of only.length === 0 ? exceptions : [])
  if (!used.has(name)) faults.push(`names.config.ts: nothing needs the exception ${name}`)
for (const fault of faults) console.log(`  ${fault}`)
console.log(`names: ${passed} passed, ${faults.length} failed`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Exports of the members of a class or an instance of it. */
function members(name: string, code: string, owner: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).flatMap(([key, { value }]) =>
    /^(?:constructor|prototype|length|name|_.*|.*\W.*)$/.test(key)
      ? []
      : `export const ${name}_${key} = ${code}.${key}${typeof value === 'function' ? call : ''}`,
  )
}

/** A module that exports what an entry has, and the results of its functions, constructors, methods and static methods. */
async function moduleOf(entry: string): Promise<string> {
  const lines = Object.entries(await import(entry)).flatMap(([name, value]) => {
    const code = `M.${name}`
    if (typeof value !== 'function') return `export const v_${name} = ${code}`
    if (!/^class/.test(String(value))) return `export const f_${name} = ${code}${call}`
    const made = `new ${code}${call}`
    const own = [...members(`m_${name}`, `(${made})`, value.prototype), ...members(`s_${name}`, code, value)]
    return [`export const i_${name} = ${made}`, ...own]
  })
  return [`import * as M from '${entry}'`, ...lines].join('\n')
}

/** Returns the errors in the declarations of programs that use the packages in these folders. */
async function undeclared(folders: readonly string[]): Promise<string[]> {
  const reports = join(import.meta.dirname, '.reports')
  mkdirSync(reports, { recursive: true })
  const project = mkdtempSync(join(reports, 'declarations-'))
  try {
    for (const folder of packageFolders()) {
      const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      // Copies: of what links lead to, the compiler names every file. Packages that the listed ones do not need may not be built.
      cpSync(folder, join(project, 'node_modules', name), {
        recursive: true,
        filter: (path) => !/\.js$|[/\\](?:node_modules|src|test)$/.test(path),
      })
      if (!folders.includes(folder)) continue
      for (const entry of Object.keys(exports).filter((key) => exports[key].types))
        writeFileSync(
          join(project, `${join(name, entry).replaceAll(/\W+/g, '_')}.ts`),
          await moduleOf(join(name, entry)),
        )
    }
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      declaration: true,
      noEmit: true,
      types: ['node'],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const { output } = await runBeside('tsc', ['-p', '.', '--pretty', 'false'], project)
    // Users read no private or protected members.
    const hidden = new Set(output.match(/^.*\(\d+(?=.*TS(?:2341|2445):)/gm))
    const found = output.match(/^.*TS(?:2883|4\d{3}):.*/gm) ?? []
    return found.filter((line) => !hidden.has(line.split(',')[0]!))
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}
