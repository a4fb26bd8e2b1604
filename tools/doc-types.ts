/**
 * Refuses examples of a package's documentation that do not compile under `strict`: those of Markdown files exactly as printed, those
 * of docstrings with the imports that `doc-examples.ts` adds. All examples of a package are one program.
 *
 * @example cd packages/prompts && node ../../tools/doc-types.ts
 * @example cd examples/ask-markdown && node ../../tools/doc-types.ts ../../README.md
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Example, examplesOf, missingNames } from './doc-examples.ts'

const root = join(import.meta.dirname, '..')
const folder = process.cwd()

/** The settings of a user's compiler, apart from the condition that finds the sources. */
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
  module: 'nodenext',
  moduleDetection: 'force',
  skipLibCheck: true,
  customConditions: ['@x/source'],
  allowImportingTsExtensions: true,
}

/** The module of an example: each of its lines has the number that it has in its document. */
function moduleOf(example: Example): string {
  const imports = [...missingNames(example)].map(
    ([specifier, { values, types }]) =>
      `import { ${[...values, ...types.map((name) => `type ${name}`)].join(', ')} } from '${specifier}';`,
  )
  return `${imports.join(' ')}${'\n'.repeat(example.line - 1)}${example.code}`
}

const examples = examplesOf(folder, process.argv.slice(2))
const target = join(folder, '.doc-types')
rmSync(target, { recursive: true, force: true })
mkdirSync(target)
const fileOf = new Map<string, string>()
for (const [index, example] of examples.entries()) {
  const name = `example-${index}.ts`
  fileOf.set(name, relative(root, join(folder, example.file)))
  writeFileSync(join(target, name), moduleOf(example))
}
writeFileSync(join(target, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...fileOf.keys()] }))

if (examples.length === 0) {
  rmSync(target, { recursive: true })
  console.log('no examples')
  process.exit()
}
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', target, '--pretty', 'false'], { encoding: 'utf8' })
if (status === 0) {
  rmSync(target, { recursive: true })
  console.log(`${examples.length} examples compile`)
} else {
  console.log(
    stdout.replaceAll(
      /^\S*?(example-\d+\.ts)\((\d+),(\d+)\)/gm,
      (_, name, line, column) => `${fileOf.get(name)}:${line}:${column}`,
    ),
  )
  process.exitCode = 1
}
