/** Copies of this repository, for checks that change it. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Makes a repository of this working tree, committed or not, with one commit. Nothing is installed in it, unless `linkInstalled` follows.
 */
export function cloneTo(folder: string): void {
  const git = (cwd: string, ...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout
  const files = git(root, 'ls-files', '-co', '--exclude-standard', '-z').split('\0')
  for (const path of files)
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '-q', '-m', 'all')
}

/**
 * Installs in a clone what is installed here, in a second instead of a minute: the links of pnpm are copied, so that packages find each
 * other inside of the clone, and other packages where they are here. Remove the clone's `node_modules` before something installs there.
 */
export function linkInstalled(folder: string): void {
  const shared = ['node_modules/.pnpm', 'tools/toolchain/node_modules']
  for (const modules of globSync('{.,packages/*,packages/integrations/*,examples/*,tools}/node_modules', {
    cwd: root,
  })) {
    mkdirSync(join(folder, modules), { recursive: true })
    // The other names with a dot are caches.
    for (const name of readdirSync(join(root, modules)))
      if (!name.startsWith('.') || ['.bin', '.stamp', '.generated', '.modules.yaml'].includes(name))
        cpSync(join(root, modules, name), join(folder, modules, name), { recursive: true, verbatimSymlinks: true })
  }
  for (const path of globSync('packages/*/src/generated', { cwd: root }))
    cpSync(join(root, path), join(folder, path), { recursive: true })
  for (const path of shared) symlinkSync(join(root, path), join(folder, path), 'junction')
}
