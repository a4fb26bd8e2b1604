import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const manifest = {
  name: '@x/core',
  version: '0.1.5',
  exports: {
    '.': { types: { default: './dist/index.d.ts' } },
    './internal': { types: { default: './dist/internal.d.ts' } },
  },
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'api-'))
  for (const name of ['dist', 'changesets']) mkdirSync(join(folder, name))
  write('package.json', JSON.stringify(manifest))
  write('dist/index.d.ts', 'export declare class Model {}\n')
  internal('kindOf', 'lazy')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
/** Sets what the entry exports: functions, a class of the main entry, and a constant under another name. */
const internal = (...functions: string[]) =>
  write(
    'dist/internal.d.ts',
    `${functions.map((name) => `export declare function ${name}(): void\n`).join('')}export { Model } from './index.js'
declare const own: 1
export { own as renamed }
`,
  )
const planned = (type: string) => write('changesets/next.md', `---\n"@x/core": ${type}\n---\n\nNext.\n`)

function api(...flags: string[]) {
  const program = join(import.meta.dirname, 'api.ts')
  const args = [program, '--changesets', join(folder, 'changesets'), ...flags]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
const committed = () => readFileSync(join(folder, 'api.d.ts'), 'utf8')

describe('api', () => {
  it('writes the public types, and refuses a file that differs', () => {
    expect(api()).toEqual({ status: 0, output: '' })
    expect(api('--check')).toEqual({ status: 0, output: '' })
    internal('kindOf', 'lazy', 'newId')
    expect(api('--check')).toMatchObject({ status: 1, output: expect.stringContaining('+ declare function newId') })
  })

  it.each(['none', 'patch'])('refuses to remove an internal name with the changeset %s', (type) => {
    api()
    const before = committed()
    if (type !== 'none') planned(type)
    internal('lazy')
    for (const flags of [[], ['--check']]) {
      const { status, output } = api(...flags)
      expect([status, output]).toEqual([1, expect.stringContaining('@x/core/internal no longer exports kindOf,')])
    }
    expect(committed()).toBe(before)
    write('dist/internal.d.ts', 'export declare function kindOf(): void\nexport declare function lazy(): void\n')
    expect(api().output).toContain('no longer exports Model, renamed,')
  })

  it('removes an internal name with a changeset that leaves the ranges of the dependents', () => {
    api()
    internal('lazy')
    planned('minor')
    expect(api()).toEqual({ status: 0, output: '' })
    expect(committed()).not.toContain('kindOf')
    write('package.json', JSON.stringify({ ...manifest, version: '1.2.0' }))
    internal()
    expect(api('--check').status).toBe(1)
    planned('major')
    expect(api()).toEqual({ status: 0, output: '' })
  })

  it('allows the removal of names from other entries', () => {
    write('dist/index.d.ts', 'export declare class Model {}\nexport declare class Old {}\n')
    api()
    write('dist/index.d.ts', 'export declare class Model {}\n')
    expect(api()).toEqual({ status: 0, output: '' })
  })
})
