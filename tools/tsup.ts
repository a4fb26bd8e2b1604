import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'

/** Entries that hold no classes: they have their own copy of the few functions and constants that the main entry has too. */
const apart = /\/(?:schemas|runtime)\.ts$/

/**
 * One bundled file per entry, for every platform. What entries share is there once, in further files, so that a class is the same
 * whichever entry it comes from; each file of the main entry is a millisecond of its loading, so nothing else is shared.
 * Declarations come from `tsc`, because tsup cannot drive TypeScript 7.
 * What a source imports from a package that is no dependency becomes part of the build, and its license goes with it.
 */
export function libraryBuild(entry: string[]) {
  rmSync('dist', { recursive: true, force: true })
  const together = entry.filter((path) => !apart.test(path))
  const builds = [together, ...entry.filter((path) => apart.test(path)).map((path) => [path])]
  return defineConfig(builds.map(build))
}

function build(entry: string[]): Options {
  return {
    entry,
    format: ['esm'],
    dts: false,
    target: 'es2022',
    platform: 'neutral',
    sourcemap: true,
    // Builds of one package run side by side.
    clean: false,
    splitting: true,
    treeshake: false,
    esbuildOptions(options) {
      // The sources are published beside the build; the maps need no second copy of them.
      options.sourcesContent = false
    },
    esbuildPlugins: [
      {
        name: 'licenses',
        setup(build) {
          build.initialOptions.metafile = true
          build.onEnd(({ metafile }) => {
            const outputs = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.entries(inputs))
            const files = outputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file)
            writeLicenses(files, 'dist/LICENSES-OF-PARTS.txt')
          })
        },
      },
    ],
  }
}

/** Writes the licenses of the packages that files come from, if there are any. */
function writeLicenses(files: string[], path: string): void {
  const folders = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? []))
  const texts = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const [license] = globSync('{license,LICENSE,LICENCE,licence}*', { cwd: folder })
    if (license === undefined)
      throw new Error(`${name} ${version} has no license file and cannot become part of a build`)
    const text = readFileSync(join(folder, license), 'utf8').trim()
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`])
  }
  if (texts.size === 0) return
  const parts = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `Parts of other packages are in these files.\n\n${parts.join('\n---\n\n')}`)
}
