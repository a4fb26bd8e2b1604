/**
 * @module
 * Skills in folders of a file system, for Node: entry `@x/layers/node`.
 */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { FileError } from './errors.ts'
import type { SkillSource } from './skills.ts'
import { pathInside } from './stored-files.ts'

/**
 * Returns the files below a folder as a source of skills. Links that lead out of the folder are refused.
 * @param folder - contains one folder per skill.
 * @example
 * import { mkdtemp, writeFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import { skillFolder } from '@x/layers/node'
 * const folder = await mkdtemp(`${tmpdir()}/skills-`)
 * await writeFile(`${folder}/SKILL.md`, 'Read me.')
 * const source = skillFolder(folder)
 * await source.list() // => [{ path: 'SKILL.md' }]
 * await source.read('../SKILL.md') // => throws file
 */
export function skillFolder(folder: string): SkillSource {
  return {
    list: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true })
      const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      return paths
        .map((path) => ({ path: relative(folder, path).replaceAll(sep, '/') }))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    read: async (path) => {
      const root = await realpath(folder)
      const target = await realpath(join(root, pathInside(path))).catch((cause: unknown) => {
        throw new FileError(path, `it does not exist (${(cause as { code?: string }).code})`)
      })
      if (!target.startsWith(root + sep)) throw new FileError(path, 'it is a link that leads out of the folder')
      return readFile(target, 'utf8')
    },
  }
}
