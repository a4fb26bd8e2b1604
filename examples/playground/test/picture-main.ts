/**
 * Writes the picture of the README: the search with its chain, in a page of 1280 pixels.
 * @example node tools/with-toolchain.mjs node --conditions=@x/source examples/playground/test/picture-main.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '../../../tools/browser/launch.ts'
import { buildPage, serve } from './pages.ts'

const folder = mkdtempSync(join(import.meta.dirname, '..', '.package-'))
await buildPage(join(folder, 'page'))
const server = await serve(join(folder, 'page'))
const browser = await launch()
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' })
await page.goto(`${server.url}#search`)
await page.waitForSelector('#found')
await page.screenshot({ path: join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures', 'playground.png') })
await browser.close()
server.close()
rmSync(folder, { recursive: true })
