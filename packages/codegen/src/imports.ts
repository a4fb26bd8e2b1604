/**
 * @module
 * Prints the imports of a generated module.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

/** Collects imported names and prints the import statements of a module. */
export class Imports {
  readonly #names = new Map<string, { values: Set<string>; types: Set<string> }>()
  readonly #from: string

  /** `from` is the folder of the importing module. */
  constructor(from: string) {
    this.#from = from
  }

  /** Adds a name from a package, or from a file with an absolute path. */
  add(kind: 'values' | 'types', module: string, name: string): void {
    const specifier = this.#specifier(module)
    const names = this.#names.get(specifier) ?? { values: new Set(), types: new Set() }
    names[kind].add(name)
    this.#names.set(specifier, names)
  }

  #specifier(module: string): string {
    if (!isAbsolute(module)) return module
    const owner = packageOf(module)
    // Exports of another package are imported by package name.
    if (owner.folder !== packageOf(this.#from).folder) return owner.name
    const path = relative(this.#from, module).split(sep).join('/')
    return path.startsWith('.') ? path : `./${path}`
  }

  toString(): string {
    return [...this.#names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([module, { values, types }]) => {
        const all = [...[...types].filter((name) => !values.has(name)).map((name) => `type ${name}`), ...values]
        const sorted = all.sort((a, b) => (bare(a) < bare(b) ? -1 : 1))
        return values.size > 0
          ? `import { ${sorted.join(', ')} } from '${module}'`
          : `import type { ${sorted.map(bare).join(', ')} } from '${module}'`
      })
      .join('\n')
  }
}

const bare = (name: string): string => name.replace(/^type /, '')

/** Returns the package of a file or folder. */
function packageOf(path: string): { folder: string; name: string } {
  let folder = path
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error(`${path}: expected a package.json in a parent folder, found none.`)
    folder = dirname(folder)
  }
  return { folder, name: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name }
}
