/**
 * @module
 * The files of the page: its HTML, its script and the index.
 */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Docs } from '../docs.ts'
import { pageHtml } from './page-html.ts'

/** Only the sources need it: the name in a constant keeps it out of the build. */
const BUNDLER = 'esbuild'

/** Returns the script of the page, which is part of the build; the sources are bundled when they run without one. */
export async function pageScript(): Promise<string> {
  const built = new URL('./page.js', import.meta.url)
  const isBuilt =
    import.meta.url.endsWith('.js') &&
    (await access(built)
      .then(() => true)
      .catch(() => false))
  if (isBuilt) return readFile(built, 'utf8')
  const { build } = (await import(BUNDLER)) as typeof import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page.js', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['@x/source'],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** Writes the page and the index of a folder as static files, for any web server. Returns their names with their sizes in bytes. */
export async function buildPage(docs: Docs, out: string): Promise<{ name: string; bytes: number }[]> {
  const files = {
    'index.html': pageHtml({ title: basename(docs.root), hasModel: false }),
    'ask.js': await pageScript(),
    'index.json': JSON.stringify(await docs.indexData()),
  }
  await mkdir(out, { recursive: true })
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      await writeFile(join(out, name), text)
      return { name, bytes: Buffer.byteLength(text) }
    }),
  )
}
