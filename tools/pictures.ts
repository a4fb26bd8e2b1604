/**
 * Writes a picture of every page of this repository into `.pictures`, which is ignored: light, dark, and on a phone. They are for people
 * who change the look; what programs can check is tested. Those of the site need `npm run site` first.
 *
 * @example npm run pictures
 * @example npm run pictures -- chat site
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { buildPage, serve } from '../examples/playground/test/pages.ts'
import type { TemplateName } from '../packages/create/src/templates.ts'
import { buildPage as buildProject, deleteProject, projectOf, startServer } from '../packages/create/test/project.ts'
import { serveTasks } from '../packages/devtools/src/serve-tasks.ts'
import { TaskViews } from '../packages/devtools/src/task-views.ts'
import { agentOf, storeWithTask } from '../packages/devtools/test/store.ts'
import { launch } from './browser/launch.ts'
import { looks, openPage } from './browser/page-checks.ts'
import { basePath } from './site/addresses.ts'
import { serveSite } from './site/serve.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.pictures')

/** Opened pages, what is done in each, by the name of its picture, and how their server ends. */
interface Shown {
  url: string
  steps: Readonly<Record<string, (page: Page) => Promise<unknown>>>
  close(): unknown
}

const loaded = (page: Page) => page.waitForLoadState('networkidle')
const textOf = (text: string | RegExp) => (page: Page) => page.getByText(text).last().waitFor({ timeout: 30_000 })
const ask = (label: string, question: string, answer: string | RegExp) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).fill(question)
  await page.keyboard.press('Enter')
  await textOf(answer)(page)
}
const click = (name: string | RegExp, answer: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).last().click()
  await textOf(answer)(page)
}

/** The page of a template of `npm create`. */
const template = (name: TemplateName, steps: Shown['steps']) => async (): Promise<Shown> => {
  const project = projectOf(name)
  buildProject(project)
  const server = await startServer(project)
  const close = async () => {
    await server.kill()
    deleteProject(project)
  }
  return { url: server.url, steps: { empty: loaded, ...steps }, close }
}

/** The page of a program of this repository that prints its address. */
const program = (args: string[], steps: Shown['steps']) => async (): Promise<Shown> => {
  const started = spawn(process.execPath, ['--conditions=@x/source', '--no-warnings', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const close = () => started.kill()
  for await (const line of createInterface({ input: started.stdout })) {
    const [url] = /http:\/\/[\d.:]+\/?/.exec(line) ?? []
    if (url !== undefined) return { url, steps, close }
  }
  throw new Error(`${args[0]} has printed no address.`)
}

/** The pages of the built site, by their path. */
async function site(): Promise<Shown> {
  const server = await serveSite(join(root, 'site', 'dist'))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`
  const open = (path: string) => async (page: Page) => {
    await page.goto(url + path)
    await loaded(page)
  }
  const paths = {
    home: '',
    start: 'start',
    guide: 'guides/stream-to-a-web-page',
    moving: 'come-from/ai-sdk',
    errors: 'errors',
    error: 'errors#tool_timeout',
    missing: 'no-such-page',
    reference: 'reference/',
    class: 'reference/classes/_x_agents.ReActAgent.html',
    decisions: 'decisions/',
  }
  const steps = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, open(path)]))
  const search = async (page: Page) => {
    await open('start')(page)
    await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined")
    await page.locator('.search-button').click()
    await page.locator('dialog[open] input').fill('install')
    await page.locator('dialog[open] li').first().waitFor()
  }
  return { url, steps: { ...steps, search }, close: () => server.close() }
}

/** The README, about as wide as a repository shows it. */
async function readme(): Promise<Shown> {
  const { resolve } = createRequire(join(root, 'packages', 'integrations', 'readers', 'package.json'))
  const [{ micromark }, { gfmTable, gfmTableHtml }] = await Promise.all(
    ['micromark', 'micromark-extension-gfm-table'].map((name) => import(pathToFileURL(resolve(name)).href)),
  )
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const html = micromark(text, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] })
  const style = `:root { color-scheme: light dark } body { max-width: 838px; margin: 32px auto; padding: 0 16px; font: 16px/1.5 sans-serif }
    pre, code { background: light-dark(#f6f8fa, #151b23) } pre { padding: 16px; overflow: auto } img { max-width: 100% }
    table { display: block; overflow: auto; border-collapse: collapse } td, th { padding: 6px 13px; border: 1px solid #8888 }`
  const base = pathToFileURL(`${root}/`).href
  const page = `<!doctype html><meta charset=utf-8><base href="${base}"><meta name="viewport" content="width=device-width"><style>${style}</style>${html}`
  const made = mkdtempSync(join(tmpdir(), 'readme-'))
  const file = join(made, 'readme.html')
  writeFileSync(file, page)
  return { url: pathToFileURL(file).href, steps: { first: loaded }, close: () => rmSync(made, { recursive: true }) }
}

async function playground(): Promise<Shown> {
  const made = mkdtempSync(join(root, 'examples', 'playground', '.package-'))
  await buildPage(join(made, 'page'))
  const server = await serve(join(made, 'page'))
  const tab = (name: string) => async (page: Page) => {
    await page.goto(`${server.url}#${name}`)
    await page.reload()
    await loaded(page)
  }
  const names = ['agent', 'search', 'markdown', 'prompt', 'python', 'evaluate']
  const steps = { first: loaded, ...Object.fromEntries(names.map((name) => [name, tab(name)])) }
  const close = () => {
    server.close()
    rmSync(made, { recursive: true })
  }
  return { url: server.url, steps, close }
}

async function devtools(): Promise<Shown> {
  const served = await serveTasks(new TaskViews({ store: await storeWithTask(), agent: agentOf }), 0)
  const fork = async (page: Page) => {
    await page.getByRole('button', { name: 'Fork from here, turn 1' }).first().click()
    await page.getByRole('heading', { name: 'Forked from' }).waitFor()
  }
  return { url: served.url, steps: { task: loaded, fork }, close: () => served.close() }
}

const shown: Readonly<Record<string, () => Promise<Shown>>> = {
  chat: template('chat', {
    answer: ask('Message', 'Compare apples, plums and cherries.', 'The cheapest are'),
    approval: ask('Message', 'Order 3 kg of pears for Ann.', 'Needs your approval'),
    edit: click('Edit', 'Approve with changes'),
    done: click('Approve with changes', 'before noon'),
    stopped: async (page) => {
      await page.getByLabel('Message', { exact: true }).fill('Compare apples, plums and cherries.')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('button', { name: 'Try again' }).last().waitFor()
    },
    failed: async (page) => {
      await page.route('**/api/chat', (route) => route.abort())
      await page.getByLabel('Message', { exact: true }).fill('What do pears cost?')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await page.unroute('**/api/chat')
    },
  }),
  durable: template('durable', {
    waits: ask('Message', 'Pay Ann 20 EUR for order 7.', 'Needs your approval'),
    done: click('Approve', 'with the key'),
  }),
  documents: template('documents', {
    answer: ask('Question', 'How long do pears keep?', 'docs/fruit.md'),
    nothing: ask('Question', 'zeppelin?', 'No document answers this.'),
  }),
  devtools,
  ask: program(['packages/integrations/ask/src/main.ts', '--serve', 'docs', '--port', '0'], {
    empty: loaded,
    sections: async (page) => {
      await page.locator('#question').fill('What does LLMRerank do?')
      await page.locator('#sections li').first().waitFor()
    },
    document: async (page) => {
      await page.keyboard.press('Enter')
      await page.locator('.here').first().waitFor()
    },
  }),
  orders: program(['examples/durable-agent/src/main.ts', '--engine', 'store', '--orders', '4', '--kills', '1'], {
    running: (page) => page.waitForTimeout(4_000),
  }),
  playground,
  readme,
  site,
}

const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(shown)
mkdirSync(folder, { recursive: true })
const browser = await launch()
for (const name of names) {
  const open = shown[name]
  if (open === undefined) throw new Error(`Expected some of ${Object.keys(shown).join(', ')}, received ${name}.`)
  if (name === 'site' && !existsSync(join(root, 'site', 'dist'))) {
    console.log('site: run `npm run site` first')
    continue
  }
  const { url, steps, close } = await open()
  for (const look of looks) {
    const { page, problems } = await openPage(browser, url, look)
    for (const [step, act] of Object.entries(steps)) {
      await act(page).catch((error: Error) => console.log(`${name} ${step} ${look.name}: ${error.message}`))
      await page.screenshot({ path: join(folder, `${name}-${step}-${look.name}.png`) })
    }
    for (const problem of problems) console.log(`${name} ${look.name}: ${problem}`)
  }
  await close()
  console.log(name)
}
await browser.close()
