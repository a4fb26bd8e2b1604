// @module-tag system
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { isFull } from '../../../tools/extent.ts'
import { ScenarioModel } from './scenarios/model.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { useClient } from './scenarios/versions.ts'
import { newFolder, Scenario, ScenarioServer } from './scenarios/world.ts'

const folder = newFolder()
let browser: Awaited<ReturnType<typeof launch>>

beforeAll(async () => {
  const root = join(import.meta.dirname, 'scenarios')
  const shared = { root, configFile: false, logLevel: 'error' } as const
  const built = { emptyOutDir: true, minify: false }
  for (const { path, alias } of clients)
    await build({
      ...shared,
      base: './',
      build: { ...built, emptyOutDir: false, outDir: join(folder.path, 'page', path) },
      resolve: { alias },
      define: { 'process.env.NODE_ENV': '"production"' },
    })
  // One file, so that servers start fast.
  await build({
    ...shared,
    build: { ...built, outDir: join(folder.path, 'server'), ssr: 'server.ts' },
    ssr: { noExternal: true, resolve: { conditions: ['@x/source', 'node', 'import', 'default'] } },
  })
  browser = await launch()
}, 120_000)

/** The versions of `useChat`, each with a page of its own; that of the templates is the first one. */
const clients = [
  { version: 7, path: '', alias: {} },
  ...[5, 6].map((version) => ({
    version,
    path: `${version}/`,
    alias: { ai: `ai-${version}`, '@ai-sdk/react': `@ai-sdk/react-${version}` },
  })),
]

afterAll(async () => {
  await browser.close()
  folder.remove()
})

/**
 * All scenarios with both kinds of agents; in `npm run test:system`, every second one with each, and those with servers of their own with
 * durable tasks.
 */
const scenariosOf = (isDurable: boolean) =>
  Object.entries(scenarios).filter(
    ([, { servers = 0 }], index) => isFull || isDurable === (servers > 0 || index % 2 === 0),
  )

/** Each version once in `npm run test:system`, and with both kinds of agents in `npm run test:nightly`. */
const clientsOf = (isDurable: boolean) => clients.filter(({ version }) => isFull || isDurable === (version === 6))

/** What the page shows is what is stored, and what the model is sent. */
describe.each([
  { agent: 'an agent', isDurable: false },
  { agent: 'durable tasks', isDurable: true },
])('$agent', ({ isDurable }) => {
  const model = new ScenarioModel()
  const stores = newFolder()
  let modelUrl: string
  let common: ScenarioServer
  const serverOf = (path: string, isShared = false) => {
    const options = { folder: path, modelUrl, page: join(folder.path, 'page'), isDurable, isShared }
    return new ScenarioServer(join(folder.path, 'server', 'server.js'), options)
  }
  beforeAll(async () => {
    modelUrl = await model.start()
    common = await serverOf(stores.path).start()
  })
  afterAll(async () => {
    await common.kill()
    await model.stop()
    stores.remove()
  })

  it.concurrent.each(scenariosOf(isDurable))('%s', { timeout: 60_000 }, async (name, { servers = 0, run }) => {
    const own = newFolder()
    const started = await Promise.all(Array.from({ length: servers }, () => serverOf(own.path, servers > 1).start()))
    const server = started[0] ?? common
    // Another chat when the test runs again: the first one may still be busy.
    const id = `${name.replaceAll(/\W+/g, '-')}-${own.path.slice(-6)}`
    const scenario = new Scenario({ id, model, server, browser })
    try {
      await run(scenario, started)
    } finally {
      await scenario.end()
      for (const each of started) await each.kill()
      own.remove()
    }
    expect(started.length).toBe(servers)
  })

  it.concurrent.each(clientsOf(isDurable))('AI SDK $version', { timeout: 60_000 }, async ({ version, path }) => {
    const scenario = new Scenario({ id: `client-${version}-${isDurable}`, model, server: common, browser })
    await useClient(scenario, path, version)
    await scenario.end()
    expect(model.requestsFor(`next-v${version}`).length).toBeGreaterThan(0)
  })
})
