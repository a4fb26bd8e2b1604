/**
 * Refuses words in the pages for users that only people who work on this repository understand, and descriptions of pages that are cut off.
 * Code is not looked at. Pages for users are the READMEs and `docs/`, without the decisions.
 *
 * @example node tools/words.ts
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** What must not stand in a page, what to write instead, and a text that it refuses. */
export const refused: readonly [word: RegExp, better: string, sample: string][] = [
  [/\bstand-ins?\b/i, 'test double, scripted model', 'a stand-in for the model'],
  [/\bcertificates? (?:for|of) (?!a server|TLS)/i, 'checks', 'a certificate for adapters'],
  [/\bdoors?\b/i, 'template, kind of application', 'each door'],
  [/\bclaim(?:s|ed|ing)?\b/i, 'lease; takes', 'a worker claims a task'],
  [
    /\b(?:durable|journal|engine's|call of a) ports?\b|\bports? of (?:an? |the )?(?:engine|journal|runner)/i,
    'the function `durable`',
    'the durable port',
  ],
  [
    /\b0\.\d+ lines?\b|\blines? (?:0\.\d|of Python\b)|\b(?:one|another|each) line or release\b/i,
    'release, version',
    'the 0.10 line',
  ],
  [
    /\b(?<!\bin |takes the |take the |decimal )places?\b(?! of (?:yours|the environment))/i,
    'position, passage, path',
    'the place of a citation',
  ],
  [/\b(?:is|are|be|was|were) told\b/i, 'receives, is notified', 'the model is told'],
  [/\b(?:is|are|was|were) none\b/i, 'there is no …, … is missing', 'a number where there is none'],
  [
    /\ba text\b(?! (?:node|model|prompt|part|field|splitter|block|template|content|answer))/i,
    'a string, a message, text',
    'a text of the model',
  ],
  [/\btexts\b/i, 'text, strings, passages', 'the texts of all documents'],
  [/\bgoes on\b/i, 'continues, is still running', 'a task that goes on'],
  [/\bsigns? of life\b/i, 'heartbeat, renewal of the lease', 'its sign of life'],
  [/\breaders? leaves?\b/i, 'the client disconnects, the consumer stops reading', 'when its reader leaves'],
  [/\bgives back\b/i, 'returns, releases', 'it gives back its tasks'],
  [
    /\b(?:a|an) [\w-]+ of (?:yours|(?:its|their|your) own)\b/i,
    'your function, its own conversation',
    'a function of yours',
  ],
  [/\bfour ways in\b/i, 'four kinds of applications', 'the four ways in'],
]

/** The phrases of a page that are refused, with their lines. Fenced and inline code and addresses are left out. */
export function refusedIn(text: string): { line: number; found: string; better: string }[] {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ')
  const prose = text
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, blank)
    .replaceAll(/`[^`]*`/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank)
    .replaceAll(/\bin (?:its|their|his|her|your|another|one|each|any|the same) places?\b/gi, blank)
  return prose.split('\n').flatMap((line, index) =>
    refused.flatMap(([word, better]) => {
      const found = word.exec(line)?.[0]
      return found === undefined ? [] : [{ line: index + 1, found, better }]
    }),
  )
}

/** The pages for users. */
export function userPages(): string[] {
  const patterns = [
    'README.md',
    'SECURITY.md',
    'docs/{*,guides/*,come-from/*,deploy/*}.md',
    'packages/{*,integrations/*}/README.md',
    'packages/create/templates/**/*.md',
    'examples/*/README.md',
  ]
  return patterns.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] })).sort()
}

if (import.meta.main) {
  const pages = userPages()
  const faults = pages.flatMap((path) =>
    refusedIn(readFileSync(join(root, path), 'utf8')).map(
      ({ line, found, better }) => `${path}:${line}: "${found}" is a word of this repository; write: ${better}`,
    ),
  )
  for (const fault of faults) console.log(fault)
  console.log(
    `words: ${pages.length - new Set(faults.map((fault) => fault.split(':')[0])).size} passed, ${faults.length} failed`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
