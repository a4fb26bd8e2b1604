/**
 * TypeScript: every entry of the packages that bring no vendor, and a typed program, without `skipLibCheck`, under each module resolution
 * and strict setting.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runBeside } from '../command.ts'
import { packageFolders } from '../packages.ts'
import { type Group, type Row, type Trial, versionOf } from './trial.ts'

const compilers = ['typescript-5.4', 'typescript-5.6', 'typescript-5.9', 'typescript-6.0', 'typescript-7.0']
/** The module settings: `moduleResolution`, and `module` where it differs. */
const resolutions: readonly (readonly [resolution: string, module: string])[] = [
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['bundler', 'esnext'],
]
const settings: Readonly<Record<string, object>> = {
  strict: {},
  'exact optional properties, verbatim modules': {
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    noUncheckedIndexedAccess: true,
  },
}

const program = `import { FunctionTool, ReActAgent } from '@x/agents'
import { NodeWithScore, TextNode } from '@x/core-model'
import { OpenAI } from '@x/openai'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { PromptTemplate } from '@x/prompts'

const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } as const
const twice = FunctionTool.fromDefaults({ name: 'twice', schema, fn: ({ a }) => 2 * a })
const agent = ReActAgent.fromTools({ llm: new OpenAI({ model: 'any', apiKey: 'key' }), tools: [twice] })
export const nodes: Promise<NodeWithScore[]> = new SimilarityPostprocessor({ similarityCutoff: 0.5 }).postprocessNodes([
  new NodeWithScore({ node: new TextNode({ text: 'a' }), score: 1 }),
])
export const text: string = new PromptTemplate({ template: 'Hello {name}' }).format({ name: 'Ada' })
export const answer: Promise<string> = agent.chat('How much?').then(String)
// @ts-expect-error The template has no such variable.
new PromptTemplate({ template: 'Hello {name}' }).format({ nome: 'Ada' })
`

/** The packages that bring no vendor: their declarations are checked, not those of vendors. */
const ownPackages = packageFolders()
  .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  .filter(({ dependencies = {}, peerDependencies = {} }) =>
    Object.keys({ ...dependencies, ...peerDependencies }).every((name) => name === 'typebox' || name.startsWith('@x/')),
  )

/** Imports every entry of these packages that are in a folder, but for that of Vitest, whose types are large. */
const entriesIn = (folder: string): string =>
  ownPackages
    .filter(({ name }) => existsSync(join(folder, 'node_modules', name)))
    .flatMap(({ name, exports }) =>
      Object.keys(exports)
        .filter((entry) => !entry.endsWith('.json') && entry !== './vitest')
        .map((entry) => name + entry.slice(1)),
    )
    .map((one, index) => `export type * as entry${index} from '${one}'\n`)
    .join('')

/** Compiles the program and the entries in a folder with the packages. Returns the errors, but for those of other packages. */
async function compile(folder: string, tsc: string, options: object): Promise<string[]> {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    skipDefaultLibCheck: true,
    ...options,
  }
  const files = { 'program.ts': program, 'entries.ts': entriesIn(folder) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const { status, output } = await runBeside(process.execPath, [tsc, '-p', config, '--pretty', 'false'], folder)
  const errors = output.split('\n').filter((line) => /error TS/.test(line))
  if (status !== 0 && errors.length === 0) return [output.slice(0, 300)]
  // Old compilers do not read the newest declarations of Node, nor the newest compiler the oldest ones.
  return errors.filter((line) => !line.startsWith('node_modules/') || line.startsWith('node_modules/@x/'))
}

/** The errors in the declarations of installed packages, by a compiler and types of Node that are in another folder. */
export const declarationErrors = (folder: string, modules: string): Promise<string[]> =>
  compile(folder, join(modules, 'typescript', 'bin', 'tsc'), {
    module: 'nodenext',
    typeRoots: [join(modules, '@types')],
  })

export async function compilerGroup(trial: Trial): Promise<Group> {
  const names = ownPackages.map(({ name }) => name)
  const folder = await trial.install('compilers', [...compilers, '@types/node', 'typebox'], names)
  const rows: Row[] = []
  for (const tool of compilers) {
    const tsc = join(folder, 'node_modules', tool, 'bin', 'tsc')
    for (const [moduleResolution, module] of resolutions) {
      const row: Row = {
        what: `TypeScript, \`${moduleResolution}\``,
        version: versionOf(tool),
        passed: 0,
        failures: [],
      }
      // The plain settings are those that most applications have; one resolution is enough for them.
      const tried = Object.entries(settings).filter(([name]) => name !== 'strict' || module === 'nodenext')
      for (const [name, options] of tried) {
        const errors = await compile(folder, tsc, { module, moduleResolution, ...options })
        if (errors.length === 0) row.passed += 1
        else row.failures.push(`${name}: ${errors.length} errors, first: ${errors[0]}`)
      }
      rows.push(row)
    }
  }
  const old = 'typescript-5.9'
  const tsc = join(folder, 'node_modules', old, 'bin', 'tsc')
  const errors = await compile(folder, tsc, { module: 'commonjs', moduleResolution: 'node10' })
  rows.push({
    what: 'TypeScript, `node10`',
    version: versionOf(old),
    passed: errors.length === 0 ? 1 : 0,
    failures: errors.slice(0, 1),
    known: 'this resolution of old times reads no `exports` of packages; TypeScript 7 does not have it',
  })
  return { name: 'TypeScript', unit: 'settings without an error', rows }
}
