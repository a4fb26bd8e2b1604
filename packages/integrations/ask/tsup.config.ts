import type { Options } from 'tsup'
import { libraryBuild } from '../../../tools/tsup.ts'

/** The script of the page contains everything that it needs. */
const page: Options = {
  entry: { page: 'src/page/page.js' },
  format: ['esm'],
  platform: 'browser',
  target: 'es2022',
  minify: true,
  noExternal: [/./],
  splitting: false,
  clean: false,
  dts: false,
}

export default [...(libraryBuild(['src/index.ts', 'src/main.ts'], { platform: 'node' }) as Options[]), page]
