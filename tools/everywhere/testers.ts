/** Test runners and programs that run TypeScript: they run the steps from a test or a TypeScript file. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { runBeside } from '../command.ts'
import { type Group, hasNodes, type Row, resultIn, type Trial, versionOf } from './trial.ts'

/** The steps are compiled to CommonJS, the packages are as they come. */
const jestTest = `const { runSteps } = require('./steps.cjs')
test('the steps', async () => console.log('RESULT ' + JSON.stringify(await runSteps())))
`
const importTest = jestTest.replace(/const .*/, "import { runSteps } from './steps.mjs'")
const typed = `import { runSteps } from './steps.mjs'
async function main(): Promise<void> {
  console.log('RESULT ' + JSON.stringify(await runSteps()))
}
void main()
`
const typedCommon = typed.replace('./steps.mjs', './steps.cjs')
const typescriptConfig = (module: string) =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution: module === 'commonjs' ? 'node10' : module,
      target: 'es2022',
      allowJs: true,
      ignoreDeprecations: '5.0',
    },
  })

interface Tester {
  what: string
  tool: string
  tools?: readonly string[]
  type: 'module' | 'commonjs'
  /** The Node that runs it, by its name among the tools; otherwise the one that runs this file. */
  node?: string
  /** The arguments of Node. */
  args: readonly string[]
  files: Readonly<Record<string, string>>
  known?: string
  recipe?: string
}

const bin = (path: string) => join('node_modules', path)
const jest = { tool: 'jest', args: [bin('jest/bin/jest.js')] }
const testers: readonly Tester[] = [
  {
    what: 'Vitest',
    tool: 'vitest',
    type: 'module',
    args: [bin('vitest/vitest.mjs'), 'run', '--globals'],
    files: { 'steps.test.js': importTest },
  },
  {
    ...jest,
    what: 'Jest, CommonJS',
    type: 'commonjs',
    files: { 'steps.test.js': jestTest, 'jest.config.json': '{}' },
    known: 'Jest reads no ES modules by `require`',
  },
  {
    ...jest,
    what: 'Jest, ES modules',
    type: 'module',
    args: ['--experimental-vm-modules', ...jest.args],
    files: { 'steps.test.js': importTest, 'jest.config.json': '{ "transform": {} }' },
    recipe: '`node --experimental-vm-modules node_modules/jest/bin/jest.js`, `"type": "module"`, and `"transform": {}`',
  },
  {
    ...jest,
    what: 'Jest, CommonJS by SWC',
    tools: ['@swc/jest', '@swc/core'],
    type: 'commonjs',
    files: {
      'steps.test.js': jestTest,
      'jest.config.json': JSON.stringify({
        transform: { '^.+\\.m?[jt]sx?$': '@swc/jest' },
        transformIgnorePatterns: ['/node_modules/(?!(?:\\.pnpm/)?@x\\b)'],
      }),
    },
    recipe:
      "`transform: { '^.+\\\\.m?[jt]sx?$': '@swc/jest' }`, `transformIgnorePatterns: ['/node_modules/(?!(?:\\\\.pnpm/)?@x\\\\b)']`",
  },
  {
    what: 'tsx',
    tool: 'tsx',
    type: 'module',
    args: ['--import', 'tsx', 'main.ts'],
    files: { 'main.ts': typed },
  },
  {
    what: 'tsx, CommonJS',
    tool: 'tsx',
    type: 'commonjs',
    args: ['--import', 'tsx', 'main.ts'],
    files: { 'main.ts': typedCommon },
  },
  {
    what: 'ts-node, CommonJS with `module: commonjs`',
    tool: 'ts-node',
    tools: ['typescript-5.9'],
    type: 'commonjs',
    args: [bin('ts-node/dist/bin.js'), '-T', '-C', 'typescript-5.9', 'main.ts'],
    files: { 'main.ts': typedCommon, 'tsconfig.json': typescriptConfig('commonjs') },
  },
  {
    what: 'ts-node, CommonJS, on Node 20.19',
    tool: 'ts-node',
    tools: ['typescript-5.9', 'node-20.19'],
    type: 'commonjs',
    node: 'node-20.19',
    args: [bin('ts-node/dist/bin.js'), '-T', '-C', 'typescript-5.9', 'main.ts'],
    files: { 'main.ts': typedCommon, 'tsconfig.json': typescriptConfig('commonjs') },
  },
  {
    what: 'Node, TypeScript without a tool',
    tool: 'node-26',
    type: 'module',
    args: ['main.ts'],
    files: { 'main.ts': typed },
  },
]

async function tryTester(
  trial: Trial,
  { what, tool, tools = [], type, node, args, files, known, recipe }: Tester,
  index: number,
): Promise<Row> {
  const wanted = [tool, ...tools].filter((name) => name !== 'node-26')
  const folder = await trial.install(`tester-${index}`, wanted, undefined, { type })
  trial.write(folder, files)
  const [source, target] = ['steps.mjs', 'steps.cjs'].map((name) => join(folder, name)) as [string, string]
  if (type === 'commonjs')
    await build({
      entryPoints: [source],
      outfile: target,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'cjs',
    })
  const program = node === undefined ? process.execPath : join(folder, 'node_modules', node, 'bin', 'node')
  const { output } = await runBeside(program, [...args], folder)
  return { what, version: versionOf(tool), ...resultIn(output), ...(known && { known }), ...(recipe && { recipe }) }
}

export async function testerGroup(trial: Trial): Promise<Group> {
  const rows: Row[] = []
  const here = testers.filter(({ node }) => node === undefined || hasNodes)
  for (const [index, tester] of here.entries()) rows.push(await tryTester(trial, tester, index))
  return { name: 'Test runners and TypeScript runners', unit: 'steps', rows }
}
