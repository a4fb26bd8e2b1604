/**
 * @module
 * Measures what `findPatterns` misses of personal data, and what it takes from harmless text.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  birthDates,
  cards,
  credentials,
  emails,
  findPatterns,
  ibans,
  ips,
  macAddresses,
  nationalIdsOf,
  type PatternRecognizer,
  phones,
  wallets,
} from '@x/postprocessors'
import { numberingPlans } from '@x/postprocessors/numbering-plans'
import { getExampleNumber } from 'libphonenumber-js/max'
import { card, date, email, harmless, iban, ip, key, mac, nationalIds, wallet } from './data.ts'
import { sentences } from './sentences.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const examples = createRequire(import.meta.url)('libphonenumber-js/examples.mobile.json')
const everything = [credentials, emails, ibans, cards, nationalIdsOf(), macAddresses, wallets, birthDates, ips, phones]

/** Of how many places a finder covers how many. */
export interface Recall {
  what: string
  found: number
  of: number
  missed: string[]
}

function recallOf(what: string, cases: readonly { text: string; value: string; find: PatternRecognizer }[]): Recall {
  const missed = cases.filter(({ text, value, find }) => {
    const start = text.indexOf(value)
    return !find(text).some((entity) => entity.start! <= start && entity.end! >= start + value.length)
  })
  return { what, found: cases.length - missed.length, of: cases.length, missed: missed.map(({ text }) => text) }
}

const usual: PatternRecognizer = findPatterns
const inSentence = (sentence: string, value: string, find: PatternRecognizer = usual) => ({
  text: sentence.replace('{}', () => value),
  value,
  find,
})
const languages = Object.values(sentences)

const markdownTable = (header: string) => `| name | ${header} | city |\n|---|---|---|\n| Ann | {} | x |`

/** National telephone numbers in tables whose header is the label of a sentence. */
const inColumns = (table: (header: string) => string) =>
  languages.flatMap(({ phone, regions }) =>
    regions.map((region) => {
      const header = phone[0]!.replace(/\{\}.*/, '').replace(/[\s:：]+$/, '')
      const number = getExampleNumber(region as 'DE', examples)!.formatNational()
      return inSentence(table(header), number)
    }),
  )

/** National telephone numbers in lists whose label is that of a sentence: the second of three items. */
const inLists = (list: (label: string, items: readonly string[]) => string) =>
  languages.flatMap(({ phone, regions }) =>
    regions.map((region) => {
      const label = phone[0]!.replace(/\{\}.*/, '').replace(/[\s:：]+$/, '')
      const number = getExampleNumber(region as 'DE', examples)!.formatNational()
      return inSentence(list(label, [number.replace(/\d$/, '0'), '{}', number.replace(/\d$/, '1')]), number)
    }),
  )

const each = (kind: 'email' | 'iban' | 'card' | 'ip', make: () => string) =>
  languages.flatMap((language) => Array.from({ length: 4 }, () => inSentence(language[kind], make())))

/** Recall of data in other spellings. */
function encodedRecalls(): Recall[] {
  const encoded = (encode: (text: string) => string) => [
    ...each('email', () => encode(email())),
    ...each('iban', () => encode(iban())),
    ...each('card', () => encode(card())),
  ]
  const everySecond = (mark: string) => (text: string) => text.replace(/(?<=..)(?=..)/g, mark)
  return [
    recallOf('`emails`, `ibans`, `cards` in an address (`%40`)', encoded(encodeURIComponent)),
    recallOf(
      '`emails`, `ibans`, `cards` as character references or in JSON',
      encoded((text) => text.replace(/[^\p{L}\d]/gu, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)).concat(
        encoded((text) => text.replace(/[^\p{L}]/gu, (sign) => `&#${sign.charCodeAt(0)};`)),
      ),
    ),
    recallOf(
      '`emails`, `ibans`, `cards` in base64',
      encoded((text) => Buffer.from(text).toString('base64url')),
    ),
    recallOf('`emails`, `ibans`, `cards` with invisible characters', encoded(everySecond('\u200B'))),
  ]
}

/** Recall of national telephone numbers in tables and lists with a label. */
function labelledRecalls(): Recall[] {
  return [
    recallOf('`phones`, national below the header of a column', inColumns(markdownTable)),
    recallOf(
      '`phones`, national below the header of a column in CSV',
      [',', ';', '\t'].flatMap((sign) =>
        inColumns((header) =>
          [
            ['name', header, 'city'],
            ['Ann', '"{}"', 'x'],
          ]
            .map((row) => row.join(sign))
            .join('\n'),
        ),
      ),
    ),
    recallOf(
      '`phones`, national below the header of an aligned column',
      inColumns((header) =>
        [
          ['name', header, 'city'],
          ['Ann', '{}', 'x'],
        ]
          .map((row) => row.map((cell) => cell.padEnd(24)).join(''))
          .join('\n'),
      ),
    ),
    recallOf(
      '`phones`, national in a list below a label',
      inLists((label, items) => `${label}:\n\n${items.map((item) => `- ${item}\n`).join('')}`),
    ),
    recallOf(
      '`phones`, national in brackets behind a label',
      inLists((label, items) => `"${label}": [${items.map((item) => `"${item}"`).join(', ')}]`),
    ),
  ]
}

/** Recall per kind; national telephone numbers also per region. */
export function recalls(): Recall[] {
  const phoneCases = (
    form: 'formatNational' | 'formatInternational',
    kind: 'phone' | 'plain',
    withRegion: boolean,
    breakAt = /$^/,
  ) =>
    languages.flatMap((language) =>
      language.regions.flatMap((region) => {
        const find = withRegion ? findPatterns({ regions: numberingPlans(region) }) : usual
        const number = getExampleNumber(region as 'DE', examples)!
          [form]()
          .replace(breakAt, '\n')
        return language[kind].map((sentence) => inSentence(sentence, number, find))
      }),
    )
  const all = findPatterns({ kinds: everything })
  const own = (make: () => string) => Array.from({ length: 50 }, () => inSentence('value {} here', make(), all))
  return [
    recallOf('`emails`', each('email', email)),
    recallOf('`ibans`', each('iban', iban)),
    recallOf('`cards`', each('card', card)),
    recallOf('`ips`', each('ip', ip)),
    recallOf('`phones`, international', phoneCases('formatInternational', 'plain', false)),
    recallOf('`phones`, national behind a label', phoneCases('formatNational', 'phone', false)),
    ...labelledRecalls(),
    recallOf(
      '`phones`, international across a line break',
      phoneCases('formatInternational', 'plain', false, /(?<=^\+\d+) /),
    ),
    recallOf('`phones`, national without a label', phoneCases('formatNational', 'plain', false)),
    recallOf('`phones` with `regions`, national without a label', phoneCases('formatNational', 'plain', true)),
    ...encodedRecalls(),
    recallOf(
      '`birthDates`',
      languages.flatMap(({ birth }) => Array.from({ length: 3 }, () => inSentence(birth, date(), all))),
    ),
    recallOf('`credentials`, keys and tokens', own(key)),
    recallOf('`macAddresses`', own(mac)),
    recallOf('`wallets`, Ethereum', own(wallet)),
    ...Object.entries(nationalIds).map(([region, make]) =>
      recallOf(
        `\`nationalIdsOf('${region}')\``,
        own(make).map((one) => ({
          ...one,
          find: findPatterns({ kinds: [nationalIdsOf(region)] }),
          value: /[^ ]*\d.*/.exec(one.value)![0],
        })),
      ),
    ),
  ]
}

/** How many of some texts contain something that is found. */
export interface FalseAlarms {
  what: string
  usual: number
  everything: number
  of: number
  found: string[]
}

const regions = ['DE', 'FR', 'US', 'GB', 'ES', 'JP', 'DK', 'BR']

/** False alarms per kind of harmless text, with the usual kinds, and with all kinds and eight regions. */
export function falseAlarms(count = 500): FalseAlarms[] {
  const all = findPatterns({ kinds: everything, regions: numberingPlans(...regions) })
  return Object.entries(harmless).map(([what, make]) => {
    const texts = Array.from({ length: count }, make)
    const found = texts.filter((text) => all(text).length > 0)
    return {
      what,
      usual: texts.filter((text) => usual(text).length > 0).length,
      everything: found.length,
      of: count,
      found,
    }
  })
}

/** What is found in the documents of this repository, without those about masking: cards and telephones, by file. */
export function inDocuments(): { characters: number; found: string[] } {
  const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).split('\n')
  const found: string[] = []
  let characters = 0
  for (const file of files) {
    if (file === '' || /postprocessors|answer-about-documents|changeset/.test(file)) continue
    const text = readFileSync(join(root, file), 'utf8')
    characters += text.length
    for (const { entity_group, word } of usual(text))
      if (/CARD|PHONE|IBAN/.test(entity_group ?? '')) found.push(`${file}: ${entity_group} ${word}`)
  }
  return { characters, found }
}

const percent = (part: number, of: number): string => `${Number(((100 * part) / of).toFixed(1))} %`

/** The two tables, as Markdown. */
export function scoreTable(): string {
  const recall = recalls().map(({ what, found, of }) => `| ${what} | ${found} of ${of} |`)
  const alarms = falseAlarms().map(
    ({ what, usual: few, everything: many, of }) => `| ${what} | ${percent(few, of)} | ${percent(many, of)} |`,
  )
  const documents = inDocuments()
  return `
| Found | Recall |
|---|---|
${recall.join('\n')}

| Harmless text, 500 of each | False alarms, usual kinds | All kinds, ${regions.length} regions |
|---|---|---|
${alarms.join('\n')}

Cards, IBANs and telephone numbers found in the documents of this repository (${(documents.characters / 1e6).toFixed(1)} million characters): ${documents.found.length}.

`
}
