// @module-tag system
/** Renames a clone of this repository, whose checks must still pass under the new scope. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneTo } from './clone.ts'
import { runCommand } from './command.ts'

const clone = mkdtempSync(join(tmpdir(), 'x-rename-'))
const run = (...args: string[]) => runCommand(process.execPath, args, { cwd: clone, quiet: true })
const runInstalled = (...args: string[]) => run('tools/with-toolchain.mjs', 'node', ...args)
const read = (path: string) => readFileSync(join(clone, path), 'utf8')

beforeAll(() => {
  cloneTo(clone)
}, 60_000)

afterAll(() => rmSync(clone, { recursive: true, force: true }), 60_000)

it('`npm run rename` turns the scope and the address into those of a publisher, and everything still works', {
  tags: 'nightly',
  timeout: 900_000,
}, () => {
  const { status, output } = runInstalled('tools/rename.ts', '@acme', 'https://github.com/acme/parts.git')
  expect(output).toMatch(/formatted and built\nWhat remains:\n/)
  expect(status).toBe(0)
  const manifest = JSON.parse(read('packages/integrations/openai/package.json'))
  expect(manifest).toMatchObject({
    name: '@acme/openai',
    peerDependencies: { '@acme/core-model': 'workspace:^' },
    exports: { '.': { '@acme/source': './src/index.ts' } },
    homepage: 'https://github.com/acme/parts/tree/main/packages/integrations/openai#readme',
    bugs: 'https://github.com/acme/parts/issues',
    repository: {
      type: 'git',
      url: 'git+https://github.com/acme/parts.git',
      directory: 'packages/integrations/openai',
    },
  })
  expect(read('README.md')).toContain('git clone https://github.com/acme/parts.git && cd parts\n')
  expect(Object.keys(JSON.parse(read('packages/codegen/package.json')).bin)).toEqual(['acme-codegen'])
  expect(read('packages/core/src/errors.ts')).toContain("siteAddress = 'https://acme.github.io/parts'")
  for (const check of ['lint', 'manifests', 'typecheck']) {
    const checked = runInstalled(`tools/${check}.ts`)
    expect(checked.output).toMatch(/ \d+ passed, 0 failed\s*$/)
  }
  expect(runInstalled('tools/smoke.mjs').output).toMatch(/: \d{2} passed, 0 failed\s*$/)
  expect(runInstalled('tools/rename.ts', '@other').output).toContain('not committed')
})
