/** Serves the built site as its host does: `/guides/trace` is `guides/trace.html`. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { basePath } from './addresses.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Returns the file of a path of the site; null if it does not exist. */
export function fileOf(dist: string, pathname: string): string | null {
  if (!pathname.startsWith(basePath)) return null
  const path = join(dist, decodeURIComponent(pathname.slice(basePath.length)))
  const tries = pathname.endsWith('/') ? [join(path, 'index.html')] : [path, `${path}.html`, join(path, 'index.html')]
  return tries.find((file) => existsSync(file) && statSync(file).isFile()) ?? null
}

/** Starts a server of a built site on this machine. */
export function serveSite(dist: string): Promise<Server> {
  const server = createServer((request, response) => {
    const file = fileOf(dist, new URL(request.url ?? '/', 'http://site').pathname)
    if (file === null) return void response.writeHead(404).end(readFileSync(join(dist, '404.html')))
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    return void response.end(readFileSync(file))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
