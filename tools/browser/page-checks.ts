/** What is checked of a page in a browser: accessibility, its width, errors of its scripts; and pictures of it, for people. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { isFull } from '../extent.ts'

/** A laptop and a phone, light and dark. */
const all = [
  { name: 'light', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone-light', colorScheme: 'light', width: 390, height: 844 },
  { name: 'phone-dark', colorScheme: 'dark', width: 390, height: 844 },
] as const
type Look = (typeof all)[number]

/** All of them; `npm run test:system` tries each width and each scheme once. */
export const looks: readonly [Look, ...Look[]] = isFull ? all : [all[0], all[3]]

/** That of the package whose tests run. */
const axe = () =>
  readFileSync(createRequire(join(process.cwd(), 'package.json')).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** Opens a page with one look. Its `problems` are what its scripts report. */
export async function openPage(browser: Browser, url: string, look: Look = looks[0]) {
  const { width, height, colorScheme } = look
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (entry) => entry.type() === 'error' && problems.push(entry.text()))
  await page.goto(url)
  return { page, problems }
}

/**
 * Returns what is wrong with the page as it is shown: violations that axe finds, and parts that are wider than the window. With the
 * environment variable `SCREENSHOTS`, a folder, also writes a picture of it there.
 */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const folder = process.env['SCREENSHOTS']
  if (folder) {
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
  await page.evaluate(axe())
  const found = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  const faults = found.map(({ id, nodes }) => `${name}: ${id} (${nodes.length}): ${nodes[0]?.html.slice(0, 120)}`)
  return isWide ? [...faults, `${name}: wider than the window`] : faults
}
