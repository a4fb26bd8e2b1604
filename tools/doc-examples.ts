/**
 * Turns the examples of a package's documentation into tests: every `ts` fence of its README and every `@example` of its sources.
 * `// => value` behind a statement states what it gives: a value, `throws code`, or `instance of Class`.
 * In an `@example` the names that the package and the core export need no import.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { parseAst } from 'vite'

interface Example {
  /** Where the example stands: `file:line`. */
  where: string
  code: string
}

interface Statement {
  type: string
  start: number
  end: number
  source?: { value: string }
  specifiers?: { type: string; imported?: { name: string }; local: { name: string } }[]
  declarations?: { id: { type: string; name: string; start: number; end: number } }[]
  expression?: { start: number; end: number }
  importKind?: string
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The `ts` fences of a Markdown text. */
function fences(file: string, text: string): Example[] {
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => ({
    where: `${file}:${lineOf(text, match.index)}`,
    code: match[1]!,
  }))
}

/** The `@example` blocks of a source text. */
function docBlocks(file: string, text: string): Example[] {
  return [...text.matchAll(/^([ \t]*)\/\*\*[\s\S]*?\*\//gm)].flatMap((comment) =>
    [...comment[0].matchAll(/@example\s*\n([\s\S]*?)(?=\n\s*\* @|\n?\s*\*\/)/g)].map((match) => ({
      where: `${file}:${lineOf(text, comment.index + match.index)}`,
      code: match[1]!.replace(/^\s*\* ?/gm, '').replace(/^```ts\n|\n?```\s*$/g, ''),
    })),
  )
}

/** The value names that a module exports by name. */
function exportedNames(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const listed = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) => names!.split(','))
  const declared = [...text.matchAll(/^export (?:async )?(?:abstract )?(?:class|function|const) (\w+)/gm)].map(
    ([, name]) => name!,
  )
  return [
    ...listed
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => name.split(' as ').at(-1)!),
    ...declared,
  ]
}

interface Module {
  specifier: string
  names: string[]
}

/** The modules whose names `@example` blocks may use without importing them. */
function modulesOf(folder: string): Module[] {
  const packages = [folder, join(folder, '..', 'core-model'), join(folder, '..', 'prompts')]
  const modules: Module[] = []
  for (const path of packages) {
    if (!existsSync(join(path, 'package.json'))) continue
    const { name, exports } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    const known = path === folder || JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies?.[name]
    if (!known || modules.some(({ specifier }) => specifier === name)) continue
    for (const [entry, target] of Object.entries((exports ?? {}) as Record<string, { '@x/source'?: string }>)) {
      const source = target['@x/source']
      if (source === undefined || !existsSync(join(path, source))) continue
      modules.push({ specifier: name + entry.slice(1), names: exportedNames(join(path, source)) })
    }
  }
  return modules
}

/** The body of a test that runs an example. */
function testBody(code: string, modules: readonly Module[]): string {
  const body = (parseAst(code, { lang: 'ts' }) as unknown as { body: Statement[] }).body
  const imports: string[] = []
  const bound = new Set<string>()
  let result = ''
  let from = 0
  let checks = 0
  for (const [index, statement] of body.entries()) {
    if (statement.type === 'ImportDeclaration') {
      const names = (statement.specifiers ?? []).map(({ type, imported, local }) => {
        bound.add(local.name)
        if (type === 'ImportNamespaceSpecifier') return { namespace: local.name }
        return {
          pair:
            type === 'ImportDefaultSpecifier'
              ? `default: ${local.name}`
              : imported!.name === local.name
                ? local.name
                : `${imported!.name}: ${local.name}`,
        }
      })
      const source = JSON.stringify(statement.source!.value)
      if (statement.importKind !== 'type') {
        for (const { namespace } of names) if (namespace) imports.push(`const ${namespace} = await import(${source})`)
        const pairs = names.flatMap(({ pair }) => (pair ? [pair] : []))
        if (pairs.length > 0) imports.push(`const { ${pairs.join(', ')} } = await import(${source})`)
      }
      result += code.slice(from, statement.start)
      from = statement.end
      continue
    }
    const rest = code.slice(statement.end, body[index + 1]?.start ?? code.length)
    const expected = /^\s*?;?[ \t]*(?:\n[ \t]*)?\/\/ => (.*)$/m.exec(rest)
    const stated = expected && rest.slice(0, expected.index).trim() === '' ? expected[1]!.trim() : undefined
    if (stated === undefined) continue
    const name = statement.declarations?.[0]?.id.name
    const expression = name ?? code.slice(statement.start, statement.end)
    result += code.slice(from, name === undefined ? statement.start : statement.end)
    result += `\n;${check(expression, stated)}\n`
    from = statement.end
    checks += 1
  }
  result += code.slice(from)
  const words = new Set(code.match(/[A-Za-z_$][\w$]*/g))
  for (const { specifier, names } of modules) {
    const used = [...new Set(names)].filter(
      (name) =>
        words.has(name) && !bound.has(name) && !new RegExp(`\\b(?:class|const|let|function) ${name}\\b`).test(code),
    )
    for (const name of used) bound.add(name)
    if (used.length > 0) imports.push(`const { ${used.join(', ')} } = await import('${specifier}')`)
  }
  return `${imports.join('\n')}\n${result}\n${checks === 0 ? 'expect(true).toBe(true) // runs without an error' : ''}`
}

function check(expression: string, expected: string): string {
  const [, code] = /^throws (\w+)$/.exec(expected) ?? []
  if (code !== undefined)
    return `await expect((async () => { return (${expression}) })()).rejects.toMatchObject({ code: '${code}' })`
  const [, className] = /^(?:an )?instance of (\w+)$/.exec(expected) ?? []
  if (className !== undefined) return `expect(await (${expression})).toBeInstanceOf(${className})`
  return `expect(await (${expression})).toEqual(${expected})`
}

/** Writes the tests of a package's examples; gives the folder that holds them. */
export function writeDocExamples(folder: string, documents: readonly string[] = []): string {
  const target = join(folder, '.doc-examples')
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target)
  const modules = modulesOf(folder)
  const sources = globSync('src/**/*.ts', { cwd: folder }).filter(
    (path) => !/\.(test|test-d|schema)\.ts$|generated/.test(path),
  )
  for (const path of [...sources, ...(existsSync(join(folder, 'README.md')) ? ['README.md'] : []), ...documents]) {
    const text = readFileSync(join(folder, path), 'utf8')
    const examples = path.endsWith('.md') ? fences(path, text) : docBlocks(path, text)
    if (examples.length === 0) continue
    const tests = examples.map(({ where, code }) => {
      try {
        return `it(${JSON.stringify(where)}, async () => {\n${testBody(code, modules)}\n})`
      } catch (error) {
        return `it(${JSON.stringify(where)}, () => { throw new Error(${JSON.stringify(`not readable as TypeScript: ${(error as Error).message}`)}) })`
      }
    })
    const name = relative('.', path).replaceAll(/[\\/]/g, '-')
    writeFileSync(
      join(target, `${basename(name, '.ts')}.test.ts`),
      `// @ts-nocheck\nimport { expect, it } from 'vitest'\n\n${tests.join('\n\n')}\n`,
    )
  }
  return target
}
