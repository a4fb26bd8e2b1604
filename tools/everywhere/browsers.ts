/** Chromium: a page with a strict content security policy and Trusted Types, a worker, a service worker; and an application of Next. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { launch } from '../browser/launch.ts'
import { mustRun } from '../command.ts'
import { freePort } from '../rehearsal/registry.ts'
import { failed, type Group, type Row, resultIn, type Trial, versionOf } from './trial.ts'

const policy = "default-src 'none'; script-src 'self'; worker-src 'self'; require-trusted-types-for 'script'"
const result = "runSteps().then((found) => 'RESULT ' + JSON.stringify(found))"
/** Each place sets the title of its page. */
const scripts: Readonly<Record<string, string>> = {
  'page.js': `import { runSteps } from './steps.mjs'
${result}.then((text) => (document.title = text))`,
  'worker.js': `import { runSteps } from './steps.mjs'
${result}.then((text) => postMessage(text))`,
  'service-worker.js': `import { runSteps } from './steps.mjs'
self.addEventListener('message', (event) => event.waitUntil(${result}.then((text) => event.source.postMessage(text))))`,
  'starts-worker.js': `const worker = new Worker(trusted('worker.js'), { type: 'module' })
worker.addEventListener('message', ({ data }) => (document.title = data))
worker.addEventListener('error', ({ message }) => (document.title = 'Error: ' + message))
function trusted(url) {
  return trustedTypes.createPolicy('scripts', { createScriptURL: (text) => text }).createScriptURL(url)
}`,
  'starts-service-worker.js': `navigator.serviceWorker.addEventListener('message', ({ data }) => (document.title = data))
const url = trustedTypes.createPolicy('scripts', { createScriptURL: (text) => text }).createScriptURL('service-worker.js')
navigator.serviceWorker.register(url).then(() => navigator.serviceWorker.ready).then(({ active }) => active.postMessage(''))`,
}
const places = [
  ['a page with a strict CSP and Trusted Types', 'page.js'],
  ['a module worker', 'starts-worker.js'],
  ['a service worker', 'starts-service-worker.js'],
] as const

/** The title of a page, once it is a result or an error. */
async function titleOf(page: Page, url: string): Promise<string> {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`Error: ${error.message}`))
  await page.goto(url)
  for (let tries = 0; tries < 300; tries += 1) {
    const title = await page.title()
    if (/^(?:RESULT|Error)/.test(title)) return title
    if (errors.length > 0) return errors.join('\n')
    await setTimeout(100)
  }
  return 'Error: no result within 30 seconds'
}

/** Serves a folder with the policy. */
function serve(folder: string) {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://page').pathname)
    if (!existsSync(path)) return response.writeHead(404).end()
    const type = path.endsWith('.html') ? 'text/html' : 'text/javascript'
    return response.writeHead(200, { 'content-type': type, 'content-security-policy': policy }).end(readFileSync(path))
  })
  return new Promise<typeof server>((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

export async function browserGroup(trial: Trial): Promise<Group> {
  const folder = await trial.install('browser', [])
  trial.write(folder, scripts)
  const out = join(folder, 'out')
  const entryPoints = Object.keys(scripts).map((name) => join(folder, name))
  await build({ entryPoints, outdir: out, bundle: true, format: 'esm', platform: 'browser', target: 'es2022' })
  for (const [, script] of places)
    trial.write(out, { [`${script}.html`]: `<script type="module" src="${script}"></script>` })
  const server = await serve(out)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await launch()
  const rows: Row[] = []
  try {
    const page = await browser.newPage()
    for (const [what, script] of places) {
      const title = await titleOf(page, `${url}/${script}.html`)
      rows.push({ what: `Chromium, ${what}`, version: browser.version(), ...resultIn(title) })
    }
  } finally {
    await browser.close()
    server.close()
  }
  return { name: 'Browsers', unit: 'steps', rows }
}

const route = (runtime: string) => `import { runSteps } from '../../steps.mjs'
export const runtime = '${runtime}'
export const dynamic = 'force-dynamic'
export const GET = async () => new Response('RESULT ' + JSON.stringify(await runSteps()))
`
const next: Readonly<Record<string, string>> = {
  'app/node/route.js': route('nodejs'),
  'app/edge/route.js': route('edge'),
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  'app/page.js': `'use client'
import { useEffect } from 'react'
import { runSteps } from '../steps.mjs'
export default function Page() {
  useEffect(() => void ${result}.then((text) => (document.title = text)), [])
  return <p>steps</p>
}
`,
}

/** Waits until an application answers. */
async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await fetch(url).catch(() => null)) !== null) return
    await setTimeout(100)
  }
  throw new Error(`${url} does not answer`)
}

export async function nextGroup(trial: Trial): Promise<Group> {
  const folder = await trial.install('next', ['next', 'react', 'react-dom'])
  trial.write(folder, next)
  const version = versionOf('next')
  const bin = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next')
  await mustRun(process.execPath, [bin, 'build'], folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app: ChildProcess = spawn(process.execPath, [bin, 'start', '-p', `${port}`], { cwd: folder, stdio: 'ignore' })
  const rows: Row[] = []
  let browser: Browser | undefined
  try {
    await answers(`${url}/node`)
    for (const name of ['node', 'edge']) {
      const text = await (await fetch(`${url}/${name}`)).text()
      rows.push({ what: `Next, ${name} route`, version, ...resultIn(text) })
    }
    browser = await launch()
    const title = await titleOf(await browser.newPage(), url)
    rows.push({ what: 'Next, client page', version, ...resultIn(title) })
  } catch (error) {
    rows.push({ what: 'Next', version, ...failed(error) })
  } finally {
    app.kill()
    await browser?.close()
  }
  return { name: 'Next', unit: 'steps', rows }
}
