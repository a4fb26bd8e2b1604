/**
 * Writes the calling codes and the numbering plans of all regions, for `findPatterns`, from the metadata of `libphonenumber-js`, which is
 * made from Google's libphonenumber. With `--check`, refuses files that differ.
 *
 * @example node packages/postprocessors/test/write-numbering-plans.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

type Format = [pattern: string, format: string, leading?: string[] | 0, prefixRule?: string | 0]
type Kind = [pattern?: string, lengths?: number[]] | 0

const require = createRequire(import.meta.url)
const { country_calling_codes: codes, countries } = require('libphonenumber-js/metadata.max.json')
const { version } = JSON.parse(readFileSync(require.resolve('libphonenumber-js/package.json'), 'utf8'))
const folder = join(import.meta.dirname, '..', 'src', 'pii', 'patterns', 'data')

/** Fixed line, mobile, personal and internet telephones. Numbers of services are no personal data. */
const personal = [0, 1, 4, 8]
const kindsOf = (region: string, kinds: readonly number[]): Exclude<Kind, 0>[] =>
  kinds.flatMap((kind) => {
    const found: Kind | undefined = countries[region][11]?.[kind]
    return found ? [found] : []
  })

/** The sizes of the groups that a format writes: `4.3.4`, `5.2-11`; behind a plus with the prefix of national calls: `+4.7`. */
function shapeOf([pattern, format, , prefixRule]: Format): string {
  const sizes = [...pattern.matchAll(/\((\\d|\[[^\]]+\])(?:\{(\d+)(?:,(\d+))?\})?[^)]*\)/g)].map(
    ([, , least, most]) => {
      const from = Number(least ?? 1)
      return [from, Number(most ?? from)] as const
    },
  )
  const text = prefixRule ? format.replace(/\$\d/, (first) => prefixRule.replace('$1', () => first)) : format
  const groups = text.split(/[^\d$]+/).filter((group) => group !== '')
  const sign = prefixRule && /\d/.test(prefixRule.replace('$1', '')) ? '+' : ''
  return `${sign}${groups
    .map((group) => {
      let [from, to] = [0, 0]
      for (const [part] of group.matchAll(/\$\d|\d/g)) {
        const [least, most] = part.startsWith('$') ? (sizes[Number(part.slice(1)) - 1] ?? [1, 1]) : [1, 1]
        from += least
        to += most
      }
      return from === to ? `${from}` : `${from}-${to}`
    })
    .join('.')}`
}

function planOf(region: string): string {
  const [code, , general, , formats, prefix, , parsing, transform] = countries[region]
  const main = countries[codes[code][0]]
  const patterns = kindsOf(region, personal).flatMap(([pattern]) => (pattern ? [pattern] : []))
  const written: Format[] = formats || main[4] || []
  const shapes = new Set(written.map((format) => shapeOf(format)))
  return [
    region,
    prefix || '-',
    parsing || '-',
    transform || '-',
    [...shapes].join('|') || '-',
    patterns.length > 0 ? [...new Set(patterns)].join('|') : general,
  ].join(' ')
}

/** The least and the most digits behind each calling code, of codes with the same lengths together. */
function callingCodes(): string {
  const by = new Map<string, string[]>()
  for (const [code, regions] of Object.entries<string[]>(codes)) {
    const lengths = regions.flatMap((region) =>
      kindsOf(region, [0, 1]).flatMap(([, own]) => own ?? (countries[region][3] as number[])),
    )
    const key = `${Math.min(...lengths)}-${Math.max(...lengths)}`
    by.set(key, [...(by.get(key) ?? []), code])
  }
  return [...by].map(([lengths, sharing]) => `${lengths} ${sharing.join(' ')}`).join('\n')
}

const header = `/* Written by test/write-numbering-plans.ts from the metadata of libphonenumber-js ${version}.
   Made from libphonenumber, Copyright The Libphonenumber Authors, licensed under the Apache License 2.0,
   https://www.apache.org/licenses/LICENSE-2.0; changed: only what finding numbers in texts needs. */
`
const literal = (text: string) => `String.raw\`${text}\``
const files = {
  'calling-codes.ts': `${header}export const callingCodeLengths = \`${callingCodes()}\`\n`,
  'numbering-plans.ts': `${header}export const planLines = ${literal(Object.keys(countries).sort().map(planOf).join('\n'))}\n`,
}

let [passed, failed] = [0, 0]
for (const [name, text] of Object.entries(files)) {
  const path = join(folder, name)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') === text) passed += 1
  else {
    failed += 1
    console.log(`${name} differs; run node packages/postprocessors/test/write-numbering-plans.ts.`)
  }
}
console.log(`numbering plans: ${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
