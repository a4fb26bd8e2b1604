/** Finds links of the built site that lead nowhere: to a page, a file, or an anchor of a page that does not exist. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basePath } from './addresses.ts'
import { fileOf } from './serve.ts'

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
