// @module-tag system
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { launch } from '../../../../../tools/browser/launch.ts'
import { faultsOf } from '../../../../../tools/browser/page-checks.ts'
import { deleteFolders, folderOf, write } from '../../test/folder.ts'
import { Docs } from '../docs.ts'
import { buildPage } from './page-files.ts'
import { servePage } from './serve-page.ts'

const question = 'What is the default limit of a body?'
const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const files = {
  'server.md': `# Server\n\n${'Long text.\n\n'.repeat(100)}## bodyLimit\n\n- Default: \`1048576\` bytes, the limit of a body\n\n\`\`\`js\n${'x'.repeat(500)}\n\`\`\`\n`,
  'list.md':
    '# Moves\n\nUndo with `edit(taskId)`, **always**, see [here](https://a.example/) and [script](javascript:x).\n\n- A task id\n- A call of `undo`\n\n1. first\n',
  'evil.md': `# Evil ${evil}\n\nA trap: ${evil}\n\n| a | b |\n|---|---|\n| ${evil} | 1 |\n`,
}

let browser: Awaited<ReturnType<typeof launch>>
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await deleteFolders()
})

async function served() {
  const folder = await folderOf(files)
  const docs = await Docs.open(folder, { quietMs: 20 })
  const page = await servePage(docs, 0, null, () => {})
  onTestFinished(async () => {
    await page.close()
    await docs.close()
  })
  return { folder, docs, url: page.url }
}

async function opened(url: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(url)
  // Without processes of its own, Chromium ends with the first page that is closed.
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return { page, errors, isWide }
}

describe('the page', () => {
  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)(
    'shows sections while one types, and the document at the line, at %i pixels, %s',
    async (width, scheme) => {
      const { url } = await served()
      const { page, errors, isWide } = await opened(url, width, scheme)
      const faults = await faultsOf(page, 'ask-empty')
      await page.fill('#question', question)
      await page.waitForSelector('#sections li')
      faults.push(...(await faultsOf(page, 'ask-sections')))
      expect(await page.textContent('#sections code mark')).toBe('1048576')
      await page.keyboard.press('Enter')
      const here = page.locator('.here')
      expect(await here.textContent()).toContain('1048576')
      const place =
        '(() => { const { top, bottom } = document.querySelector(".here").getBoundingClientRect(); return top >= 0 && bottom <= innerHeight })()'
      expect(await page.evaluate(place)).toBe(true)
      expect([...faults, ...(await faultsOf(page, 'ask-document'))]).toEqual([])
      const back = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect([await isWide(), errors, back]).toEqual([
        false,
        [],
        scheme === 'dark' ? 'rgb(20, 23, 27)' : 'rgb(255, 255, 255)',
      ])
      await page.keyboard.press('Escape')
      expect(await page.evaluate('document.activeElement.id')).toBe('question')
    },
  )

  it('is used by keyboard, and keeps the question in the address', async () => {
    const { url } = await served()
    const { page } = await opened(`${url}#text%20limit`, 1280)
    await page.waitForSelector('#sections li')
    expect(await page.inputValue('#question')).toBe('text limit')
    await page.focus('#question')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('#sections li').nth(1).getAttribute('class')).toBe('selected')
    await page.fill('#question', 'zeppelin')
    expect(await page.textContent('#status')).toBe('Nothing found: no document contains “zeppelin”.')
    expect(page.url()).toBe(`${url}#zeppelin`)
  })

  it('shows inline code, bold, links and lists of a document', async () => {
    const { url } = await served()
    const { page, errors } = await opened(url, 1280)
    await page.fill('#question', 'undo moves')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.here')
    const all = (selector: string) => page.locator(`#document ${selector}`).allTextContents()
    expect(await all('code')).toEqual(['edit(taskId)', 'undo'])
    expect(await all('strong')).toEqual(['always'])
    expect(await all('ul > li')).toEqual(['A task id', 'A call of undo', 'first'])
    expect(await page.locator('#document a').getAttribute('href')).toBe('https://a.example/')
    expect([await all('span'), errors]).toEqual([['script'], []])
    // The same in an excerpt, within a button.
    const inExcerpts = (selector: string) => page.locator(`.excerpt ${selector}`).allTextContents()
    expect(await inExcerpts('code')).toContain('edit(taskId)')
    expect(await inExcerpts('strong')).toContain('always')
    expect(await page.locator('#sections a').count()).toBe(0)
    expect(await page.locator('#sections').textContent()).not.toMatch(/[`*]|\]\(/)
  })

  it('shows the text of documents as text', async () => {
    const { url } = await served()
    const { page, errors } = await opened(url, 1280)
    const title = await page.title()
    await page.fill('#question', 'trap evil')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.here')
    expect([await page.title(), errors, await page.locator('main img').count()]).toEqual([title, [], 0])
  })

  it('is served with changed files, without other paths, and to its own address only', async () => {
    const { folder, docs, url } = await served()
    const first = await fetch(`${url}index.json`)
    const etag = first.headers.get('etag')!
    expect((await fetch(`${url}index.json`, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const isRead = new Promise((resolve) => docs.onChange(resolve))
    await write(folder, { 'new.md': '# New' })
    await isRead
    expect((await fetch(`${url}index.json`, { headers: { 'if-none-match': etag } })).status).toBe(200)
    expect((await fetch(`${url}server.md`)).status).toBe(404)
    expect((await fetch(`${url}answer`, { method: 'POST' })).status).toBe(405)
    for (const origin of ['https://evil.example', 'http://localhost:3000', 'null'])
      expect((await fetch(url, { headers: { origin } })).status).toBe(403)
    const { headers } = await fetch(url, { headers: { origin: new URL(url).origin } })
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })
})

describe('the static page', () => {
  it('has a small script', async () => {
    const folder = await folderOf(files)
    const docs = await Docs.open(folder)
    const built = await buildPage(docs, join(folder, 'public', 'ask'))
    await docs.close()
    expect(built.map(({ name }) => name)).toEqual(['index.html', 'ask.js', 'index.json'])
    expect(gzipSync(await readFile(join(folder, 'public', 'ask', 'ask.js'))).length).toBeLessThan(15_000)
  })
})
