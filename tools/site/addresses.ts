/**
 * The addresses of the project. The repository stands in the package.json of the root, where `npm run rename` writes it; the site is beside it
 * on the pages of GitHub, or where `X_SITE` says. Without both, they are addresses that exist nowhere.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Returns the addresses for a manifest and a setting. */
export function addressesOf({ repository }: { repository?: { url: string } }, site?: string) {
  const page = repository?.url.replace(/^git\+|\.git$/g, '')
  const pages = page?.replace(/^https:\/\/github\.com\/([^/]+)\/([^/]+)$/, 'https://$1.github.io/$2')
  return {
    repository: page ?? 'https://git.example/x/x',
    site: (site ?? (pages === page ? 'https://x.example' : pages!)).replace(/\/$/, ''),
  }
}

const addresses = addressesOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), process.env['X_SITE'])

/** The address of the site, without a slash at its end. */
export const siteAddress = addresses.site

/** The path of the site on its host: `/`, or `/x/` for a site below another one. */
export const basePath: string = new URL(`${siteAddress}/`).pathname

/** The address of the repository in a browser. */
export const repositoryAddress = addresses.repository

/** Returns the address of a file of the repository. */
export const fileAddress = (path: string): string => `${repositoryAddress}/blob/main/${path}`
