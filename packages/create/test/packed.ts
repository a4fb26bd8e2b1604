/**
 * Refuses a `@x/create` whose projects do not work: packs it, makes the project of every template with the installed command, installs the
 * packed packages that it names, checks its types, and starts it without a model and with a model server. The pages are used in a browser.
 * Needs built packages. The registry is asked for what the templates import; npm's cache serves repeated runs.
 *
 * @example node packages/create/test/packed.ts
 * @example node packages/create/test/packed.ts next
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { launch } from '../../../tools/browser/launch.ts'
import { openPage } from '../../../tools/browser/page-checks.ts'
import { check, runChecks } from '../../../tools/checks.ts'
import { mustRun, runBeside } from '../../../tools/command.ts'
import { chunk, eventText, json, LoopbackServer, pieces } from '../../../tools/loopback-model-server.ts'
import { installProject, installWithNpm, packedIn, packWithDependencies } from '../../../tools/packed.ts'

type Browser = Awaited<ReturnType<typeof launch>>
type Page = Awaited<ReturnType<typeof openPage>>['page']

const root = join(import.meta.dirname, '..', '..', '..')
const PACKAGE = join(root, 'packages', 'create')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
/** The environment without a model. npm must not believe that pnpm started it. */
const { OPENAI_API_KEY: _, MODEL: _model, MODEL_URL: _url, npm_config_user_agent: _agent, ...environment } = process.env
const withModel = (url: string) => ({ ...environment, MODEL_URL: url, MODEL: 'loopback' })

/** Makes a project with the installed command, and installs it with packed packages instead of those of the registry. */
async function make(folder: string, template: string): Promise<string> {
  const bin = join(folder, 'maker', 'node_modules', '.bin', 'create')
  await mustRun(bin, [template, '--template', template], folder)
  const project = join(folder, template)
  const manifest = read(join(project, 'package.json'))
  const wrong = Object.entries(manifest.dependencies as Record<string, string>).filter(
    ([name, range]) => !(name.startsWith('@x/') ? range === `^${versionOf(name)}` : /^\^\d/.test(range)),
  )
  check(`${template}: the versions of its packages are those of the release`, wrong.length === 0, wrong)
  Object.assign(manifest.dependencies, await packWithDependencies(project, packedIn(folder)))
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  await installWithNpm(project)
  const types = await runBeside('npm', ['run', 'typecheck'], project, environment)
  check(`${template}: npm run typecheck`, types.status === 0, types.output)
  return project
}

const versionOf = (name: string): string => read(join(root, 'tools', 'node_modules', name, 'package.json')).version

/** Runs a script of a project, and checks what it prints. */
async function runs(project: string, args: string[], expected: RegExp, env: NodeJS.ProcessEnv = environment) {
  const { status, output } = await runBeside('npm', args, project, env)
  check(`npm ${args.join(' ')} prints ${expected}`, status === 0 && expected.test(output), output)
}

async function withServer(work: (server: LoopbackServer, url: string) => Promise<void>): Promise<void> {
  const server = new LoopbackServer()
  try {
    await work(server, await server.start())
  } finally {
    await server.stop()
  }
}

const message = (content: string) =>
  json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
const stream = (...deltas: object[]) => pieces([eventText([...deltas.map((delta) => chunk(delta)), chunk({}, 'stop')])])
const toolCall = (name: string, args: object) =>
  stream({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name, arguments: JSON.stringify(args) } }] })

/** Each template, as its README says it is used. */
const templates: Record<string, (project: string) => Promise<void>> = {
  async part(project) {
    const expected = /kept: pear\n[\s\S]*wine: score 0\.1 is below the cutoff 0\.5/
    await runs(project, ['start'], expected)
    await withServer(async (server, url) => {
      server.willAnswer(message('Doc: 1, Relevance: 8'))
      await runs(project, ['start'], /kept: plum\n/, withModel(url))
    })
  },
  async documents(project) {
    await used(project, environment, async (page) => {
      await ask(page, 'Question', 'How long do pears keep?', /The answer is scripted/)
      const source = await page.locator('.source summary').first().textContent()
      check('documents: the page names file and line', /\[1\] docs\/fruit\.md:1/.test(source ?? ''), source)
      await ask(page, 'Question', 'zeppelin?', /^No document answers this\.$/)
    })
    await withServer(async (server, url) => {
      server.willAnswer(stream({ content: '3 weeks ' }, { content: '[1].' }))
      await used(project, withModel(url), (page) => ask(page, 'Question', 'How long do pears keep?', /3 weeks \[1\]\./))
      const [request] = server.requests
      check('documents: the model reads the passages', JSON.stringify(request?.body).includes('in a cellar'), request)
    })
  },
  async durable(project) {
    await used(project, environment, (page) =>
      ask(page, 'Message', 'Pay Ann 20 EUR for order 7.', /Kill me while I wait/),
    )
    // Another process, which has the file.
    await used(project, environment, async (page) => {
      const id = await page.evaluate('JSON.parse(localStorage.getItem("chats") ?? "[]")[0]?.id')
      check('durable: a new browser has no chats', id === undefined, id)
    })
  },
  next: (project) => used(project, environment, approveAfterReload),
  workers: (project) => used(project, environment, approveAfterReload),
  async chat(project) {
    await used(project, environment, async (page) => {
      await ask(page, 'Message', 'Compare apples, plums and cherries.', /The cheapest are apples/)
      await ask(page, 'Message', 'Order 3 kg of pears for Ann.', /Please check it first/)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('arrives on Thursday').waitFor()
    })
    await withServer(async (server, url) => {
      const args = { fruit: 'pears' }
      server.willAnswer(toolCall('look_up_price', args), stream({ content: 'Three ' }, { content: 'euros.' }))
      await used(project, withModel(url), async (page) => {
        await ask(page, 'Message', 'What do pears cost?', /Three euros\./)
        server.willAnswer(json({ error: { message: 'The key is wrong.' } }, 401))
        await ask(page, 'Message', 'And now?', /The answer failed \(model_call\)\./, '[role=alert]')
      })
    })
  },
}

async function approveAfterReload(page: Page): Promise<void> {
  await ask(page, 'Message', 'Order 3 kg of pears for Ann.', /Please check it first/)
  await page.reload()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('arrives on Thursday').waitFor()
}

/** Asks in the page, and waits for the text of the answer. */
async function ask(
  page: Page,
  label: string,
  question: string,
  expected: RegExp,
  place = 'article .text',
): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(question)
  await page.keyboard.press('Enter')
  const found = page.locator(place).filter({ hasText: expected }).last()
  const isThere = await found.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  check(`"${question}" is answered with ${expected}`, isThere, isThere ? '' : await page.locator('body').innerText())
}

/** The projects whose pages are built. */
const built = new Set<string>()
/** One browser for all pages, each of which has storage of its own. */
let browser: Promise<Browser> | undefined

/** Builds the page of a project, unless it is built, starts its server, and opens the page. */
async function used(project: string, env: NodeJS.ProcessEnv, work: (page: Page) => Promise<void>): Promise<void> {
  const [build, start] = (read(join(project, 'package.json')).scripts.start as string)
    .split(' && ')
    .map((command) => command.replace('--port 3000', '--port 0').split(' '))
  const bin = (name: string) => (name === 'node' ? process.execPath : join(project, 'node_modules', '.bin', name))
  if (!built.has(project)) await mustRun(bin(build![0]!), build!.slice(1), project)
  built.add(project)
  const server = spawn(bin(start![0]!), start!.slice(1), {
    cwd: project,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  browser ??= launch()
  try {
    let address = ''
    for await (const line of createInterface({ input: server.stdout })) {
      address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
      if (address !== '') break
    }
    const { page, problems } = await openPage(await browser, address)
    await work(page)
    const own = problems.filter((text) => !text.includes('Failed to load resource'))
    check('the page reports no error', own.length === 0, own)
    // The browser of the install is one process, which ends with the first window that is closed.
    await page.goto('about:blank')
  } finally {
    server.kill()
  }
}

/** The templates of the page "Choose what you need" are those of the command. */
function checkPage(help: string): void {
  const page = readFileSync(join(root, 'docs', 'choose.md'), 'utf8')
  const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title!)
  const missing = titles.filter((title) => !help.includes(title))
  check('the templates are those of docs/choose.md', titles.length > 0 && missing.length === 0, missing)
}

await runChecks('create', async (folder) => {
  const maker = join(folder, 'maker')
  mkdirSync(maker)
  await installProject(maker, await packWithDependencies(PACKAGE, packedIn(folder)))
  checkPage(await mustRun(join(maker, 'node_modules', '.bin', 'create'), ['--help'], folder))
  const chosen = process.argv.slice(2).filter((name) => name !== '--packed')
  // Next takes minutes to build, and Workers need a runtime of 100 MB: they are checked at night.
  const names = chosen.length > 0 ? chosen : Object.keys(templates).filter((name) => !/next|workers/.test(name))
  try {
    // Together: installing waits for the registry and the disk.
    await Promise.all(names.map(async (name) => templates[name]!(await make(folder, name))))
  } finally {
    await (await browser)?.close()
  }
})
