/**
 * Writes the moving picture of the README and of the first page of the site, `docs/pictures/film/killed-payment.svg`: a server is killed
 * while a payment waits, starts again, the payment is approved, and its task is undone and forked. The pictures are taken from the pages
 * themselves: the template `durable` of `npm create`, and `@x/devtools` on its database.
 *
 * @example npm run film
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import type { Page } from 'playwright-core'
import { buildPage, deleteProject, projectOf, startServer } from '../packages/create/test/project.ts'
import { serveTasks } from '../packages/devtools/src/serve-tasks.ts'
import { TaskViews } from '../packages/devtools/src/task-views.ts'
import { launch } from './browser/launch.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'pictures', 'film')
const [WIDTH, HEIGHT, BAR, SECONDS] = [900, 520, 40, 2.8]
/** Larger pictures would make the README slow. */
const MOST_BYTES = 400_000

interface Frame {
  /** What the terminal below the page shows. */
  caption: string
  /** A picture of WebP, as an address. */
  image: string
}

const frames: Frame[] = []

/** Takes a picture of a page. */
async function take(page: Page, caption: string): Promise<void> {
  const png = (await page.screenshot()).toString('base64')
  // The browser itself makes it small.
  const image = await page.context().newPage()
  await image.goto('about:blank')
  const address = await image.evaluate(
    `(async () => {
      const image = Object.assign(new Image(), { src: 'data:image/png;base64,${png}' })
      await image.decode()
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
      canvas.getContext('2d').drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.7)
    })()`,
  )
  frames.push({ caption, image: String(address) })
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The frames as one picture, which shows them one after the other; without motion where people asked for none. */
function film(): string {
  const share = (100 / frames.length).toFixed(3)
  const shown = frames.map(
    ({ caption, image }, index) =>
      `<g class="f${index === 3 ? ' still' : ''}" style="animation-delay:${(index * SECONDS).toFixed(1)}s"><image width="${WIDTH}" height="${HEIGHT}" href="${image}"/><text xml:space="preserve" x="16" y="${HEIGHT + 26}">${escaped(caption)}</text></g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + BAR}" width="${WIDTH}" height="${HEIGHT + BAR}">
<title>A server is killed while a payment waits, starts again, and the payment is approved once.</title>
<style>.f{opacity:0;animation:f ${(frames.length * SECONDS).toFixed(1)}s step-end infinite}@keyframes f{0%{opacity:1}${share}%{opacity:0}}text{font:15px ui-monospace,Menlo,Consolas,monospace;fill:#e9e9e6}@media(prefers-reduced-motion:reduce){.f{animation:none}.still{opacity:1}}</style>
<clipPath id="c"><rect width="${WIDTH}" height="${HEIGHT + BAR}" rx="10"/></clipPath>
<g clip-path="url(#c)"><rect width="${WIDTH}" height="${HEIGHT + BAR}" fill="#1d2022"/>
${shown.join('\n')}
</g>
<rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT + BAR - 1}" rx="9.5" fill="none" stroke="#8886"/>
</svg>
`
}

const project = projectOf('durable')
buildPage(project)
let server = await startServer(project)
// Also when this fails.
process.once('exit', () => void server.kill())
const browser = await launch()
const context = await browser.newContext({
  viewport: { width: WIDTH, height: HEIGHT },
  colorScheme: 'light',
  reducedMotion: 'reduce',
  deviceScaleFactor: 1.25,
})
const page = await context.newPage()
await page.goto(server.url)
await page.getByLabel('Message', { exact: true }).fill('Pay Ann 20 EUR for order 7.')
await page.keyboard.press('Enter')
await page.getByRole('button', { name: 'Approve' }).waitFor()
await take(page, '$ npm start   # a payment waits for a person')
const port = Number(new URL(server.url).port)
await server.kill()
await take(page, '$ kill -9 $(lsof -t -i :3000)   # the server is gone, the page waits')
server = await startServer(project, port)
await page.reload()
await page.getByRole('button', { name: 'Approve' }).waitFor()
await take(page, '$ npm start   # another process: the payment still waits')
await page.getByRole('button', { name: 'Approve' }).click()
await page.getByRole('button', { name: 'Try again' }).waitFor()
await take(page, 'Approved: paid once, with one key')

const database = await openDatabase(join(project, 'chat.db'))
// The worker of the server runs what is forked: devtools needs no agent of their own.
const views = new TaskViews({ store: new SqliteTaskStore(database), agent: () => ({}) as never })
const served = await serveTasks(views, 0)
// Wider, so that two tasks are side by side.
const wide = await browser.newContext({ viewport: { width: 1280, height: 740 }, colorScheme: 'light' })
const tools = await wide.newPage()
await tools.goto(served.url)
await tools.getByRole('button', { name: /^Fork from here, turn 1/ }).waitFor()
await take(tools, '$ npx @x/devtools chat.db   # each step, with tokens')
await tools.getByRole('button', { name: /^Fork from here, turn 1/ }).click()
await tools.getByRole('button', { name: 'Approve' }).waitFor()
await take(tools, 'Forked: in the copy the payment is undone and waits, beside the original')

await browser.close()
await served.close()
database.close()
await server.kill()
deleteProject(project)
const text = film()
if (text.length > MOST_BYTES) throw new Error(`The film has ${text.length} bytes, more than ${MOST_BYTES}.`)
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'killed-payment.svg'), text)
console.log(`docs/pictures/film/killed-payment.svg: ${frames.length} pictures, ${Math.round(text.length / 1000)} kB`)
