/** Copies of this repository, for checks that change it. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Makes a repository of this working tree, committed or not, with one commit. Nothing is installed in it. */
export function cloneTo(folder: string): void {
  const git = (cwd: string, ...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout
  const files = git(root, 'ls-files', '-co', '--exclude-standard', '-z').split('\0')
  for (const path of files)
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '-q', '-m', 'all')
}
