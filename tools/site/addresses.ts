/** The addresses of the project, which `npm run rename` writes: of the site, which errors name, and of the repository. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { siteAddress } from '../../packages/core/src/errors.ts'

export { siteAddress }

const manifest = join(import.meta.dirname, '..', '..', 'package.json')
const { repository } = JSON.parse(readFileSync(manifest, 'utf8')) as { repository?: { url: string } }

/** The path of the site on its host: `/`, or `/x/` for a site below another one. */
export const basePath: string = new URL(`${siteAddress}/`).pathname

/** The address of the repository in a browser. Before a publisher states it, one that exists nowhere. */
export const repositoryAddress = repository?.url.replace(/^git\+|\.git$/g, '') ?? 'https://git.example/x/x'

/** Returns the address of a file of the repository. */
export const fileAddress = (path: string): string => `${repositoryAddress}/blob/main/${path}`
