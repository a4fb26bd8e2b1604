/**
 * Turns the examples of a package's documentation into tests.
 * `// => value` behind a statement states what it returns: a value, `throws code`, or `instance of Class`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseAst } from 'vite'
import { type Example, examplesOf, missingNames } from './doc-examples.ts'

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

/** The body of a test that runs an example. */
function testBody(example: Example): string {
  const { code } = example
  const body = (parseAst(code, { lang: 'ts', sourceType: 'module' }) as unknown as { body: Statement[] }).body
  const imports: string[] = []
  let result = ''
  let from = 0
  let checks = 0
  for (const [index, statement] of body.entries()) {
    if (statement.type === 'ImportDeclaration') {
      const names = (statement.specifiers ?? []).map(({ type, imported, local }) => {
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
  for (const [specifier, { values }] of missingNames(example)) {
    if (values.length > 0) imports.push(`const { ${values.join(', ')} } = await import('${specifier}')`)
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

/** The test that runs an example. */
function testOf(example: Example): string {
  const title = JSON.stringify(`${example.file}:${example.line}`)
  try {
    return `it(${title}, async () => {\n${testBody(example)}\n})`
  } catch (error) {
    const message = `not readable as TypeScript: ${(error as Error).message}`
    return `it(${title}, () => { throw new Error(${JSON.stringify(message)}) })`
  }
}

interface DocTestOptions {
  /** Further Markdown files, relative to the folder. */
  documents: readonly string[]
  /** Whether the examples of the folder itself run. Without them, the tests have the tag `system`. */
  own: boolean
}

/** Writes the tests of a package's examples into `.doc-examples/MODE`. */
export function writeDocTests(folder: string, mode: string, { documents, own }: DocTestOptions): void {
  const target = join(folder, '.doc-examples', mode)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const examples = examplesOf(folder, documents).filter(({ file }) => own || documents.includes(file))
  for (const file of new Set(examples.map((example) => example.file))) {
    const tests = examples.filter((example) => example.file === file).map(testOf)
    const name = basename(file.replaceAll('../', '').replaceAll(/[\\/]/g, '-'), '.ts')
    const tag = own ? '' : '// @module-tag system\n'
    const text = `${tag}// @ts-nocheck\nimport { expect, it } from 'vitest'\n\n${tests.join('\n\n')}\n`
    writeFileSync(join(target, `${name}.test.ts`), text)
  }
}
