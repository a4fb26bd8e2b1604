/**
 * Makes the files of something new, ready to be filled in: they compile, and their tests pass.
 *
 * @example npm run new -- postprocessor SizeFilter
 * @example npm run new -- integration qdrant
 * @example npm run new -- event model_chosen
 * @example npm run new -- option rateLimit mostWaiting
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runCommand } from './command.ts'

const root = join(import.meta.dirname, '..')
const [kind, name = '', option = ''] = process.argv.slice(2)

/** The name of the file of a class: `SizeFilter` is in `size-filter.ts`. */
const fileNameOf = (className: string) =>
  className.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()

function stop(message: string): never {
  console.error(message)
  process.exit(1)
}

function write(path: string, text: string): void {
  if (existsSync(join(root, path))) stop(`${path} exists already.`)
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  console.log(`wrote ${path}`)
}

/** Adds lines to the end of a file; the formatter sorts exports. */
function append(path: string, lines: string): void {
  writeFileSync(join(root, path), readFileSync(join(root, path), 'utf8') + lines)
  console.log(`added to ${path}`)
}

function run(command: string, ...args: string[]): void {
  if (runCommand(command, args, { cwd: root }).status !== 0) stop(`${command} ${args.join(' ')} failed.`)
}

/** Formats, and sorts imports and exports. The rules of the linter would read the whole repository, for circles of imports. */
function format(...paths: string[]): void {
  run('biome', 'check', '--write', '--linter-enabled=false', '--log-level=error', ...paths)
}

/** Builds a package, and writes the list of its public names. */
function writeNames(folder: string): void {
  run('turbo', 'run', 'build', `--filter=@x/${folder}`, '--output-logs=errors-only', '--no-update-notifier')
  run('node', 'tools/names.ts', '--write', folder)
}

function newPostprocessor(): void {
  if (!/^[A-Z][A-Za-z0-9]+$/.test(name)) stop(`Expected the name of a class, such as SizeFilter, received "${name}".`)
  const file = fileNameOf(name)
  const src = 'packages/postprocessors/src'
  write(
    `${src}/${file}.schema.ts`,
    `import { Integer } from 'typebox'
import { nodePostprocessor } from './node-postprocessor.schema.ts'

export const ${name} = nodePostprocessor('${name}', 'Keeps short nodes.', {
  maxLength: Integer({
    extension: true,
    description: 'The maximum length of a kept text, in characters.',
    minimum: 0,
    default: 100,
  }),
})
`,
  )
  write(
    `${src}/${file}.ts`,
    `/**
 * @module
 * Keeps short nodes.
 */
import type { NodeWithScore } from '@x/core-model'
import { ${name}Model } from './generated/${file}.ts'
import type { PostprocessRun } from './node-postprocessor.ts'

/**
 * Keeps the nodes whose text has at most \`maxLength\` characters, in the order of the input.
 * @example
 * const nodes = ['short', 'much longer'].map((text) => new NodeWithScore({ node: new TextNode({ text }) }))
 * ;(await new ${name}({ maxLength: 5 }).postprocessNodes(nodes)).map(({ text }) => text) // => ['short']
 */
export class ${name} extends ${name}Model {
  protected override async process(nodes: readonly NodeWithScore[], { reasons }: PostprocessRun) {
    for (const entry of nodes) reasons?.set(entry, \`\${entry.text.length} of \${this.maxLength} characters\`)
    return nodes.filter(({ text }) => text.length <= this.maxLength)
  }
}
`,
  )
  write(
    `${src}/${file}.test.ts`,
    `import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ${name} } from './${file}.ts'

const entry = (text: string) => new NodeWithScore({ node: new TextNode({ text }) })

describe('${name}', () => {
  it('keeps a text that has exactly the maximum length', async () => {
    const kept = await new ${name}({ maxLength: 3 }).postprocessNodes([entry('abc'), entry('abcd')])
    expect(kept.map(({ text }) => text)).toEqual(['abc'])
  })
})
`,
  )
  append(`${src}/schemas.ts`, `export { ${name} } from './${file}.schema.ts'\n`)
  append(
    `${src}/index.ts`,
    `export { ${name} } from './${file}.ts'\nexport type { ${name}Options } from './generated/${file}.ts'\n`,
  )
  const released =
    JSON.parse(readFileSync(join(root, 'packages/postprocessors/package.json'), 'utf8')).version !== '0.0.0'
  if (released)
    write(`.changeset/${file}.md`, `---\n"@x/postprocessors": minor\n---\n\n\`${name}\` keeps short nodes.\n`)
  run('node', 'tools/with-toolchain.mjs')
  format('packages/postprocessors/src')
  writeNames('postprocessors')
  console.log(`
Write the fields in ${file}.schema.ts, the behavior in ${file}.ts, its tests${released ? ', the changeset' : ''}, and a line in the README.
Then \`npm run names -- --write\` and \`npm test -- postprocessors\`. A class with required options needs an entry in
test/contract.test.ts, which tests it like all others.`)
}

function newIntegration(): void {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) stop(`Expected a name such as qdrant, received "${name}".`)
  const folder = `packages/integrations/${name}`
  const manifest = JSON.parse(readFileSync(join(root, 'packages/integrations/openai/package.json'), 'utf8'))
  const { license, type, sideEffects, files, engines, publishConfig, exports, scripts } = manifest
  write(
    `${folder}/package.json`,
    `${JSON.stringify(
      {
        name: `@x/${name}`,
        version: '0.0.0',
        description: `Connects ${name}.`,
        keywords: [name, 'llm', 'retrieval', 'typescript'],
        ...{ license, type, sideEffects, files, engines, publishConfig, exports, scripts },
        devDependencies: { '@x/core': 'workspace:^', '@x/core-model': 'workspace:^' },
        peerDependencies: manifest.peerDependencies,
        peerDependenciesMeta: { typebox: { optional: true } },
      },
      null,
      2,
    )}\n`,
  )
  write(
    `${folder}/src/index.ts`,
    `/**
 * @module
 * Connects ${name}.
 */
import { TextNode } from '@x/core-model'

/**
 * Returns a node with a text.
 * @example
 * nodeOf('a').text // => 'a'
 */
export function nodeOf(text: string): TextNode {
  return new TextNode({ text })
}
`,
  )
  write(
    `${folder}/src/index.test.ts`,
    `import { expect, it } from 'vitest'
import { nodeOf } from './index.ts'

it('returns a node with the text', () => {
  expect(nodeOf('a').text).toBe('a')
})
`,
  )
  const headings = ['When to use it', 'Install', 'Use', 'API', 'Errors', 'Serialization']
  const contents: Record<string, string> = {
    Install: `\`\`\`sh\nnpm install @x/${name} @x/core-model @x/core\n\`\`\`\n`,
    Use: `\`\`\`ts\nimport { nodeOf } from '@x/${name}'\n\nnodeOf('a').text // => 'a'\n\`\`\`\n`,
  }
  const sections = headings.map((heading) => `## ${heading}\n\n${contents[heading] ?? 'To be written.\n'}`)
  write(`${folder}/README.md`, `# @x/${name}\n\nConnects ${name}.\n\n${sections.join('\n')}`)
  write(
    `.changeset/${name}.md`,
    `---\n"@x/${name}": major\n---\n\nFirst release. The README of the package describes it.\n`,
  )
  const tools = JSON.parse(readFileSync(join(root, 'tools/package.json'), 'utf8'))
  tools.dependencies[`@x/${name}`] = 'workspace:*'
  writeFileSync(join(root, 'tools/package.json'), JSON.stringify(tools, null, 2))
  format(folder, 'tools/package.json')
  run('pnpm', 'install', '--lockfile-only', '--loglevel=warn')
  run('pnpm', 'install', '--frozen-lockfile', '--loglevel=warn')
  writeNames(name)
  console.log(`
Write the package, its README, the changeset, a line in the table of README.md, a size budget in tools/sizes.ts, and its folders in
tools/layers.config.ts if it has any. Its vendor's library is a peer dependency and a development dependency.
Then \`npm run names -- --write\` and \`npm test -- ${name}\`.`)
}

/** Inserts text into a file before what a pattern finds behind another one. */
function insert(path: string, text: string, before: RegExp, behind = /^/): void {
  const all = readFileSync(join(root, path), 'utf8')
  const from = behind.exec(all)
  const to = from && before.exec(all.slice(from.index))
  if (!from || !to) stop(`${path} has no place for it: expected ${before} behind ${behind}.`)
  const at = from.index + to.index
  writeFileSync(join(root, path), all.slice(0, at) + text + all.slice(at))
  console.log(`added to ${path}`)
}

/** An event that a layer reports while a step runs. Everything between the layer and the reader passes it on. */
function newEvent(): void {
  if (!/^[a-z]+(_[a-z]+)*$/.test(name)) stop(`Expected the type of an event, such as model_chosen, received "${name}".`)
  const path = 'packages/agents/src/task/agent-event.ts'
  if (readFileSync(join(root, path), 'utf8').includes(`'${name}'`)) stop(`The event ${name} exists already.`)
  const member = `\n  /** What has happened, and when it is reported. */\n  | { type: '${name}'; text: string }`
  insert(path, member, /\n\n/, /^export type StepEvent</m)
  console.log(`
Write its data and its comment there. A layer in packages/agents/src/layers reports it: scope.emit?.({ type: '${name}', … }). Add a test beside
that layer, a row to the table of events in packages/agents/README.md, and a moment to the recorded run in tools/site/events.ts, whose page
shows a sample of each event. Pages ignore it until packages/integrations/ai-sdk/src/ui-message-stream.ts and ag-ui-events.ts have a case for
it, with a test of both. These are at most 8 files. Then \`npm test -- agents\`.`)
}

/** An option of a layer that has a table of its options. */
function newOption(): void {
  if (!/^[a-z][A-Za-z0-9]*$/.test(option)) stop(`Expected a layer and its option, received "${name} ${option}".`)
  const files = globSync('packages/{agents/src/layers,layers/src}/*.ts', { cwd: root })
  const tableOf = new Map(
    files.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      const table = /^const OPTIONS: OptionTable<(\w+)> = \{/m.exec(text)?.[1]
      const layer = /checkOptions\('(\w+)', [\w.]+, OPTIONS\)/.exec(text)?.[1]
      return table && layer ? [[layer, { path: path.replaceAll('\\', '/'), table, text }] as const] : []
    }),
  )
  const found = tableOf.get(name)
  if (found === undefined)
    stop(`Expected one of the layers ${[...tableOf.keys()].sort().join(', ')}, received "${name}".`)
  const { path, table, text } = found
  if (new RegExp(`^  ${option}\\??: `, 'm').test(text)) stop(`The option ${option} of ${name} exists already.`)
  const member = `  /** What it does, its unit and its range: at least 0. @defaultValue what happens without it */\n  ${option}?: number | undefined\n`
  insert(path, member, /^\}/m, new RegExp(`^(?:export )?interface ${table}\\b`, 'm'))
  insert(path, `${option}: wholeNumber(0), `, /(?<=\{)/, /^const OPTIONS: /m)
  if (!/\bwholeNumber\b.*from '@x\/core\/options'/.test(text)) insert(path, 'wholeNumber, ', /type OptionTable\b/)
  format(path)
  console.log(`
Write the comment of ${option} and its check in OPTIONS (@x/core/options has others), read it as options.${option}, and test its bounds beside
the layer. Say what it is for where the guide or the README describes ${name}. These are at most 5 files.
Then \`npm test -- ${path.split('/')[1]}\`; if it refuses the size, read tools/sizes.ts.`)
}

const kinds: Record<string, () => void> = {
  postprocessor: newPostprocessor,
  integration: newIntegration,
  event: newEvent,
  option: newOption,
}
const make = kinds[kind ?? '']
if (make === undefined) stop(`Usage: npm run new -- ${Object.keys(kinds).join('|')} NAME (option LAYER NAME)`)
make()
