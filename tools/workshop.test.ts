// @module-tag system
/** The checks and the commands of this repository, tried on a clone of it: planted mistakes, tasks after edits, new things. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneTo, linkInstalled } from './clone.ts'
import { runCommand } from './command.ts'
import { someOf } from './extent.ts'

const root = join(import.meta.dirname, '..')
const clone = mkdtempSync(join(tmpdir(), 'x-workshop-'))
const modules = (folder: string) => join(root, folder, 'node_modules', '.bin')
const env = {
  // What the checkout has built is not built again.
  TURBO_CACHE_DIR: join(root, '.turbo', 'cache'),
  ...process.env,
  PATH: [modules('.'), modules('tools/toolchain'), process.env['PATH']].join(process.platform === 'win32' ? ';' : ':'),
}

const run = (command: string, ...args: string[]) => runCommand(command, args, { cwd: clone, env, quiet: true })

const read = (path: string) => readFileSync(join(clone, path), 'utf8')

/** Runs something on the changed clone, and takes the changes back. */
function after<T>(change: () => void, look: () => T): T {
  change()
  try {
    return look()
  } finally {
    run('git', 'checkout', '-q', '.')
    run('git', 'clean', '-fdq')
  }
}

beforeAll(() => {
  cloneTo(clone)
  linkInstalled(clone)
}, 300_000)

afterAll(() => rmSync(clone, { recursive: true, force: true }), 60_000)

describe('each planted mistake', () => {
  const long = (count: number) => Array.from({ length: count }, (_, i) => `  console.log(${i})\n`).join('')
  const errors = 'packages/prompts/src/errors.ts'
  const test = 'packages/prompts/src/prompt-mixin.test.ts'
  const wrong = 'export const wrong: string = 1'
  const example = '```ts\nconst wrong: string = 1\n```'
  const docstring = '/**\n * A.\n * @example\n * const wrong: string = 1\n */\nexport const a = 1'
  /** All mistakes of a check are planted together. Without `found`, the path of the file must be named. */
  const mistakes: [check: string, what: string, path: string, code: string, found?: string][] = [
    ['lint', 'a circle', 'packages/core-model/src/nodes/text-node.ts', "export * from '../index.ts'", 'noImportCycles'],
    [
      'lint',
      'an import of a higher layer',
      'packages/core-model/src/nodes/strip.ts',
      "export type { LLM } from '../contracts/llm.ts'",
      'nodes is not above contracts',
    ],
    [
      'lint',
      'no dependency',
      'packages/prompts/src/index.ts',
      "export { parse } from 'yaml'",
      'noUndeclaredDependencies',
    ],
    [
      'lint',
      'a dependency of the tests',
      'packages/query-pipeline/src/index.ts',
      "export { PromptTemplate } from '@x/prompts'",
      'noUndeclaredDependencies',
    ],
    ['lint', 'a long function', errors, `export function long() {\n${long(70)}}`, 'noExcessiveLinesPerFunction'],
    ['lint', 'a long file', errors, `export const a = [\n${'  1,\n'.repeat(420)}]`, 'noExcessiveLinesPerFile'],
    ['lint', 'an export that nobody imports', errors, 'export const nobody = 1', 'nobody'],
    ['lint', 'a skipped test', test, "it.skip('a', () => {})", 'noSkippedTests'],
    ['lint', 'a file that is no input of its task', test, "await import('../../../tools/clock.ts')", 'tools/clock.ts'],
    ['typecheck', 'a source', errors, wrong],
    ['typecheck', 'a test', 'packages/postprocessors/test/contract.test.ts', 'const wrong: string = 1\nvoid wrong'],
    ['typecheck', 'a test of types', 'packages/agents/src/errors.test-d.ts', 'expectTypeOf<1>().toEqualTypeOf<2>()'],
    ['typecheck', 'a tool', 'tools/growth.ts', wrong],
    ['doc-types', 'a README', 'packages/prompts/README.md', example],
    ['doc-types', 'a guide', 'docs/guides/trace.md', example],
    ['doc-types', 'a docstring', errors, docstring],
    [
      'workflows',
      'an action that is not pinned',
      '.github/workflows/ci.yml',
      '      - uses: actions/checkout@v7',
      'expected the hash of a commit',
    ],
    [
      'workflows',
      'a command that does not exist',
      '.github/workflows/ci.yml',
      '      - run: npm run quince',
      '"quince"',
    ],
    ['manifests', 'a README that names a command of ours', 'packages/prompts/README.md', 'Run `npm test`.', 'npm test'],
  ]

  const refused = (check: string) => {
    const planted = mistakes.filter(([name]) => name === check)
    const { status, output } = after(
      () => {
        for (const [, , path, code] of planted) appendFileSync(join(clone, path), `\n${code}\n`)
      },
      () => run('node', `tools/${check}.ts`),
    )
    const missed = planted.flatMap(([, what, path, , found = path]) => (output.includes(found) ? [] : [what]))
    expect(missed, output).toEqual([])
    expect(status).toBe(1)
  }
  it.each(['workflows', 'manifests'])('is refused by %s', refused, 300_000)
  it.each(['lint', 'typecheck', 'doc-types'])('is refused by %s', { tags: 'nightly', timeout: 600_000 }, refused)

  it('of a package for every platform is refused by its build: what only Node or a page has', () => {
    const { status, output } = after(
      () => appendFileSync(join(clone, errors), '\nexport const only = [process.cwd(), document.title]\n'),
      () => run('turbo', 'run', 'build', '--filter=@x/prompts', '--no-update-notifier'),
    )
    for (const name of ['process', 'document'])
      expect(output).toMatch(new RegExp(`src/errors\\.ts\\(\\d+,\\d+\\): error.* '${name}'`))
    expect(status).not.toBe(0)
  }, 300_000)
})

describe('the tasks that an edit runs again', () => {
  const tasks = /const test = \[(.*?)\]/s
    .exec(readFileSync(join(root, 'tools', 'test.ts'), 'utf8'))![1]!
    .match(/[\w:-]+/g)!
  const hashes = (): Map<string, string> => {
    run('node', 'tools/code.ts')
    const { output } = run('turbo', 'run', ...tasks, '--dry=json', '--no-update-notifier')
    const found: { taskId: string; hash: string; command: string }[] = JSON.parse(
      output.slice(output.indexOf('{')),
    ).tasks
    return new Map(found.filter(({ command }) => command !== '<NONEXISTENT>').map(({ taskId, hash }) => [taskId, hash]))
  }
  let before = new Map<string, string>()
  beforeAll(() => {
    before = hashes()
  }, 60_000)

  const edits: [what: string, path: string, text: string, most: number][] = [
    ['a comment in a postprocessor', 'packages/postprocessors/src/similarity-postprocessor.ts', '// A comment.\n', 20],
    ['a comment in the loop of agents', 'packages/agents/src/loop/loop.ts', '// A comment.\n', 38],
    ['a test file', 'packages/postprocessors/src/similarity-postprocessor.test.ts', '\n', 3],
    ['a blank line in a tool', 'tools/sizes.ts', '\n', 5],
    ['a README', 'packages/postprocessors/README.md', '\n', 7],
    ['a guide', 'docs/guides/trace.md', '\n', 5],
    ['a decision', 'docs/decisions/0001-toolchain.md', '\n', 3],
  ]
  const tasksAfter = (path: string, text: string): string[] => {
    const now = after(() => appendFileSync(join(clone, path), text), hashes)
    return [...now].flatMap(([taskId, hash]) => (before.get(taskId) === hash ? [] : [taskId]))
  }
  it('are the tests of what depends on its code', () => {
    const again = tasksAfter('packages/postprocessors/src/similarity-postprocessor.ts', 'export const a = 1\n')
    expect(again).toEqual(expect.arrayContaining(['@x/postprocessors#test', '@x/rerank#test', '@x/ask#build']))
  }, 60_000)
  it.each(someOf(edits, 2))(
    'are few: %s',
    (_, path, text, most) => {
      const again = tasksAfter(path, text)
      expect(again.length, again.join(' ')).toBeLessThanOrEqual(most)
      expect(before.size).toBeGreaterThan(60)
    },
    60_000,
  )
})

describe('npm run new', () => {
  const wrote = (kind: string, name: string) =>
    expect(run('node', 'tools/new.ts', kind, name)).toMatchObject({
      status: 0,
      output: expect.stringContaining('wrote packages'),
    })
  const changed = () => run('git', 'diff', '--name-only').output.trim().split('\n')
  const testsPass = (folder: string, ...files: string[]) => {
    const args = ['run', '--config', join(clone, 'vitest.config.ts'), '--mode', 'unit', ...files]
    const { output } = runCommand('vitest', args, { cwd: join(clone, folder), env, quiet: true })
    expect(output).toMatch(/Tests .*passed/)
    expect(output).not.toMatch(/failed/)
  }

  const compiles = (...include: string[]) => {
    const config = { extends: './tsconfig.base.json', include, compilerOptions: { types: ['node'] } }
    writeFileSync(join(clone, 'tsconfig.json'), JSON.stringify(config))
    expect(run('tsc').output).toBe('')
    // The checks that follow format and judge every file.
    rmSync(join(clone, 'tsconfig.json'))
  }

  it('makes the postprocessor of CONTRIBUTING.md, which passes', () => {
    after(
      () => wrote('postprocessor', 'SizeFilter'),
      () => {
        const written =
          read('packages/postprocessors/src/size-filter.schema.ts') + read('packages/postprocessors/src/size-filter.ts')
        const printed = [...read('CONTRIBUTING.md').matchAll(/^```\n\/\/ size-filter[\w.-]*\n([\s\S]*?)^```/gm)]
        expect(printed).toHaveLength(2)
        for (const [, code] of printed) expect(written).toContain(code)
        testsPass('packages/postprocessors', 'size-filter', 'contract')
      },
    )
  }, 600_000)

  it('makes a postprocessor and an integration, which every check accepts', {
    tags: 'nightly',
    timeout: 900_000,
  }, () => {
    after(
      () => {
        wrote('postprocessor', 'SizeFilter')
        // It installs, which must not change what the checkout has installed.
        rmSync(join(clone, 'node_modules'), { recursive: true })
        wrote('integration', 'quince')
      },
      () => {
        compiles('packages/postprocessors', 'packages/integrations/quince')
        expect(run('node', 'tools/lint.ts').output).toMatch(/ \d+ passed, 0 failed/)
        expect(run('node', 'tools/manifests.ts').output).toContain(' 0 failed')
      },
    )
  })

  const withOption = (layer: string): void =>
    expect(run('node', 'tools/new.ts', 'option', layer, 'mostWaiting').output).toContain('These are at most 5 files')
  const expectOption = (path: string): void => {
    expect(read(path)).toMatch(/^ {2}mostWaiting\?: number \| undefined$/m)
    expect(read(path)).toMatch(/^const OPTIONS: .*\{\s*mostWaiting: wholeNumber\(0\)/m)
    compiles(path)
  }

  it('adds an event of agents and an option of a layer, in one file each', () => {
    after(
      () => {
        const { output } = run('node', 'tools/new.ts', 'event', 'model_chosen')
        expect(output).toContain('These are at most 8 files')
        withOption('rateLimit')
      },
      () => {
        const [option, event, ...others] = changed()
        expect(others).toEqual([])
        expect(read(event!)).toMatch(/error: ErrorData \}\n.*\n {2}\| \{ type: 'model_chosen'; text: string \}\n\n/)
        expectOption(option!)
      },
    )
  }, 300_000)

  it.each(['structured', 'cost', 'clearResults', 'toolSearch', 'background'])(
    'adds an option of the layer %s',
    { tags: 'nightly', timeout: 300_000 },
    (layer) => {
      after(
        () => withOption(layer),
        () => {
          expect(changed()).toHaveLength(1)
          expectOption(changed()[0]!)
        },
      )
    },
  )

  it.each([
    [['event', 'Big'], 'Expected the type of an event'],
    [['event', 'text_delta'], 'exists already'],
    [['option', 'nobody', 'most'], 'Expected one of the layers'],
    [['option', 'rateLimit'], 'Expected a layer and its option'],
    [['option', 'rateLimit', 'now'], 'exists already'],
    [['postprocessor', 'small'], 'Expected the name of a class'],
    [['integration', 'Big'], 'Expected a name such as qdrant'],
    [['other'], 'Usage'],
    [['postprocessor', 'SimilarityPostprocessor'], 'exists already'],
  ])('refuses %j', (args, message) => {
    const { status, output } = run('node', 'tools/new.ts', ...args)
    expect(output).toContain(message)
    expect(status).toBe(1)
  })
})

describe('npm run rename', () => {
  it.each([
    [['acme'], 'scope: expected "@"'],
    [[], 'scope: expected "@"'],
    [['@acme', 'acme/parts'], 'address: expected the page of a repository'],
    [['@acme', 'https://git.example/acme/parts', 'parts.example'], 'site: expected an address'],
  ])(
    'refuses %j, and changes nothing',
    (args, message) => {
      const { status, output } = run('node', 'tools/rename.ts', ...args)
      expect(output).toContain(message)
      expect(status).toBe(1)
      expect(run('git', 'status', '--porcelain').output).toBe('')
    },
    120_000,
  )
})
