/**
 * Refuses built packages that do not run in a real browser: in a page with strict CSP and Trusted Types, in workers built by Vite and by
 * webpack, and in a service worker built by esbuild, each with the settings for browsers that bundlers choose by themselves. The stores
 * over the browser's own database run through the checks of their contracts in the page, and a third of these in each worker. A further
 * page runs local models on WebAssembly. The browser comes with the install on Linux x64; elsewhere an installed one is used (`X_BROWSER`
 * names another path).
 *
 * @example node tools/browser.ts
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { build as viteBuild } from 'vite'
import {
  writeCrossEncoderModel,
  writeEmbeddingModel,
  writeEntityModel,
} from '../packages/integrations/transformers/test/tiny-models/tiny-models.ts'
import { wordPiece } from '../packages/integrations/transformers/test/tiny-models/tokenizers.ts'
import { launch } from './browser/launch.ts'
import { webpackBuild } from './bundle.ts'
import { check, report } from './checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'x-browser-'))
/** Inside the workspace, so that bundlers resolve the packages. */
const sources = join(import.meta.dirname, 'browser')

interface Line {
  name: string
  /** The error, or null. */
  problem: string | null
}

/** The results that the places sent, by place. */
const reports = new Map<string, Line[]>()

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.json': 'application/json',
  '.onnx': 'application/octet-stream',
  '.wasm': 'application/wasm',
}

/** The content security policy of the pages below a path: their own scripts, or also WebAssembly. */
const policies: Readonly<Record<string, string>> = {
  strict: "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'",
  'local-models': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
}

/** Serves the built files. */
function serve(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    if (request.method === 'POST') {
      reports.set(pathname.replace('/report/', ''), JSON.parse(await text(request)))
      return response.end()
    }
    const path = join(folder, pathname)
    if (!existsSync(path)) return response.writeHead(404).end()
    const policy = policies[pathname.split('/')[1]!]
    const headers = {
      'content-type': types[extname(path)] ?? 'text/javascript',
      ...(policy !== undefined && { 'content-security-policy': policy }),
    }
    return response.writeHead(200, headers).end(readFileSync(path))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Builds all that is served: pages that start workers with Vite and webpack, as applications do, the others with esbuild. */
async function buildAll(): Promise<void> {
  const shared = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' } as const
  await Promise.all([
    build({ ...shared, entryPoints: [join(sources, 'page.js')], outfile: join(folder, 'strict', 'page.js') }),
    build({
      ...shared,
      entryPoints: [join(sources, 'local-models.js')],
      outfile: join(folder, 'local-models', 'page.js'),
    }),
    build({ ...shared, entryPoints: [join(sources, 'service-worker.js')], outdir: folder, format: 'iife' }),
    webpackBuild({
      context: sources,
      entry: join(sources, 'starts-webpack-worker.js'),
      output: { path: join(folder, 'webpack'), filename: 'page.js' },
      optimization: { minimize: false },
    }),
    viteBuild({
      root: sources,
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: {
        outDir: folder,
        emptyOutDir: false,
        target: 'es2022',
        rollupOptions: { input: join(sources, 'index.html') },
      },
    }),
  ])
  for (const path of [...Object.keys(policies), 'webpack'])
    writeFileSync(join(folder, path, 'index.html'), '<script type="module" src="page.js"></script>')
}

/** Writes the models of the page, and the runtime that the library comes with. */
function addModels(): void {
  const tiny = join(folder, 'tiny')
  writeEmbeddingModel(join(tiny, 'embedding'), { vectors: { dog: [4, 3], cat: [0, 1] } })
  writeCrossEncoderModel(join(tiny, 'cross-encoder'), { words: ['red', 'apple', 'pear'] })
  const labels = { Bob: 'B-PER', Smith: 'I-PER' }
  writeEntityModel(join(tiny, 'names'), { labels, tokenizer: wordPiece([...Object.keys(labels), 'x']) })
  const library = createRequire(createRequire(import.meta.url).resolve('@huggingface/transformers'))
  const runtime = dirname(library.resolve('onnxruntime-web/webgpu'))
  mkdirSync(join(folder, 'ort'))
  for (const name of readdirSync(runtime))
    if (/^ort-wasm-simd-threaded\.(?:asyncify\.)?(?:mjs|wasm)$/.test(name))
      cpSync(join(runtime, name), join(folder, 'ort', name))
}

const places = ['page', 'worker', 'webpack-worker', 'service-worker', 'local-models']
const problems: string[] = []
const server = await serve()
try {
  await buildAll()
  addModels()
  const browser = await launch()
  try {
    const page = await browser.newPage()
    page.on('console', (message) => problems.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => problems.push(String(error)))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await page.goto(`${url}/strict/index.html`)
    await until(() => reports.has('page'))
    await page.goto(`${url}/local-models/index.html`)
    await until(() => reports.has('local-models'))
    await page.goto(`${url}/webpack/index.html`)
    await until(() => reports.has('webpack-worker'))
    await page.goto(`${url}/index.html`)
    await until(() => places.every((place) => reports.has(place)))
  } finally {
    await browser.close()
  }
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Waits for reports. A place that never reports fails, but the program continues. */
async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !done(); tries += 1) await setTimeout(100)
}

for (const place of places) {
  const lines = reports.get(place) ?? [{ name: 'starts', problem: ['sent no report', ...problems].join('\n') }]
  for (const { name, problem } of lines) check(`${place}: ${name}`, problem === null, problem)
}
report('browser')
