/**
 * Refuses a `@x/create` whose projects do not work: packs it, makes the project of every door with the installed command, installs the
 * packed packages that it names, checks its types, and starts it without a model and with a model server. The chat is used in a browser. Needs built
 * packages. The registry is asked for TypeScript and Hono; npm's cache serves repeated runs.
 *
 * @example node tools/create.ts
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { launch } from './browser/launch.ts'
import { check, runChecks } from './checks.ts'
import { mustRun, runBeside } from './command.ts'
import { chunk, eventText, json, LoopbackServer, pieces } from './loopback-model-server.ts'
import { installProject, installWithNpm, packWithDependencies } from './packed.ts'

const root = join(import.meta.dirname, '..')
const PACKAGE = join(root, 'packages', 'create')
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
/** The environment without a model. npm must not believe that pnpm started it. */
const { OPENAI_API_KEY: _, MODEL: _model, MODEL_URL: _url, npm_config_user_agent: _agent, ...environment } = process.env
const withModel = (url: string) => ({ ...environment, MODEL_URL: url, MODEL: 'loopback' })

/** Makes a project with the installed command, and installs it with packed packages instead of those of the registry. */
async function make(folder: string, door: string): Promise<string> {
  const bin = join(folder, 'maker', 'node_modules', '.bin', 'create')
  await mustRun(bin, [door, '--door', door], folder)
  const project = join(folder, door)
  const manifest = read(join(project, 'package.json'))
  const wrong = Object.entries(manifest.dependencies as Record<string, string>).filter(
    ([name, range]) => !(name.startsWith('@x/') ? range === `^${versionOf(name)}` : /^\^\d/.test(range)),
  )
  check(`${door}: the versions of its packages are those of the release`, wrong.length === 0, wrong)
  Object.assign(manifest.dependencies, await packWithDependencies(project, join(folder, 'packed', door)))
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  await installWithNpm(project)
  const types = await runBeside('npm', ['run', 'typecheck'], project, environment)
  check(`${door}: npm run typecheck`, types.status === 0, types.output)
  return project
}

const versionOf = (name: string): string =>
  read(join(import.meta.dirname, 'node_modules', name, 'package.json')).version

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

/** Each door, as its README says it is used. */
const doors: Record<string, (project: string) => Promise<void>> = {
  async documents(project) {
    await runs(
      project,
      ['start'],
      /answers are scripted[\s\S]*How long do pears keep\?[\s\S]*\[1\] docs\/fruit\.md:1\n/,
    )
    await runs(project, ['start', 'What does delivery cost?'], /\[1\] docs\/delivery\.md:\d+\n/)
    await withServer(async (server, url) => {
      server.willAnswer(stream({ content: '3 weeks ' }, { content: '[1].' }))
      await runs(project, ['start'], /\n3 weeks \[1\]\.\n\[1\] docs\/fruit\.md:1\n/, withModel(url))
      const [request] = server.requests
      check('documents: the model reads the passages', JSON.stringify(request?.body).includes('in a cellar'), request)
    })
  },
  async durable(project) {
    const waits = /order-7 waits for a person: pay\(.*Ann.*20/
    await runs(project, ['start'], waits)
    await runs(project, ['start'], waits)
    await runs(project, ['run', 'approve'], /Paid 20 EUR to Ann, key \S+\. \(a scripted answer\)/)
    await runs(project, ['start'], /Paid 20 EUR to Ann/)
    rmSync(join(project, 'tasks.db'))
    await withServer(async (server, url) => {
      const call = { id: 'a', type: 'function', function: { name: 'pay', arguments: '{"person":"Bob","euros":5}' } }
      const calling = { role: 'assistant', content: null, tool_calls: [call] }
      server.willAnswer(json({ choices: [{ index: 0, message: calling, finish_reason: 'tool_calls' }] }))
      await runs(project, ['start'], /order-7 waits for a person: pay\(.*Bob.*5/, withModel(url))
      server.willAnswer(message('Bob has his money.'))
      await runs(project, ['run', 'approve'], /\nBob has his money\.\n/, withModel(url))
    })
  },
  async part(project) {
    const expected = /kept: pear\n[\s\S]*wine: score 0\.1 is below the cutoff 0\.5/
    await runs(project, ['start'], expected)
    await withServer(async (server, url) => {
      server.willAnswer(message('Doc: 1, Relevance: 8'))
      await runs(project, ['start'], /kept: plum\n/, withModel(url))
    })
  },
  async chat(project) {
    await used(project, environment, async (page) => {
      const ask = asker(page)
      const first = await ask('What is the price of plums?')
      check(
        'chat: the page shows the call and the answer',
        /price\(.*plums.*5 EUR\. \(a scripted answer\)/.test(first),
        first,
      )
      const second = await ask('And apples?')
      check('chat: a second question', second.includes('apples costs 6 EUR'), second)
    })
    await withServer(async (server, url) => {
      server.willAnswer(toolCall('price', { fruit: 'figs' }), stream({ content: 'Four ' }, { content: 'euros.' }))
      server.willAnswer(stream({ content: 'You asked for figs.' }))
      await used(project, withModel(url), async (page) => {
        const ask = asker(page)
        const first = await ask('What do figs cost?')
        check('chat: a model calls the tool and answers', first.endsWith('Four euros.'), first)
        await ask('What did I ask?')
        const sent = JSON.stringify(server.requests.at(-1)?.body)
        server.willAnswer(json({ error: { message: 'The key is wrong.' } }, 401))
        const refused = await ask('And now?')
        check('chat: an error is its code', refused === 'The answer failed (model_call).', refused)
        check(
          'chat: the server keeps the conversation',
          /What do figs cost\?.*Four euros.*What did I ask\?/.test(sent),
          sent,
        )
      })
    })
  },
}

/** Returns a function that asks in the page, and waits for the end of the answer. */
const asker =
  (page: Page) =>
  async (question: string): Promise<string> => {
    const finished = page.waitForResponse('**/api/chat').then((response) => response.finished())
    await page.fill('input', question)
    await page.press('input', 'Enter')
    await finished
    const line = page.locator('p.assistant').last()
    await line.filter({ hasText: /(?:\.|answer\))$/ }).waitFor({ timeout: 10_000 })
    return (await line.textContent()) ?? ''
  }

/** Starts the server of a project, and opens its page. */
async function used(project: string, env: NodeJS.ProcessEnv, work: (page: Page) => Promise<void>): Promise<void> {
  const [, ...args] = read(join(project, 'package.json')).scripts.start.split(' ')
  const server = spawn(process.execPath, args, {
    cwd: project,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const browser = await launch()
  try {
    let address = ''
    for await (const line of createInterface({ input: server.stdout }))
      if (line.startsWith('http')) {
        address = line
        break
      }
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (entry) => entry.type() === 'error' && problems.push(entry.text()))
    await page.goto(address)
    await work(page)
    check(
      'chat: the page reports no error',
      problems.filter((text) => !text.includes('favicon')).length === 0,
      problems,
    )
  } finally {
    await browser.close()
    server.kill()
  }
}

/** The doors of the page "Choose what you need" are those of the command. */
function checkPage(help: string): void {
  const page = readFileSync(join(root, 'docs', 'choose.md'), 'utf8')
  const titles = [...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title!)
  const missing = titles.filter((title) => !help.includes(title))
  check(
    'the doors are those of docs/choose.md',
    titles.length === Object.keys(doors).length && missing.length === 0,
    missing,
  )
}

await runChecks('create', async (folder) => {
  const maker = join(folder, 'maker')
  mkdirSync(maker)
  await installProject(maker, await packWithDependencies(PACKAGE, join(folder, 'packed', 'maker')))
  checkPage(await mustRun(join(maker, 'node_modules', '.bin', 'create'), ['--help'], folder))
  for (const [door, uses] of Object.entries(doors)) await uses(await make(folder, door))
})
