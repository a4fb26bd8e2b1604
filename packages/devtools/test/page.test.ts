// @module-tag system
import { MemoryTaskStore } from '@x/agents'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { faultsOf, looks, openPage } from '../../../tools/browser/page-checks.ts'
import { serveTasks } from '../src/serve-tasks.ts'
import { TaskViews } from '../src/task-views.ts'
import { agentOf, paid, storeWithTask, submitted } from './store.ts'

let browser: Awaited<ReturnType<typeof launch>>
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())
beforeEach(() => {
  paid.length = 0
})

async function opened(look: (typeof looks)[number] = looks[0], hasAgent = true, given?: MemoryTaskStore) {
  const store = given ?? (await storeWithTask())
  const views = new TaskViews({ store, agent: hasAgent ? agentOf : undefined })
  const served = await serveTasks(views, 0)
  const { page, problems } = await openPage(browser, served.url, look)
  onTestFinished(async () => {
    expect(problems).toEqual([])
    // A page that is closed would end the browser, which is one process.
    await served.close()
  })
  await page.getByRole('heading', { level: 2 }).waitFor()
  return { page, views }
}

it.each(looks)('shows a task, and two forks side by side, in $name', async (look) => {
  const { page } = await opened(look)
  const faults = await faultsOf(page, `devtools-task-${look.name}`)
  await page.getByRole('button', { name: 'Fork from here, turn 1' }).click()
  await page.getByRole('heading', { name: 'Forked from' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  faults.push(...(await faultsOf(page, `devtools-fork-${look.name}`)))
  expect(faults).toEqual([])
})

it('approves with edited fields, and shows texts of tasks as texts', async () => {
  const { page } = await opened()
  expect(await page.locator('img').count()).toBe(0)
  // Arguments are in the row of the call, and again only where they were edited.
  const euros = () => page.locator('.field', { hasText: 'Euros' }).allTextContents()
  expect(await euros()).toEqual(['Euros12'])
  await page.getByLabel('Euros').fill('5')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('finished').first().waitFor()
  expect(paid).toEqual([5])
  expect(await page.locator('.row.answer b').textContent()).toBe('done')
  expect(await page.locator('.row.decision').textContent()).toContain('approved by devtools')
  expect(await page.locator('.row.waiting .field').count()).toBe(0)
  expect(await page.locator('.row.decision .field').allTextContents()).toContain('Euros5')
})

it('shows a decision that was refused, with what was decided and why', async () => {
  const store = new MemoryTaskStore()
  const tasks = await submitted(store, 'Pay Ann 12 euros.', 'rent')
  onTestFinished(() => tasks.stop())
  const [{ id: callId } = { id: '' }] = await tasks.waiting('rent')
  await tasks.decide('rent', { callId, type: 'edit', arguments: { euros: 'many' }, by: 'ann' })
  await expect.poll(async () => (await tasks.waiting('rent'))[0]?.refused?.count).toBe(1)
  const { page } = await opened(looks[0], false, store)
  const row = await page.locator('.row.refused').textContent()
  for (const piece of ['refused', 'Pay person', 'Eurosmany', 'by ann', 'euros: ']) expect(row).toContain(piece)
})

it('only looks without an agent', async () => {
  const { page } = await opened(looks[0], false)
  expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  await page.getByText('start devtools with the file of the agent').waitFor()
})
