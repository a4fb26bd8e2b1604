import { defineConfig } from 'tsup'

/**
 * One bundled file per entry, for every platform. `splitting` keeps one copy of what two entries share.
 * Declarations come from `tsc`, because tsup cannot drive TypeScript 7.
 */
export function libraryBuild(entry: string[]) {
  return defineConfig({
    entry,
    format: ['esm'],
    dts: false,
    target: 'es2022',
    platform: 'neutral',
    sourcemap: true,
    clean: true,
    splitting: true,
    treeshake: false,
    esbuildOptions(options) {
      // The sources are published beside the build; the maps need no second copy of them.
      options.sourcesContent = false
    },
  })
}
