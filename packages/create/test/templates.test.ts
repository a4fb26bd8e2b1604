// @module-tag system
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { launch } from '../../../tools/browser/launch.ts'
import { faultsOf, looks, openPage } from '../../../tools/browser/page-checks.ts'
import { isFull } from '../../../tools/extent.ts'
import { type TemplateName, templates } from '../src/templates.ts'
import { buildPage, deleteProject, projectOf, runIn, startServer } from './project.ts'

function made(name: TemplateName): string {
  const project = projectOf(name)
  onTestFinished(() => deleteProject(project))
  return project
}

/** The status of a request for a server under another name. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  const [response] = (await once(get(url, { headers: { host } }), 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

/** `packed.ts` checks the types of the others, as they are installed. */
const notInstalled = ['next', 'workers']
const names = Object.keys(templates) as TemplateName[]

it.each(isFull ? names : names.filter((name) => notInstalled.includes(name)))(
  'makes a project of the template %s whose types are right',
  (name) => {
    runIn(made(name), 'typescript/bin/tsc', '-p', '.', '--customConditions', '@x/source')
  },
)

it('ends a chat when its host asks', async () => {
  const server = await startServer(made('chat'))
  await fetch(`${server.url}/api/chat`)
  expect(await server.kill('SIGTERM')).toBe(0)
})

it('answers from documents with checked citations, and says when no document answers', async () => {
  const project = made('documents')
  buildPage(project)
  const server = await startServer(project)
  const browser = await launch()
  const faults: string[] = []
  try {
    expect(await statusFor(server.url, 'evil.example')).toBe(403)
    expect(await statusFor(server.url, `localhost:${new URL(server.url).port}`)).toBe(200)
    for (const look of looks) {
      const { page, problems } = await openPage(browser, server.url, look)
      await page.waitForSelector('.empty')
      faults.push(...(await faultsOf(page, `documents-empty-${look.name}`)))
      await page.getByRole('button', { name: /How long do pears keep/ }).click()
      await page.locator('.source').first().waitFor()
      expect(await page.locator('.source summary').first().textContent()).toBe('[1] docs/fruit.md:1 ')
      expect(await page.locator('.source[open]').count()).toBe(1)
      await page.getByLabel('Question').fill('zeppelin?')
      await page.keyboard.press('Enter')
      await page.getByText('No document answers this.').waitFor()
      faults.push(...(await faultsOf(page, `documents-answer-${look.name}`)), ...problems)
    }
  } finally {
    await browser.close()
    await server.kill()
  }
  expect(faults).toEqual([])
})
