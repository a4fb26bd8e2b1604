/// <reference types="node" />
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { Format, issuesOf, thrownBy } from '../../test/sample-models.ts'
import { parseFile, parseRaw } from '../python.ts'

const text = '{"cover": "hard"}'
const bytes = new TextEncoder().encode(text)

describe('fromJson', () => {
  it('reads a JSON string, with overrides', () => {
    expect(Format.fromJson(text).cover).toBe('hard')
    expect(Format.fromJson(text, { cover: 'soft' }).cover).toBe('soft')
  })

  it('rejects strings that are not JSON, with the cause, and values that are not strings', () => {
    expect(thrownBy(() => Format.fromJson('{'))).toMatchObject({
      code: 'model_validation',
      issues: [{ path: '', message: 'invalid JSON (position 1)', code: 'json' }],
      cause: expect.any(SyntaxError),
    })
    for (const bad of ['NaN', '', '{"cover": NaN}'])
      expect(issuesOf(() => Format.fromJson(bad))).toMatchObject([{ code: 'json' }])
    expect(issuesOf(() => Format.fromJson({} as never))).toMatchObject([{ code: 'type' }])
    expect(() => Format.fromJson('{"cover": 1e400}')).toThrow('Format: invalid JSON (the number 1e400 is too large).')
    expect(() => Format.fromJson('{"secret words')).not.toThrow(/secret/)
    expect(issuesOf(() => Format.fromJson('[1]'))).toMatchObject([{ message: 'expected an object, received an array' }])
  })
})

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
