/**
 * Refuses built packages that do not run in a real browser: in a page with strict CSP and Trusted Types, in a module worker built by
 * Vite, and in a service worker built by esbuild, each with the settings for browsers that bundlers choose by themselves. The stores over
 * the browser's own database run through the checks of their contracts in each of them.
 * The browser comes with the install on Linux x64; elsewhere an installed one is used (`X_BROWSER` names another path).
 *
 * @example node tools/browser.ts
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import { build as viteBuild } from 'vite'
import { launch } from './browser/launch.ts'

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

/** Serves the built files. Below `/strict/` a page may run its own scripts and nothing else. */
function serve(): Promise<Server> {
  const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'"
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    if (request.method === 'POST') {
      reports.set(pathname.replace('/report/', ''), JSON.parse(await text(request)))
      return response.end()
    }
    const path = join(folder, pathname)
    if (!existsSync(path)) return response.writeHead(404).end()
    const type = path.endsWith('.html') ? 'text/html' : 'text/javascript'
    const headers = pathname.startsWith('/strict/') ? { 'content-security-policy': policy } : {}
    return response.writeHead(200, { 'content-type': type, ...headers }).end(readFileSync(path))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Builds all that is served: the page that starts workers with Vite, as applications do, the others with esbuild. */
async function buildAll(): Promise<void> {
  const shared = { bundle: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' } as const
  await Promise.all([
    build({ ...shared, entryPoints: [join(sources, 'page.js')], outfile: join(folder, 'strict', 'page.js') }),
    build({ ...shared, entryPoints: [join(sources, 'service-worker.js')], outdir: folder, format: 'iife' }),
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
  writeFileSync(join(folder, 'strict', 'index.html'), '<script type="module" src="page.js"></script>')
}

const places = ['page', 'worker', 'service-worker']
const problems: string[] = []
const server = await serve()
try {
  await buildAll()
  const browser = await launch()
  try {
    const page = await browser.newPage()
    page.on('console', (message) => problems.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => problems.push(String(error)))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await page.goto(`${url}/strict/index.html`)
    await until(() => reports.has('page'))
    await page.goto(`${url}/index.html`)
    await until(() => places.every((place) => reports.has(place)))
  } finally {
    await browser.close()
  }
} finally {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Waits for reports; a place that never answers is a failure of that place, not of the program. */
async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600 && !done(); tries += 1) await setTimeout(100)
}

let [passed, failed] = [0, 0]
for (const place of places) {
  const lines = reports.get(place) ?? [{ name: 'starts', problem: ['sent no report', ...problems].join('\n') }]
  for (const { name, problem } of lines) {
    if (problem === null) passed += 1
    else {
      failed += 1
      console.log(`  ${place}: ${name}: ${problem}`)
    }
  }
}
console.log(`browser: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
