/** Looks at the built site in a browser: every page of prose in two widths and two colour schemes, and what one does by keyboard. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page as BrowserPage } from 'playwright-core'
import { launch } from '../browser/launch.ts'
import { basePath } from './addresses.ts'
import { type Page, root } from './pages.ts'
import type { PlaygroundLink } from './playground-links.ts'
import { fileOf, serveSite } from './serve.ts'

/** A phone, and a laptop. */
const widths = [390, 1280]

interface Violation {
  id: string
  help: string
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** Some pages of the reference, which have the same form. */
const referencePages = ['reference/', 'reference/modules/_x_agents.html', 'reference/classes/_x_agents.ReActAgent.html']

/** Pages with every kind of content, whose colours are measured, light and dark. */
const samples = new Set([
  '',
  'start',
  'concepts',
  'errors',
  'guides/run-the-loop',
  'benchmarks',
  'come-from/ai-sdk',
  'models-and-servers',
  'playground/',
  ...referencePages,
])

/** Where the playground shows an error. */
const PROBLEM = '.problem[role=alert]'

let [passed, failed] = [0, 0]
function check(what: string, problems: readonly string[]): void {
  if (problems.length === 0) passed += 1
  else failed += 1
  for (const problem of problems) console.log(`  ${what}: ${problem}`)
}

/** The parts that are wider than the page. */
const tooWide = (page: BrowserPage): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (each) => each.getBoundingClientRect().right > clientWidth + 1,
    )
    const names = wide.slice(0, 3).map((each) => `${each.tagName.toLowerCase()}.${each.className}`)
    return [`is ${scrollWidth} pixels wide at ${clientWidth}: ${names.join(', ')}`]
  })

/**
 * What axe finds: in the whole page, in its content without its colours, or in its colours alone. Pages share their menus and their
 * colours, which take most of the time.
 */
async function faultsOf(page: BrowserPage, part: 'page' | 'content' | 'colours' = 'page'): Promise<string[]> {
  const rules = { 'color-contrast': { enabled: part !== 'content' } }
  const which = part === 'colours' ? { runOnly: Object.keys(rules) } : { rules }
  // What passes is found, but not described, which takes most of the time.
  const options = { ...which, resultTypes: ['violations'] }
  const place = part === 'content' ? "'#VPContent'" : 'document'
  const violations = (await page.evaluate(
    `axe.run(${place}, ${JSON.stringify(options)}).then((found) => found.violations)`,
  )) as Violation[]
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map(({ target }) => target.join(' '))
    return `${part === 'colours' ? 'dark: ' : ''}${id}: ${help} (${nodes.length}: ${places.join('; ')})`
  })
}

/** The class of the element that has the focus, and what it says. */
const focused = (page: BrowserPage): Promise<string> =>
  page.evaluate(
    () => `${document.activeElement?.className} ${document.activeElement?.textContent?.trim().slice(0, 40)}`,
  )

async function pressUntil(page: BrowserPage, wanted: RegExp, presses = 12): Promise<string> {
  let last = ''
  for (let count = 0; count < presses; count += 1) {
    await page.keyboard.press('Tab')
    last = await focused(page)
    if (wanted.test(last)) return ''
  }
  return `Tab does not reach ${wanted}; the last one was ${last}`
}

/** Opens a page, and waits until its scripts answer to keys, which can be after it has loaded. */
async function openPage(page: BrowserPage, address: string): Promise<void> {
  await page.goto(address)
  await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined", null, { timeout: 30_000 })
}

/** The address of no page. */
const NO_PAGE = 'no-such-page'

/** A value of the reader opens the playground, which shows the error. */
async function checkOwnValue(page: BrowserPage, url: string): Promise<void> {
  await openPage(page, `${url}errors#template_syntax`)
  const own = page.locator('#template_syntax ~ .own-value').first()
  await own.locator('textarea').fill('{own')
  await own.locator('button').click()
  await page
    .locator(PROBLEM, { hasText: 'template_syntax' })
    .waitFor({ timeout: 10_000 })
    .catch(() => {})
  const values = await page
    .locator('textarea')
    .evaluateAll((areas) => areas.map((area) => (area as HTMLTextAreaElement).value))
  check('own value of an error', values.includes('{own') ? [] : [`is not in the playground: ${values}`])
}

/** The pages of the reference have the search of the site, without its other programs. */
async function checkReference(page: BrowserPage, url: string): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${url}${referencePages[1]}`)
  await page.keyboard.press('/')
  await page.locator('dialog[open] input:focus').waitFor({ timeout: 10_000 })
  await page.keyboard.type('ReActAgent')
  for (const part of ['Guides', 'Reference']) {
    const found = page.locator(`.search-dialog section[aria-label=${part}] li a`).first()
    await found.waitFor({ timeout: 30_000 }).catch(() => {})
    check('search in the reference', (await found.count()) > 0 ? [] : [`finds nothing in ${part}`])
  }
  check('search in the reference', await faultsOf(page))
  await page.keyboard.press('Escape')
  await page.locator('.VPSwitchAppearance').first().click()
  await page.goto(`${url}guides/trace`)
  const isDark = await page.evaluate("document.documentElement.classList.contains('dark')")
  check('appearance', isDark ? [] : ['of the reference is not that of the guides'])
  await page.evaluate('localStorage.clear()')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${url}${referencePages[2]}`)
  for (const [button, shown] of [
    ['.VPLocalNav .menu', '.VPSidebar a[aria-current]'],
    ['.VPNavBarHamburger', '.VPNavBarMenu a'],
  ] as const) {
    await page.locator(button).click()
    const isShown = await page.locator(shown).first().isVisible()
    check('menus of the reference', isShown ? [] : [`${button} does not show ${shown}`])
    check('menus of the reference', [...(await tooWide(page)), ...(await faultsOf(page))])
    await page.keyboard.press('Escape')
  }
}

/** What one does without a mouse. */
async function checkKeyboard(page: BrowserPage, url: string): Promise<void> {
  const problem = (text: string) => (text === '' ? [] : [text])
  await page.setViewportSize({ width: 1280, height: 800 })
  await openPage(page, `${url}guides/trace`)
  check('skip link', problem(await pressUntil(page, /VPSkipLink/, 1)))
  await page.keyboard.press('Enter')
  const moved = await page.evaluate(() => document.activeElement?.id === 'VPContent' || location.hash === '#VPContent')
  check('skip link', moved ? [] : ['does not move the focus to the page'])

  await openPage(page, `${url}guides/trace`)
  check('search', problem(await pressUntil(page, /search-button/)))
  await page.keyboard.press('Enter')
  // What is typed before the field has the focus is lost.
  const field = page.locator('dialog[open] input:focus')
  await field.waitFor({ timeout: 10_000 }).catch(() => {})
  check('search', (await field.count()) === 1 ? [] : ['Enter does not open it'])
  await page.keyboard.type('tool_timeout')
  const first = page.locator('.search-dialog li a').first()
  await first.waitFor({ timeout: 30_000 }).catch(() => {})
  check('search', (await first.count()) > 0 ? [] : ['finds nothing for tool_timeout'])
  check('search', await faultsOf(page))
  const found = await page
    .locator('.search-dialog li a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  check(
    'search',
    found.includes(`${basePath}errors#tool_timeout`) ? [] : [`does not find the page of errors: ${found.join(', ')}`],
  )
  await page.keyboard.press('Escape')
  check('search', (await page.locator('dialog[open]').count()) === 0 ? [] : ['Escape does not close it'])

  await openPage(page, `${url}errors#tool_timeout`)
  await page.locator('#table-filter').fill('tool_timeout')
  const rows = await page.locator('.vp-doc tbody tr:visible').count()
  check('filter of errors', rows === 1 ? [] : [`shows ${rows} rows for tool_timeout`])
  const heading = await page.locator('#tool_timeout').innerText()
  check('anchors of errors', heading.includes('tool_timeout') ? [] : [`#tool_timeout is ${heading}`])

  await openPage(page, url + NO_PAGE)
  check('page that does not exist', await faultsOf(page))
  await page.getByRole('button', { name: 'Search the documentation' }).click()
  check('page that does not exist', (await page.locator('dialog[open]').count()) === 1 ? [] : ['opens no search'])
  check('page that does not exist', await faultsOf(page))

  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, `${url}guides/trace`)
  check('menu', problem(await pressUntil(page, /VPNavBarHamburger/)))
  await page.keyboard.press('Enter')
  await page
    .locator('.VPNavScreen')
    .waitFor({ timeout: 5000 })
    .catch(() => {})
  check('menu', (await page.locator('.VPNavScreen').count()) === 1 ? [] : ['Enter does not open it'])
  check('menu', [...(await tooWide(page)), ...(await faultsOf(page))])
}

/** Looks at one page in both widths, and of a sample at its colours in both schemes. */
async function checkPage(page: BrowserPage, url: string, path: string, axe: string, isSample: boolean): Promise<void> {
  const problems: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    if (width === widths[0]) await page.goto(url + path)
    problems.push(...(await tooWide(page)))
  }
  await page.evaluate(axe)
  problems.push(...(await faultsOf(page, isSample ? 'page' : 'content')))
  if (isSample) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.evaluate(axe)
    problems.push(...(await faultsOf(page, 'colours')))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  check(`/${path}`, problems)
}

/** Opens the links of examples, and lets agents run to their end. The page must contain what the example has, and no problem. */
async function checkPlayground(page: BrowserPage, url: string, links: readonly PlaygroundLink[]): Promise<void> {
  page.setDefaultTimeout(10_000)
  for (const { address, state, selector, text } of links) {
    // Another fragment alone would not load the page again.
    await page.goto('about:blank')
    await page.goto(`${url}playground/${address}`)
    const problems: string[] = []
    try {
      await page.waitForSelector(`#tab-${state.tab}[aria-selected=true]`)
      const next = page.locator('button:text-is("Step"):enabled, button:text-is("Approve"):enabled').first()
      const shown = page.locator(selector, { hasText: text })
      for (let steps = 0; state.tab === 'agent' && steps < 10; steps += 1) {
        await next.or(shown).first().waitFor()
        if ((await shown.count()) > 0) break
        await next.click()
      }
      await shown.waitFor()
    } catch {
      problems.push(`${selector} does not contain ${JSON.stringify(text)}`)
    }
    // A link of the page of errors shows a failure.
    if (selector !== PROBLEM) problems.push(...(await page.locator(PROBLEM).allTextContents()))
    check(`the example ${address.slice(0, 60)} in the playground`, problems)
  }
}

/**
 * Returns the numbers of checks that passed and failed; prints what failed. `isQuick`: of the samples, without the reference, and of every
 * fourth example.
 */
export async function checkSite(
  dist: string,
  pages: readonly Page[],
  links: readonly PlaygroundLink[],
  isQuick: boolean,
): Promise<{ passed: number; failed: number }> {
  const { count, dead } = deadLinks(dist, isQuick ? 'reference/' : undefined)
  check(`${count} links`, dead)
  const axe = readFileSync(createRequire(join(root, 'site', 'package.json')).resolve('axe-core/axe.min.js'), 'utf8')
  const server = await serveSite(dist)
  const browser = await launch()
  try {
    const page = await browser.newPage()
    // Colours that change slowly would be measured half way.
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        // Its policy refuses styles of others.
        if (location.pathname.includes('/playground/')) return
        const style = document.createElement('style')
        style.textContent = '* { transition: none !important; animation: none !important }'
        document.head.append(style)
      })
    })
    const errors: string[] = []
    page.on('console', (message) => {
      if (page.url().endsWith(NO_PAGE) && message.text().includes('404')) return
      if (/error|warning/.test(message.type())) errors.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => errors.push(`${page.url()}: ${error}`))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`
    const all = [...pages.map(({ path }) => path.replace(/(^|\/)index$/, '$1')), 'playground/', ...referencePages]
    const paths = isQuick ? all.filter((path) => samples.has(path) && !referencePages.includes(path)) : all
    // The colours of the longest page take a third of the time.
    for (const path of paths)
      await checkPage(page, url, path, axe, samples.has(path) && !(isQuick && path === 'errors'))
    await checkPlayground(page, url, isQuick ? links.filter((_, index) => index % 4 === 0) : links)
    await page.addInitScript(axe)
    await checkKeyboard(page, url)
    await checkOwnValue(page, url)
    if (!isQuick) await checkReference(page, url)
    check('console', errors)
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
  return { passed, failed }
}

interface Html {
  readonly links: readonly string[]
  readonly ids: ReadonlySet<string>
}

const decode = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")

function read(path: string): Html {
  const html = readFileSync(path, 'utf8').replaceAll(/<script[\s\S]*?<\/script>/g, '')
  const values = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, value]) => decode(value!))
  return { links: values(/<a\b[^>]*?\shref="([^"]*)"/g), ids: new Set(values(/\s(?:id|name)="([^"]*)"/g)) }
}

/** Returns a sentence for each link that leads nowhere, and the number of links. `without`: a folder that was not built. */
export function deadLinks(dist: string, without?: string): { count: number; dead: string[] } {
  const names = globSync('**/*.html', { cwd: dist }).map((name) => name.replaceAll('\\', '/'))
  const pages = new Map(names.map((name) => [join(dist, name), read(join(dist, name))]))
  const dead = new Set<string>()
  let count = 0
  for (const name of names) {
    const here = new URL(`http://site${basePath}${name}`)
    for (const link of pages.get(join(dist, name))!.links) {
      const url = URL.parse(link, here)
      if (url === null) dead.add(`${name}: ${link} is not an address`)
      if (url === null || url.host !== here.host) continue
      if (without !== undefined && url.pathname.startsWith(basePath + without)) continue
      count += 1
      const file = fileOf(dist, url.pathname)
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (file === null) dead.add(`${name}: ${link} leads nowhere`)
      // The anchors of the hierarchy are written by a script; those of the playground are states of its page.
      else if (/hierarchy\.html$|playground[\\/]index\.html$/.test(file)) continue
      else if (anchor !== '' && pages.get(file)?.ids.has(anchor) === false) dead.add(`${name}: ${link}: no such anchor`)
    }
  }
  return { count, dead: [...dead] }
}
