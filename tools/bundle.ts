/** The bundle of an application in a browser: what `npm run sizes` and `npm run bench -- sizes` measure. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Returns the minified bundle of a module; packages are looked up from `resolveDir`.
 * @param external - packages that are left out.
 */
export async function bundle(code: string, resolveDir: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir, loader: 'js' },
    bundle: true,
    external: [...external],
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]!.text
}

/** Returns the size of a string after gzip at its best, in bytes. */
export function gzipSize(text: string): number {
  return gzipSync(text, { level: 9 }).length
}
