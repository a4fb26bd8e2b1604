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
export const refused: readonly { word: RegExp; better: string; sample: string }[] = [
  { word: /\bstand-ins?\b/i, better: 'test double, scripted model', sample: 'a stand-in for the model' },
  { word: /\bcertificates? (?:for|of) (?!a server|TLS)/i, better: 'checks', sample: 'a certificate for adapters' },
  { word: /\bdoors?\b/i, better: 'template, kind of application', sample: 'each door' },
  { word: /\bclaim(?:s|ed|ing)?\b/i, better: 'lease; takes', sample: 'a worker claims a task' },
  {
    word: /\b(?:durable|journal|engine's|call of a) ports?\b|\bports? of (?:an? |the )?(?:engine|journal|runner)/i,
    better: 'the function `durable`',
    sample: 'the durable port',
  },
  {
    word: /\b0\.\d+ lines?\b|\blines? (?:0\.\d|of Python\b)|\b(?:one|another|each) line or release\b/i,
    better: 'release, version',
    sample: 'the 0.10 line',
  },
  {
    word: /\b(?<!\bin |takes the |take the |decimal )places?\b(?! of (?:yours|the environment))/i,
    better: 'position, passage, path',
    sample: 'the place of a citation',
  },
  { word: /\b(?:is|are|be|was|were) told\b/i, better: 'receives, is notified', sample: 'the model is told' },
  {
    word: /\b(?:is|are|was|were) none\b/i,
    better: 'there is no …, … is missing',
    sample: 'a number where there is none',
  },
  {
    word: /\ba text\b(?! (?:node|model|prompt|part|field|splitter|block|template|content|answer))/i,
    better: 'a string, a message, text',
    sample: 'a text of the model',
  },
  { word: /\btexts\b/i, better: 'text, strings, passages', sample: 'the texts of all documents' },
  { word: /\bgoes on\b/i, better: 'continues, is still running', sample: 'a task that goes on' },
  { word: /\bsigns? of life\b/i, better: 'heartbeat, renewal of the lease', sample: 'its sign of life' },
  {
    word: /\breaders? leaves?\b/i,
    better: 'the client disconnects, the consumer stops reading',
    sample: 'when its reader leaves',
  },
  { word: /\bgives back\b/i, better: 'returns, releases', sample: 'it gives back its tasks' },
  {
    word: /\b(?:a|an) [\w-]+ of (?:yours|(?:its|their|your) own)\b/i,
    better: 'your function, its own conversation',
    sample: 'a function of yours',
  },
  { word: /\bfour ways in\b/i, better: 'four kinds of applications', sample: 'the four ways in' },
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
    refused.flatMap(({ word, better }) => {
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
