/**
 * Finds the examples of a package's documentation: every `ts` fence of its README and every `@example` of its sources.
 * Examples of a README run and compile exactly as they are printed. In an `@example`, which is read beside the code that it belongs
 * to, the names that the package, the core and the prompts export need no import.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './packages.ts'

interface Names {
  values: string[]
  types: string[]
}

/** A module whose names need no import. */
interface Module extends Names {
  specifier: string
}

export interface Example {
  /** The file, relative to the folder of the package. */
  file: string
  /** The line of the file that the code begins in, counted from 1. */
  line: number
  code: string
  /** The modules whose names need no import. */
  modules: readonly Module[]
}

type Found = Pick<Example, 'line' | 'code'>

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The `ts` fences of a Markdown text. */
function fences(text: string): Found[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({
    line: lineOf(text, match.index) + 1,
    code: match[1]!,
  }))
}

/** The `@example` blocks of a source text. */
function docBlocks(text: string): Found[] {
  return [...text.matchAll(/^([ \t]*)\/\*\*[\s\S]*?\*\//gm)].flatMap((comment) =>
    [...comment[0].matchAll(/@example\s*\n([\s\S]*?)(?=\n\s*\* @|\n?\s*\*\/)/g)].map((match) => {
      const lines = match[1]!.replace(/^\s*\* ?/gm, '')
      const isFenced = lines.startsWith('```ts\n')
      return {
        line: lineOf(text, comment.index + match.index) + (isFenced ? 2 : 1),
        code: lines.replace(/^```ts\n|\n?```\s*$/g, ''),
      }
    }),
  )
}

/** The names that a module exports by name. */
function exportedNames(path: string): Names {
  const text = readFileSync(path, 'utf8')
  const found: Names = { values: [], types: [] }
  for (const [, isType, list] of text.matchAll(/^export (type )?\{([^}]*)\}/gm)) {
    for (const entry of list!.replace(/\/\/.*$/gm, '').split(',')) {
      const name = entry
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .at(-1)!
      if (name !== '') found[isType || entry.trim().startsWith('type ') ? 'types' : 'values'].push(name)
    }
  }
  const declared = /^export (?:async )?(?:abstract )?(class|function|const|interface|type) (\w+)/gm
  for (const [, kind, name] of text.matchAll(declared)) {
    found[kind === 'interface' || kind === 'type' ? 'types' : 'values'].push(name!)
  }
  return found
}

/** The modules whose names the `@example` blocks of a package may use without importing them. */
function modulesOf(folder: string): Module[] {
  const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const { dependencies, devDependencies, peerDependencies } = manifestOf(folder)
  const installed = { ...dependencies, ...devDependencies, ...peerDependencies }
  const isShared = (name: string) =>
    ['@x/core', '@x/core-model', '@x/llm', '@x/prompts'].includes(name) && name in installed
  const shared = packageFolders().filter((path) => path !== folder && isShared(manifestOf(path).name))
  return [folder, ...shared].flatMap((path) => {
    const { name, exports } = manifestOf(path)
    // The schema of a class has the name of the class.
    const entries = Object.entries((exports ?? {}) as Record<string, { '@x/source'?: string }>).sort(
      ([one], [other]) => Number(one === './schemas') - Number(other === './schemas'),
    )
    return entries.flatMap(([entry, { '@x/source': source }]) =>
      // Its short names, such as `text`, are those of variables in examples.
      entry !== './options' && source !== undefined && existsSync(join(path, source))
        ? [{ specifier: name + entry.slice(1), ...exportedNames(join(path, source)) }]
        : [],
    )
  })
}

/** The names of its modules that an example uses and neither imports nor declares, by specifier. */
export function missingNames({ code, modules }: Pick<Example, 'code' | 'modules'>): Map<string, Names> {
  const words = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  const bound = new Set<string>()
  for (const [, clause] of code.matchAll(/^import\s([^;'"]*?)\sfrom\s/gm)) {
    for (const [name] of clause!.matchAll(/[\w$]+(?=\s*(?:[,}]|$))/g)) bound.add(name)
  }
  const isMissing = (name: string) => {
    if (!words.has(name) || bound.has(name)) return false
    bound.add(name)
    return !new RegExp(`\\b(?:class|const|let|function|interface|type) ${name}\\b`).test(code)
  }
  const missing = new Map<string, Names>()
  for (const { specifier, values, types } of modules) {
    const found = { values: values.filter(isMissing), types: types.filter(isMissing) }
    if (found.values.length + found.types.length > 0) missing.set(specifier, found)
  }
  return missing
}

/** The documents whose examples run in `examples/guides`, relative to its folder. */
export function guideDocuments(): string[] {
  const cwd = join(import.meta.dirname, '..', 'examples', 'guides')
  const found = globSync('../../docs/{*,guides/*,come-from/*}.md', { cwd })
  return ['../../README.md', ...found.map((path) => path.replaceAll('\\', '/')).sort()]
}

/** All examples of a package, and those of `documents`: further Markdown files, relative to its folder. */
export function examplesOf(folder: string, documents: readonly string[] = []): Example[] {
  const modules = modulesOf(folder)
  const sources = globSync('src/**/*.ts', { cwd: folder })
    .filter((path) => !/\.(test|test-d|schema)\.ts$|generated/.test(path))
    .sort()
  const readmes = existsSync(join(folder, 'README.md')) ? ['README.md'] : []
  return [...sources, ...readmes, ...documents].flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const isDocument = file.endsWith('.md')
    const found = isDocument ? fences(text) : docBlocks(text)
    return found.map((example) => ({ ...example, file, modules: isDocument ? [] : modules }))
  })
}
