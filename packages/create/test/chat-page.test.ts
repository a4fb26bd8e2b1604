// @module-tag system
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { faultsOf, looks, openPage } from '../../../tools/browser/page-checks.ts'
import { buildPage, deleteProject, projectOf, type Started, startServer } from './project.ts'

type Page = Awaited<ReturnType<typeof openPage>>['page']

let browser: Awaited<ReturnType<typeof launch>>
let project: string
let server: Started

beforeAll(async () => {
  project = projectOf('chat')
  buildPage(project)
  server = await startServer(project)
  browser = await launch()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await server.kill()
  deleteProject(project)
})

async function opened(look: (typeof looks)[number] = looks[0], url = server.url) {
  const { page, problems } = await openPage(browser, url, look)
  onTestFinished(() =>
    expect(problems.filter((text) => !/Failed to load resource|ERR_CONNECTION/.test(text))).toEqual([]),
  )
  await page.waitForSelector(url === server.url ? '.empty' : 'article')
  return page
}

async function ask(page: Page, question: string) {
  await page.waitForSelector('button[aria-label=Send]')
  await page.getByLabel('Message', { exact: true }).fill(question)
  await page.keyboard.press('Enter')
}

const lastText = async (page: Page) => page.locator('article').last().innerText()
const end = (page: Page, text: string) => page.getByText(text).last().waitFor({ timeout: 20_000 })

async function restart() {
  const port = Number(new URL(server.url).port)
  await server.kill()
  server = await startServer(project, port)
}

it('has at most 195 kB, gzipped, and 450 lines of TSX', () => {
  const assets = readdirSync(join(project, 'dist', 'assets')).map((name) => join(project, 'dist', 'assets', name))
  const bytes = assets.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0)
  expect(bytes).toBeLessThan(195_000)
  const sources = readdirSync(join(project, 'src')).filter((name) => name.endsWith('.tsx'))
  const lines = sources.flatMap((name) =>
    readFileSync(join(project, 'src', name), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  expect(lines.length).toBeLessThanOrEqual(450)
})

it.each(looks)('has no faults in $name: empty, answer, approval, done', async (look) => {
  const page = await opened(look)
  const faults = await faultsOf(page, `chat-empty-${look.name}`)
  const check = async (name: string) => faults.push(...(await faultsOf(page, `chat-${name}-${look.name}`)))
  await page.getByRole('button', { name: /Compare apples/ }).click()
  await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 20_000 })
  await page.locator('details.tool').first().locator('summary').click()
  await check('answer')
  await ask(page, 'Order 3 kg of pears for Ann.')
  await page.getByRole('heading', { name: 'Place the order?' }).waitFor({ timeout: 20_000 })
  await check('approval')
  await page.getByRole('button', { name: 'Approve' }).click()
  await end(page, 'arrives on Thursday')
  await check('done')
  expect(await lastText(page)).toContain('3 kg of pears for Ann, 10.20 EUR')
  if (look.width < 500) {
    await page.getByRole('button', { name: 'Chats' }).click()
    await check('menu')
  }
  expect(faults).toEqual([])
})

it('goes on after the server was killed while a payment waits, on the open page and after a reload', async () => {
  const page = await opened()
  await ask(page, 'Order 3 kg of pears for Ann.')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await restart()
  await page.getByRole('button', { name: 'Approve' }).click()
  await end(page, 'arrives on Thursday')
  await ask(page, 'Order 4 kg of plums for Bob.')
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await restart()
  await page.reload()
  await page.getByRole('button', { name: 'Reject' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('too dear')
  await page.keyboard.press('Enter')
  await end(page, 'What shall I change?')
  await page.reload()
  await end(page, 'What shall I change?')
  expect(await page.locator('article').count()).toBe(4)
  expect(await page.locator('.tool.rejected, .tool.failed').count()).toBe(1)
})

it('runs an approved call with the arguments that the person has changed', async () => {
  const page = await opened()
  await ask(page, 'Order 3 kg of pears for Ann.')
  await page.getByRole('button', { name: 'Edit' }).last().click()
  await page.getByLabel('Kilograms').fill('5')
  await page.getByLabel('Fruit').selectOption('plums')
  expect(await faultsOf(page, 'chat-edit')).toEqual([])
  await page.getByRole('button', { name: 'Approve with changes' }).click()
  await end(page, 'arrives on Thursday')
  expect(await lastText(page)).toContain('5 kg of plums for Ann, 20.50 EUR')
  await page.reload()
  await end(page, 'arrives on Thursday')
  expect(await lastText(page)).toContain('5 kg of plums for Ann, 20.50 EUR')
})

it('stops, tries again, edits, and shows an answer that goes on after a reload', async () => {
  const page = await opened()
  await ask(page, 'Compare apples, plums and cherries.')
  await end(page, 'I look')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  await end(page, 'The cheapest are')
  await page.locator('article.user').last().hover()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Your message').fill('What do plums cost?')
  await page.keyboard.press('Enter')
  await end(page, 'One kilogram of plums')
  await page.reload()
  await end(page, 'I prepare the order')
  expect(await page.locator('article').count()).toBe(2)
})

it('says when an answer was stopped before its first word or the server was not reached, and tries again', async () => {
  const page = await opened()
  await page.route('**/api/chat', (route) => route.abort())
  await ask(page, 'What do plums cost?')
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText()).toContain('The server was not reached.')
  expect(await faultsOf(page, 'chat-failed')).toEqual([])
  await page.unroute('**/api/chat')
  await page.getByRole('button', { name: 'Try again' }).click()
  await end(page, 'kilogram of plums')
  expect(await page.getByRole('alert').count()).toBe(0)
  // A server that does not answer.
  await page.route('**/api/chat', () => {})
  await ask(page, 'What do apples cost?')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped before the answer.').waitFor()
  expect(await faultsOf(page, 'chat-stopped')).toEqual([])
  await page.unroute('**/api/chat')
  await page.getByRole('button', { name: 'Try again' }).last().click()
  await end(page, 'kilogram of apples')
})

it('shows an answer that has ended between the two requests of a page that loads', async () => {
  const page = await opened()
  await ask(page, 'What do plums cost?')
  await end(page, 'I prepare the order')
  await page.route(
    /\/api\/chat\/[^/]+$/,
    async (route) => {
      const messages = (await (await route.fetch()).json()) as unknown[]
      await route.fulfill({ json: messages.slice(0, -1) })
    },
    { times: 1 },
  )
  await page.reload()
  await end(page, 'I prepare the order')
  expect(await page.locator('article').count()).toBe(2)
})

it('shows what another tab has said in its place, also when a call of an earlier message is approved', async () => {
  const first = await opened()
  await ask(first, 'What do plums cost?')
  await end(first, 'I prepare the order')
  const second = await opened(looks[0], first.url())
  await ask(second, 'Order 3 kg of pears for Ann.')
  await second.getByRole('button', { name: 'Approve' }).waitFor({ timeout: 20_000 })
  await ask(first, 'What do apples cost?')
  await end(first, 'kilogram of apples')
  const asked = ['What do plums cost?', 'Order 3 kg of pears for Ann.', 'What do apples cost?']
  expect(await first.locator('article.user .text').allInnerTexts()).toEqual(asked)
  await first.getByRole('button', { name: 'Approve' }).click()
  await end(first, 'arrives on Thursday')
  await first.waitForFunction("document.querySelectorAll('article').length === 6")
  const shown = await first.locator('article .text').allInnerTexts()
  expect(await first.locator('article.user .text').allInnerTexts()).toEqual(asked)
  await first.reload()
  await first.waitForFunction("document.querySelectorAll('article').length === 6")
  expect(await first.locator('article .text').allInnerTexts()).toEqual(shown)
})

it('shows again what waits after a decision was refused, and what another tab has decided when it is looked at', async () => {
  const page = await opened()
  await ask(page, 'Order 3 kg of pears for Ann.')
  await page.getByRole('button', { name: 'Approve' }).waitFor({ timeout: 20_000 })
  const error = { code: 'decision_refused', message: 'The user may not decide about this call.' }
  await page.route('**/api/chat', (route) => route.fulfill({ status: 403, json: { error } }))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('alert').getByText(error.message).waitFor()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  const other = await opened(looks[0], page.url())
  await other.getByRole('button', { name: 'Approve' }).click()
  await end(other, 'arrives on Thursday')
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await end(page, 'arrives on Thursday')
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  expect(await page.locator('article').count()).toBe(2)
})

it('lists the chats of the user in another browser, and deletes one', async () => {
  const first = await opened()
  await ask(first, 'What do cherries cost?')
  await end(first, 'I prepare the order')
  const second = await opened()
  await second.locator('.side nav a').first().click()
  await end(second, 'I prepare the order')
  expect(await second.locator('h1').innerText()).toBe('What do cherries cost?')
  second.on('dialog', (dialog: { accept(): Promise<void> }) => void dialog.accept())
  const count = await second.locator('.side nav a').count()
  await second.getByRole('button', { name: 'Delete' }).click()
  await second.waitForSelector('.empty')
  expect(await second.locator('article').count()).toBe(0)
  expect(await second.locator('.side nav a').count()).toBe(count - 1)
  await second.reload()
  await second.waitForSelector('.side nav a')
  expect(await second.locator('.side nav a').allInnerTexts()).not.toContain('What do cherries cost?')
})

it('shows hostile Markdown as text', async () => {
  const page = await opened()
  await ask(page, '<img src=x onerror=alert(1)> ![x](https://a.example/?leak) [x](javascript:alert(1)) pears')
  await end(page, 'I prepare the order')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(await page.locator('main a[href^="javascript"]').count()).toBe(0)
})
