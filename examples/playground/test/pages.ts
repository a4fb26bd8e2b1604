/** The built page, served over loopback. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { build } from 'vite'

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }

/** Builds the page into a folder. */
export async function buildPage(outDir: string): Promise<void> {
  const root = join(import.meta.dirname, '..')
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, chunkSizeWarningLimit: 1000 },
  })
}

/** Serves a folder; returns its address. */
export async function serve(folder: string): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const path = join(folder, request.url === '/' ? 'index.html' : new URL(request.url!, 'http://page').pathname)
    if (!existsSync(path)) return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(readFileSync(path))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}
