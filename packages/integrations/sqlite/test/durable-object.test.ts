// @module-tag system
/// <reference types="node" />

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
let host: Miniflare

const start = () =>
  new Miniflare({
    modules: true,
    modulesRoot: folder,
    scriptPath: join(folder, 'worker.js'),
    compatibilityDate: '2026-07-01',
    durableObjects: { CHECKED: { className: 'Checked', useSQLite: true } },
    durableObjectsPersist: join(folder, 'state'),
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'object-'))
  await build({
    entryPoints: [join(import.meta.dirname, 'object-worker.ts')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    conditions: ['@x/source'],
  })
  host = start()
}, 60_000)

afterAll(async () => {
  await host.dispose()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

const ask = async (path: string) => (await host.dispatchFetch(`http://checked${path}`)).json()

it('the stores and indexes pass their checks in a Durable Object', { timeout: 120_000 }, async () => {
  const { count, failed } = (await ask('/checks')) as { count: number; failed: string[] }
  expect(failed).toEqual([])
  expect(count).toBeGreaterThan(50)
})

it('what they have stored is there when the object starts again, and what a transaction has undone is not', async () => {
  const before = (await ask('/count')) as number
  await host.dispose()
  host = start()
  expect(await ask('/count')).toBe(before + 1)
})
