import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { run, spawnCommand } from '../test/run-command.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Creates a package with these files inside this package, so that it finds the dependencies. */
function packageOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(import.meta.dirname, '..', '.package-'))
  folders.push(folder)
  const manifest = JSON.stringify({ name: 'own', type: 'module', dependencies: { '@x/core-model': '*' } })
  for (const [path, text] of Object.entries({ 'package.json': manifest, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const imports = "import { component, live, nested } from '@x/core-model/schemas'\n"
const shelf = `${imports}import { Integer, String as Text } from 'typebox'
export const Shelf = component('Shelf', 'Contains books.', {
  label: Text({ description: 'The text on it.' }),
  maxBooks: Integer({ minimum: 1, default: 40, description: 'How many fit.' }),
})
`
const shelfClass = "import { ShelfModel } from './generated/shelf.ts'\nexport class Shelf extends ShelfModel {}\n"

describe('x-codegen', () => {
  it('quotes names of fields that are not identifiers', async () => {
    const odd = shelf.replace('label:', "'x-label':")
    const { texts } = await run(packageOf({ 'src/shelf.schema.ts': odd }))
    expect(texts['shelf.ts']?.match(/^ {2}'x-label': string$/gm)).toHaveLength(2)
  })

  it('writes fields, options and a typed base class, one field per line', async () => {
    const { texts } = await run(packageOf({ 'src/shelf.schema.ts': shelf }))
    expect(texts['shelf.ts']).toMatchInlineSnapshot(`
      "// Generated from the schema of the model by x-codegen. Do not edit.
      import { Model, modelOf } from '@x/core-model'

      /** The fields of {@link Shelf}. */
      export interface ShelfFields {
        /** The text on it. */
        label: string
        /** How many fit. @defaultValue 40 */
        readonly maxBooks: number
      }

      /** Constructor options of {@link Shelf}. */
      export interface ShelfOptions {
        /** The text on it. */
        label: string
        /** How many fit. @defaultValue 40 */
        maxBooks?: number | undefined
      }

      declare abstract class Declared extends Model {
        constructor(options: ShelfOptions)
      }
      interface Declared extends ShelfFields {}

      /** The typed base class of {@link Shelf}. */
      export const ShelfModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
        name: 'Shelf',
        description: 'Contains books.',
        className: 'Shelf',
        fields: {
          label: { schema: { type: 'string', description: 'The text on it.' }, required: true },
          maxBooks: { schema: { type: 'integer', minimum: 1, description: 'How many fit.' }, default: 40, bounded: true },
        },
      })
      "
    `)
  })

  it('extends the class of the parent, with its interfaces', async () => {
    const folder = packageOf({
      'src/shelf.schema.ts': shelf,
      'src/furniture/shelf.ts': shelfClass,
      'src/wide.schema.ts': `${imports}import { Shelf } from './shelf.schema.ts'
export const Wide = component('Wide', '', {}, { extends: Shelf })`,
    })
    const text = (await run(folder)).texts['wide.ts']
    expect(text).toContain("import { Shelf } from '../furniture/shelf.ts'")
    expect(text).toContain('export interface WideOptions extends ShelfOptions {}')
    expect(text).toContain('modelOf<typeof Declared>(Shelf, {')
  })

  it('extends the class of a dependency', async () => {
    const source = `import { component, TextNode } from '@x/core-model/schemas'
import { String as Text } from 'typebox'
export const Page = component('Page', '', { label: Text() }, { extends: TextNode })`
    const text = (await run(packageOf({ 'src/page.schema.ts': source }))).texts['page.ts']
    expect(text).toContain("import { TextNode, modelOf } from '@x/core-model'")
    expect(text).toContain('interface PageOptions extends NonNullable<ConstructorParameters<typeof TextNode>[0]> {')
    expect(text).not.toContain('metadata')
  })

  it('copies types of live objects and nested models, with their imports', async () => {
    const source = `${imports}import type { CallbackManager as Manager, ChatMessage } from '@x/core-model'
import type { Reader } from './reading/reader.ts'
export const Shelf = component('Shelf', '', {
  manager: live<Manager>(),
  made: live<Manager>({ schema: { type: 'object', default: {} } }),
  reader: live<<T>(reader: Reader<T>) => Promise<string>>({ holds: 'function', required: true }),
  message: nested<ChatMessage, { content: string }>({ description: 'First.' }),
})`
    const text = (await run(packageOf({ 'src/nested/shelf.schema.ts': source }))).texts['shelf.ts']
    expect(text).toContain(
      "import { type CallbackManager as Manager, type ChatMessage, Model, modelOf } from '@x/core-model'",
    )
    expect(text).toContain("import type { Reader } from '../nested/reading/reader.ts'")
    expect(text).toContain('  manager?: Manager | null | undefined\n')
    expect(text).toContain('  manager: Manager | null\n')
    expect(text).toContain('  made?: Manager | null | undefined\n')
    expect(text).toContain('  made: Manager\n')
    expect(text).toContain('  reader: <T>(reader: Reader<T>) => Promise<string>\n')
    expect(text).toContain('  message: ChatMessage | { content: string }\n')
    expect(text).toContain('  message: ChatMessage\n')
  })

  it('copies the type of typed data, whose schema is checked', async () => {
    const source = `import { component, freeForm, nullable, typedData } from '@x/core-model/schemas'
import { Array as List } from 'typebox'
import type { Point } from './point.ts'
export const Shape = component('Shape', '', {
  corners: typedData<readonly Point[] | null>(nullable(List(freeForm()))),
  center: typedData<Point | null, string>(nullable(freeForm())),
})`
    const text = (await run(packageOf({ 'src/shape.schema.ts': source }))).texts['shape.ts']
    expect(text).toContain("import type { Point } from '../point.ts'")
    expect(text).toContain('  corners?: readonly Point[] | null | undefined\n')
    expect(text).toContain('  corners: readonly Point[] | null\n')
    expect(text).toContain('  center?: Point | null | string | undefined\n')
    expect(text).toContain('  center: Point | null\n')
    expect(text).toContain("corners: { schema: { items: { type: 'object' }, type: ['array', 'null'] } }")
  })

  it('prints arrays, records and lists of values; options are read-only', async () => {
    const source = `import { component, oneOf } from '@x/core-model/schemas'
import { Array as List, Integer, Record, String as Text } from 'typebox'
export const Chart = component('Chart', '', {
  kind: oneOf(['bar', "it's"]),
  rows: List(List(Integer())),
  names: Record(Text(), Text()),
})`
    const text = (await run(packageOf({ 'src/chart.schema.ts': source }))).texts['chart.ts']
    expect(text).toContain("  kind: 'bar' | 'it\\'s'\n")
    expect(text).toContain('  rows: readonly (readonly number[])[]\n')
    expect(text).toContain('  rows: number[][]\n')
    expect(text).toContain('  names: Readonly<Record<string, string>>\n')
    expect(text).toContain('  names: Record<string, string>\n')
  })

  it('shows only the beginning of a long default', async () => {
    const source = `${imports}import { String as Text } from 'typebox'
export const Prompt = component('Prompt', '', { text: Text({ default: 'Read this:\\n' + 'word '.repeat(100) }) })`
    const text = (await run(packageOf({ 'src/prompt.schema.ts': source }))).texts['prompt.ts']
    expect(text).toContain("/** @defaultValue a string of 511 characters, 'Read this:…' */")
    expect(text).toContain('default: `Read this:\nword word')
  })

  it('reads a dependency without schemas, and a package whose schemas it exports', async () => {
    const manifest = { name: 'own', type: 'module', dependencies: { vitest: '*', '@x/core-model': '*' } }
    const { texts, status } = await run(
      packageOf({
        'package.json': JSON.stringify(manifest),
        'src/page.schema.ts': `import { component, TextNode } from '@x/core-model/schemas'
export const Page = component('Page', '', {}, { extends: TextNode })`,
        'src/schemas.ts': "export { Page } from './page.schema.ts'\n",
      }),
    )
    expect({ status, files: Object.keys(texts) }).toEqual({ status: 0, files: ['page.ts'] })
  })

  it('does nothing for a package without schemas', async () => {
    expect(await run(packageOf({}))).toEqual({ status: 0, output: '', texts: {} })
  })

  it('prints each file that is not up to date', async () => {
    const folder = packageOf({ 'src/shelf.schema.ts': shelf })
    const { status, output } = await run(folder, '--check')
    expect(output).toMatch(/shelf\.ts is not up to date; run x-codegen\n$/)
    expect(status).toBe(1)
    await run(folder)
    writeFileSync(
      join(folder, 'src/generated/old.ts'),
      '// Generated from the schema of the model by x-codegen. Do not edit.\n',
    )
    expect((await run(folder)).output).toMatch(/removed .*old\.ts\n$/)
  })

  it('--check fails for a file that differs, and a run writes and removes files', () => {
    const folder = packageOf({ 'src/shelf.schema.ts': shelf })
    expect(spawnCommand(folder, '--check')).toMatchObject({ status: 1, texts: {} })
    expect(spawnCommand(folder).output).toContain('wrote ')
    expect(spawnCommand(folder, '--check')).toEqual({ status: 0, output: '', texts: expect.anything() })
    writeFileSync(join(folder, 'src/shelf.schema.ts'), shelf.replaceAll('Shelf', 'Rack'))
    writeFileSync(join(folder, 'src/generated/table.ts'), 'export const mine = 1\n')
    expect(spawnCommand(folder, '--check').status).toBe(1)
    expect(Object.keys(spawnCommand(folder).texts).sort()).toEqual(['rack.ts', 'table.ts'])
  })

  it('rejects an unknown option, and a missing folder, and writes nothing', async () => {
    const folder = packageOf({ 'src/shelf.schema.ts': shelf })
    const misspelt = await run(folder, '--chek')
    expect(misspelt.output).toMatch(/^--chek: there is no such option\.\n\nx-codegen \[--check\] \[FOLDER…\]\n/)
    expect(misspelt).toMatchObject({ status: 1, texts: {} })
    const nowhere = join(folder, 'nowhere')
    const output = `${nowhere}: expected the folder of a package, found none.\n`
    expect(await run(nowhere)).toMatchObject({ status: 1, output })
  })

  it('--help prints its usage and does nothing else', async () => {
    const { status, output, texts } = await run(packageOf({ 'src/shelf.schema.ts': shelf }), '--help')
    expect([status, texts]).toEqual([0, {}])
    expect(output).toMatch(/^x-codegen \[--check\] \[FOLDER…\]\n/)
  })

  it('without folders rejects a current package without schemas', () => {
    const output = 'expected schemas in src/**/*.schema.ts of this package, found none.\n'
    expect(spawnCommand(packageOf({}))).toEqual({ status: 1, output, texts: {} })
  })

  it('takes the description of a nullable nested model', async () => {
    const source = `${imports}import { nullable } from '@x/core-model/schemas'
import type { ChatMessage } from '@x/core-model'
export const Shelf = component('Shelf', '', { message: nullable(nested<ChatMessage>({ description: 'First.' })) })`
    const text = (await run(packageOf({ 'src/shelf.schema.ts': source }))).texts['shelf.ts']
    expect(text).toContain('  /** First. @defaultValue null */\n  message: ChatMessage | null\n')
  })

  it.each<[string, Record<string, string>, string]>([
    [
      'a live object without a type',
      { 'src/a.schema.ts': `${imports}export const A = component('A', '', { b: live() })` },
      'A.b: add its type: live<Type>({ … })',
    ],
    [
      'a type that is not imported',
      { 'src/a.schema.ts': `${imports}export const A = component('A', '', { b: live<Unknown>() })` },
      'the type Unknown is not imported',
    ],
    [
      'a title that is not the name',
      { 'src/a.schema.ts': `${imports}export const A = component('B', '', {})` },
      'the schema A has the title B',
    ],
    [
      'a schema that the entry does not export',
      { 'src/a.schema.ts': `${imports}export const A = component('A', '', {})`, 'src/schemas.ts': 'export {}' },
      'expected an export of the schema A',
    ],
    [
      'a keyword that is not supported',
      {
        'src/a.schema.ts': `${imports}import { String as Text } from 'typebox'
export const A = component('A', '', { b: Text({ minLength: 2 }) })`,
      },
      'A.b: models do not support the keyword minLength',
    ],
    [
      'an object with any keys of a pattern',
      {
        'src/a.schema.ts': `${imports}import { Unsafe } from 'typebox'
export const A = component('A', '', { b: Unsafe({ type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: {} }) })`,
      },
      'A.b: restrict the keys of an object with propertyNames.enum and additionalProperties',
    ],
    [
      'a schema that is not valid',
      {
        'src/a.schema.ts': `${imports}import { Integer } from 'typebox'
export const A = component('A', '', { b: Integer({ minimum: 'one' as never }) })`,
      },
      'minimum',
    ],
    [
      'a parent that no package has',
      {
        'src/a.schema.ts': `${imports}const Lost = component('Lost', '', {})
export const B = component('B', '', {}, { extends: Lost })`,
      },
      'B: expected a schema Lost in this package or its dependencies, found none.',
    ],
    [
      'a parent class that does not exist',
      {
        'src/a.schema.ts': `${imports}export const A = component('A', '', {})
export const B = component('B', '', {}, { extends: A })`,
      },
      'a file of this package that exports the class A',
    ],
  ])('rejects %s', async (_, files, message) => {
    const { status, output, texts } = await run(packageOf(files))
    expect(output).toContain(message)
    expect({ status, texts }).toEqual({ status: 1, texts: {} })
  })
})
