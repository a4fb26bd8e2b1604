/**
 * Writes the table of recall and false alarms of `findPatterns` into the README of `@x/postprocessors`: generated data in sentences of 25
 * languages, generated harmless text, and the documents of this repository. With `--check`, refuses a README that differs.
 *
 * @example npm run mask-score
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scoreTable } from './score.ts'

const path = join(import.meta.dirname, '..', '..', 'README.md')
const readme = readFileSync(path, 'utf8')
const written = readme.replace(
  /(<!-- mask-score -->\n)[\s\S]*?(<!-- \/mask-score -->)/,
  (_, start, end) => `${start}${scoreTable()}${end}`,
)
if (!process.argv.includes('--check')) {
  writeFileSync(path, written)
  console.log(/<!-- mask-score -->\n([\s\S]*?)<!-- /.exec(written)?.[1])
} else if (written !== readme) {
  console.log('The table of recall in packages/postprocessors/README.md differs; run npm run mask-score.')
  process.exitCode = 1
}
