/**
 * Builds the site of the documentation into `site/dist`: the Markdown files of this repository as pages, pages that are made from the code
 * (errors, events, sizes), the reference of all names, the playground, a search over everything, and `llms.txt` for programs. With
 * `--check`, also opens it in a browser and refuses links that lead nowhere, pages that are too wide, faults of accessibility and errors of
 * scripts. With `--quick`, there is no reference, the page of sizes has a few packages and no budgets, and the browser opens only pages
 * with every kind of content and a quarter of the examples. The programs that it needs are installed into `site/` on first use.
 *
 * @example npm run site
 * @example npm run site -- --check
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCommand } from './command.ts'
import { basePath, repositoryAddress } from './site/addresses.ts'
import { headline } from './site/descriptions.ts'
import { errorsPage } from './site/errors.ts'
import { eventsPage } from './site/events.ts'
import { failingLinks } from './site/failing-states.ts'
import { homePage } from './site/home.ts'
import { llmsFull, llmsList, llmsParts } from './site/llms.ts'
import { menuOf } from './site/menu.ts'
import { decisionsPage, filePages, madePage, type Page, root } from './site/pages.ts'
import { type PlaygroundLink, playgroundLinks } from './site/playground-links.ts'
import { labelParts, writeReference } from './site/reference.ts'
import { sizesPage } from './site/sizes.ts'

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
})
const site = join(root, 'site')
const dist = join(site, 'dist')

/** Runs a program, in the folder of the site if no other is named; its output is shown only when it fails. */
function run(command: string, args: string[], cwd = site): void {
  const { status, output } = runCommand(command, args, { cwd, quiet: true })
  if (status === 0) return
  console.error(output)
  throw new Error(`${command} ${args[0]} failed.`)
}

/** Runs a program that is installed in the folder of the site. */
const runInstalled = (path: string, ...args: string[]) => run(process.execPath, [join('node_modules', path), ...args])

/** Prints how long a part took. */
async function timed<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

/** Writes the pages as Markdown for VitePress, and what the theme needs to know of them. */
function writePages(pages: readonly Page[], links: ReadonlyMap<string, PlaygroundLink>): void {
  const folder = join(site, 'pages')
  rmSync(folder, { recursive: true, force: true })
  for (const { path, text } of pages) {
    const file = join(folder, `${path}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  // The page around each of the reference, without which the theme of TypeDoc cannot be read.
  mkdirSync(join(folder, 'reference'), { recursive: true })
  writeFileSync(join(folder, 'reference', 'shell.md'), '# Reference\n')
  // What is served as it is.
  cpSync(join(root, 'docs', 'pictures', 'film'), join(folder, 'public'), { recursive: true })
  const playground = Object.fromEntries([...links].map(([code, { address }]) => [code, address]))
  const facts = {
    base: basePath,
    description: headline,
    repository: repositoryAddress,
    menu: menuOf(pages),
    playground,
  }
  writeFileSync(join(folder, 'site.json'), JSON.stringify(facts))
}

/** Writes the pages as Markdown beside their HTML, for programs. */
function writeTexts(pages: readonly Page[]): void {
  for (const { path } of pages) cpSync(join(site, 'pages', `${path}.md`), join(dist, `${path}.md`))
  writeFileSync(join(dist, 'llms.txt'), llmsList(pages))
  writeFileSync(join(dist, 'llms-full.txt'), llmsFull(pages))
  for (const [name, text] of llmsParts(pages)) writeFileSync(join(dist, name), text)
}

// As a task of turbo, the builds are there.
if (process.env['TURBO_HASH'] === undefined)
  await timed('builds', () => run('turbo', ['run', 'build', '--filter=./packages/**', '--no-update-notifier'], root))
await timed('install', () => run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--loglevel=warn']))
const pages = await timed('pages', async () => [
  madePage('index', homePage()),
  ...filePages(),
  decisionsPage(),
  madePage('errors', errorsPage()),
  madePage('events', await eventsPage()),
  madePage('sizes', await sizesPage(values.quick)),
])
const links = await timed('examples', async () => {
  const texts = pages.map(({ text }) => text)
  return new Map([...(await playgroundLinks(texts)), ...(await failingLinks())])
})
writePages(pages, links)
await timed('prose', () => runInstalled('vitepress/bin/vitepress.js', 'build'))
if (!values.quick) await timed('reference', () => writeReference(dist, run))
rmSync(join(dist, 'reference', 'shell.html'), { force: true })
labelParts(dist)
await timed('playground', () =>
  run('pnpm', ['run', 'make', '--outDir', join(dist, 'playground')], join(root, 'examples', 'playground')),
)
writeTexts(pages)
await timed('search', () => runInstalled('pagefind/lib/runner/bin.cjs', '--site', 'dist', '--quiet'))
console.log(`site/dist: ${pages.length} pages${values.quick ? '' : ' and the reference'}`)
if (values.check) {
  const { checkSite } = await import('./site/check.ts')
  const { passed, failed } = await timed('check', () => checkSite(dist, pages, [...links.values()], values.quick))
  console.log(`site: ${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}
