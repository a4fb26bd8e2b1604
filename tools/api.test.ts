import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

it('writes the public types of every entry and the names, and refuses a name without a comment', () => {
  const folder = mkdtempSync(join(tmpdir(), 'api-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const api = () => {
    const args = [join(import.meta.dirname, 'api.ts')]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  mkdirSync(join(folder, 'dist'))
  const exports = {
    '.': { types: { default: './dist/index.d.ts' } },
    './more': { types: { default: './dist/more.d.ts' } },
  }
  write('package.json', JSON.stringify({ name: '@x/fruit', exports }))
  const pear = '/** A pear. */\nexport declare class Pear'
  write('dist/index.d.ts', `${pear} extends Fruit<Size> {}\ndeclare abstract class Fruit<T> {}\ninterface Size {}\n`)
  write(
    'dist/more.d.ts',
    "export { Pear } from './index.js'\n/** One. */\ndeclare const own: 1\nexport { own as renamed }\n",
  )
  expect(api()).toEqual({ status: 0, output: '' })
  expect(readFileSync(join(folder, '.api', 'api.d.ts'), 'utf8')).toMatchInlineSnapshot(`
    "// The public types of @x/fruit.

    // ======== @x/fruit

    declare class Pear extends Fruit<Size> {}

    // Used by them, not exported:

    interface Size {}

    // Bases of the classes, not exported:

    declare abstract class Fruit<T> {}

    // ======== @x/fruit/more

    export { Pear } // above

    declare const own: 1
    export { own as renamed }
    "
  `)
  expect(readFileSync(join(folder, 'REFERENCE.md'), 'utf8')).toContain('| `Pear` | class | A pear. |')
  write('dist/index.d.ts', 'export declare class Pear {}\n')
  expect(api()).toMatchObject({ status: 1, output: expect.stringContaining('@x/fruit Pear: expected a comment') })
  write('dist/index.d.ts', `export * from '@x/other'\n${pear} {}\n`)
  expect(api()).toEqual({ status: 0, output: '' })
})
