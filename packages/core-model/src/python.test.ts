/// <reference types="node" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Model } from '@x/core'
import { fields, integer, nullable, oneOf, string } from '@x/core/fields'
import { afterAll, describe, expect, it } from 'vitest'
import { issuesOf, pathsOf } from '../../../tools/thrown.ts'
import { fromOrm, parseFile, parseRaw, updateForwardRefs } from './python.ts'

class Format extends fields(Model, 'Format', { cover: oneOf(['hard', 'soft'], { default: 'soft' }) }) {}

class Book extends fields(Model, 'Book', {
  title: string(),
  pageCount: integer({ minimum: 1, default: 100 }),
  isbn: nullable(string(), { wire: 'isbn_no', aliases: ['isbn'] }),
}) {}

const text = '{"cover": "hard"}'
const bytes = new TextEncoder().encode(text)

describe('parseRaw', () => {
  it.each([
    undefined,
    null,
    '',
    'application/json',
    'APPLICATION/JSON; charset=utf-8',
    'application/vnd.api+json',
    'text/javascript',
  ])('accepts the content type %s', (contentType) => {
    expect(parseRaw(Format, bytes, { contentType }).cover).toBe('hard')
  })

  it.each([
    [{ contentType: 'text/plain' }, 'content_type'],
    [{ contentType: 'application/pickle' }, 'content_type'],
    [{ proto: 'pickle' }, 'proto'],
    [{ allowPickle: true }, 'pickle'],
  ])('rejects %o', (options, code) => {
    expect(issuesOf(() => parseRaw(Format, text, options))).toMatchObject([{ path: '', code }])
  })

  it('decodes bytes strictly, in the encoding of the options', () => {
    const latin = new Uint8Array([
      ...new TextEncoder().encode('{"cover":"hard","x":"'),
      0xe4,
      ...new TextEncoder().encode('"}'),
    ])
    expect(issuesOf(() => parseRaw(Format, latin))).toMatchObject([{ code: 'encoding' }])
    expect(parseRaw(Format, latin, { encoding: 'latin1' }).cover).toBe('hard')
    expect(issuesOf(() => parseRaw(Format, bytes, { encoding: 'no-such' }))).toMatchObject([{ code: 'encoding' }])
    expect(parseRaw(Format, text, { encoding: 'no-such', proto: 'json' }).cover).toBe('hard')
  })
})

describe('parseFile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parse-file-'))
  const path = join(folder, 'format.json')
  writeFileSync(path, text)
  afterAll(() => rmSync(folder, { recursive: true }))

  it('reads a file by path or URL, with any name', async () => {
    writeFileSync(join(folder, 'format.txt'), text)
    expect((await parseFile(Format, path)).cover).toBe('hard')
    expect((await parseFile(Format, pathToFileURL(path))).cover).toBe('hard')
    expect((await parseFile(Format, join(folder, 'format.txt'))).cover).toBe('hard')
  })

  it('throws errors of the file system unchanged', async () => {
    await expect(parseFile(Format, join(folder, 'none.json'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('rejects pickles without reading them', async () => {
    await expect(parseFile(Format, '/none/x.PKL')).rejects.toMatchObject({
      code: 'model_validation',
      issues: [{ code: 'pickle' }],
    })
  })

  it('reads with the option readFile, and throws not_supported without a file system', async () => {
    await expect(parseFile(Format, path, { platform: { process: {} } })).rejects.toMatchObject({
      code: 'not_supported',
    })
    const asked: unknown[] = []
    const readFile = async (address: string | URL) => {
      asked.push(address)
      return bytes
    }
    expect((await parseFile(Format, 'x.json', { readFile, platform: {} })).cover).toBe('hard')
    expect(asked).toEqual(['x.json'])
  })
})

describe('fromOrm', () => {
  it('reads declared fields from the properties of any object, inherited ones too', () => {
    class Row {
      get title() {
        return 'A'
      }
      isbn_no = '978'
      page_count = 3
      other = 1
    }
    expect(fromOrm(Book, new Row()).toDict()).toEqual({ title: 'A', page_count: 3, isbn_no: '978', class_name: 'Book' })
  })

  it('prefers the API name, also if its value is null', () => {
    expect(fromOrm(Book, { title: 'A', isbn: null, isbn_no: 'wire' }).fieldsSet.has('isbn')).toBe(true)
    expect(fromOrm(Book, { title: 'A', isbn: null, isbn_no: 'wire' }).isbn).toBeNull()
    expect(pathsOf(() => fromOrm(Book, { title: 'A', pageCount: null }))).toEqual(['pageCount'])
  })

  it('validates, and rejects values that are not objects', () => {
    expect(pathsOf(() => fromOrm(Book, { pageCount: 0 }))).toEqual(['title', 'pageCount'])
    for (const value of [null, undefined, 'text']) expect(pathsOf(() => fromOrm(Book, value as never))).toEqual([''])
  })
})

describe('updateForwardRefs', () => {
  it('does nothing', () => {
    expect(updateForwardRefs()).toBeNull()
  })
})
