/**
 * @module
 * The forms in which models write pairs of a document number and a relevance.
 */

import { lazy } from '@x/core/values'

/** The number of a document and its relevance. With `last`, all documents from `choice` to `last` have it. */
export type ReadPair = [choice: number, relevance: number, last?: number]

/** A decimal number without its sign. `9,5` is one, but not the comma between two pairs (`3:9,1:4`) or in a list (`[3,9]`). */
const decimal = String.raw`(?<!\d)(?:\d{1,15}(?:\.\d{1,300}|,\d{1,300}(?!\d|,\d| {0,2}[\]:=]))?|\.\d{1,15})(?:e[+-]?\d{1,9})?(?!\d)`
/** The number of a document, or two numbers of a range such as `1-3`. A fraction follows no range: in `3-9/10`, 9 is a relevance. */
const documents = String.raw`(\d{1,9})(?:(?:[-–]| (?:to|bis|à) )(\d{1,30})(?!\d| {0,2}/))?`

/** Returns the number that a decimal stands for; undefined without one, or if it is too large. */
function numberOf(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number(text.replace(',', '.'))
  return Number.isFinite(value) ? value : undefined
}

/** Returns the pair of three matches; no pair if one of them is not a number, or the range is empty. */
function pairOf(first: string | undefined, last: string | undefined, relevance: string | undefined): ReadPair[] {
  const value = numberOf(relevance)
  if (first === undefined || value === undefined || Number(last ?? first) < Number(first)) return []
  return [last === undefined ? [Number(first), value] : [Number(first), value, Number(last)]]
}

const documentWords =
  'documents?|docs?|dokumente?|documentos?|passages?|chunks?|texts?|sources?|items?|index|idx|id|number|文档|文档编号|文件|文章|文書|ドキュメント|문서|документ'
const scoreWords =
  'relevance|relevancy|relevanz|pertinence|relevancia|scores?|ratings?|points|confidence|weight|相关性|相关度|相關性|関連度|関連性|评分|得分|分数|관련도|관련성|релевантность|оценка'
const suffix = '(?:[ _-]?(?:score|rating|id|ids|number|num|nr|no|index|level))?'
const forms = /* @__PURE__ */ lazy(() => ({
  label: new RegExp(`(?<![\\p{L}\\p{N}])(?:(${documentWords})|(${scoreWords}))${suffix}(?![\\p{Lu}\\p{Ll}])`, 'giu'),
  document: new RegExp(documentWords, 'iu'),
  score: new RegExp(scoreWords, 'iu'),
}))
/** The keys of an object for its document and its relevance, such as `doc_id` and `relevance_score`. */
export const keyForms = /* @__PURE__ */ lazy(() => ({
  document: new RegExp(`^(?:[a-z]{1,20}[ _-])?(?:${documentWords})${suffix}$`, 'iu'),
  score: new RegExp(`^(?:[a-z]{1,20}[ _-])?(?:${scoreWords})${suffix}$`, 'iu'),
}))
/** A document label may be followed directly by its number: `doc_3`, `Doc3`. */
const documentValue = /* @__PURE__ */ lazy(
  () => new RegExp(String.raw`^(?:[\s"'“”‘’*_\`:=#.([<]|-(?= )){0,12}${documents}(?![\d]|\.\d|%)`),
)
/** A further document of a list such as `1, 2 and 4`. */
const furtherDocument = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^["'”’*_\x60\]>]{0,4} {0,3}(?:[,;&+] {0,3}(?:and |und |et |y )?|(?:and|und|et|y) )["'“‘*_\x60#[<]{0,4}${documents}(?![\d\p{L}]|\.\d|%)`,
      'iu',
    ),
)
/** What follows a list of documents: the label of their relevance. */
const listEnd = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^["'”’*_\x60)\]>.\s]{0,6}(?:[,;:|(–—-]\s{0,3}){0,2}["'“‘*_\x60(]{0,4}(?:${scoreWords})${suffix}(?![\p{Lu}\p{Ll}])`,
      'iu',
    ),
)
/** Signs and words between a label and a relevance, and the relevance. */
const scoreValue = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^((?:[\s"'“”‘’*_\`:=~≈>([|+-]|is\b|about\b|of\b(?! doc)|approximately\b|approx\.|ca\.|high\b|medium\b|low\b){0,12})(${decimal})`,
      'i',
    ),
)
/** The end of what is between a label and a negative relevance. A dash without a sign before it only separates. */
const minus = /[:=~≈>([|]["'“”‘’*_`\s]{0,4}-$/
/** A relevance directly after a document: `Doc 3: 9/10`, `Doc 3 (9)`. */
const bareScore = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^["'”’*_\`)\]>]{0,4} {0,3}(?:-{0,2}[:=|→>]{1,3}|[–—-]{1,3}|\() {0,3}["'*_\`([]{0,3}([+-]?${decimal})(?: {0,2}(?:\/|out of) {0,2}\d{1,4})?(?= {0,2}(?:["'*_\`)\]}]{0,4} {0,2}(?:[,;.|(–—-]|$)|points\b))`,
      'im',
    ),
)

/** The documents behind a label, as matches of their numbers, and the relevance directly behind them. */
interface Documents {
  found: RegExpExecArray[]
  relevance: string | undefined
}

/** Returns the documents at the start of a string: one, a range, or a list that is followed by a relevance; null without one. */
function documentsAt(text: string): Documents | null {
  const first = documentValue().exec(text)
  if (first === null) return null
  const found = [first]
  let rest = text.slice(first[0].length)
  const bare = bareScore().exec(rest)
  if (bare) return { found, relevance: bare[1] }
  for (let next = furtherDocument().exec(rest); next !== null; next = furtherDocument().exec(rest)) {
    found.push(next)
    rest = rest.slice(next[0].length)
  }
  const relevance = found.length > 1 ? bareScore().exec(rest)?.[1] : undefined
  return relevance !== undefined || listEnd().test(rest) ? { found, relevance } : { found: [first], relevance }
}

/**
 * Parses labelled numbers: a document and the relevance after it, on the same line or a later one. In answers that begin with a relevance,
 * the document is after the relevance. This includes JSON in any layout, even truncated JSON.
 */
export function readLabelled(text: string): ReadPair[] {
  const pairs: ReadPair[] = []
  let scoreFirst: boolean | undefined
  let choice: Documents | null = null
  let relevance: string | undefined
  const add = ({ found }: Documents, value: string | undefined) => {
    for (const [, first, last] of found) pairs.push(...pairOf(first, last, value))
  }
  for (const { 0: found, 1: documentWord, index } of text.matchAll(forms().label)) {
    const rest = text.slice(index + found.length, index + found.length + 80)
    let isRead: boolean
    if (documentWord === undefined) {
      const match = scoreValue().exec(rest)
      relevance = match === null ? undefined : (minus.test(match[1]!) ? '-' : '') + match[2]
      isRead = match !== null
    } else {
      // A document without a relevance is followed by the next document.
      choice = documentsAt(rest)
      if (choice?.relevance !== undefined) {
        add(choice, choice.relevance)
        choice = null
        continue
      }
      isRead = choice !== null
    }
    // `Doc: two` is a document too, `"documents": [` is a heading.
    if (isRead || /^[\s:*]{1,4}\p{L}/u.test(rest)) scoreFirst ??= documentWord === undefined
    const isComplete = choice !== null && relevance !== undefined && scoreFirst === (documentWord !== undefined)
    if (isComplete) add(choice!, relevance)
    // Behind a pair, or without one: a relevance that is not a number, or the second one of a document, or the second document of a
    // relevance.
    if ((documentWord !== undefined) === (scoreFirst ?? false)) {
      choice = null
      relevance = undefined
    }
  }
  return pairs
}

/** Relevances in words, on the scale of the default prompt, 1 to 10. */
const levels: Readonly<Record<string, string>> = {
  'very high': '10',
  high: '9',
  medium: '5',
  moderate: '5',
  low: '2',
  'very low': '1',
}
const level = /\b(?:very[ -])?(?:high|medium|moderate|low)\b(?=["'”’*_`]{0,4} {0,3}(?:[)\]},.;|]|$))/gi
/** What stands before a relevance in words: a number, or a label for relevances. */
const beforeLevel = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`(?:\d["'”’*_\`)\]>.]{0,4}|(?:${scoreWords})${suffix}["'*_\`]{0,4}) {0,3}[:=(|,–—→-]{1,3} {0,3}["'“‘*_\`([]{0,4}$`,
      'i',
    ),
)

/** Replaces relevances in words by numbers, such as `Doc: 2 (high)`, in lines with no more numbers than such words. */
export function withLevels(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const words = line.match(level)?.length ?? 0
      const numbers = line.replace(/^[\s*>-]{0,12}\d{1,3}[.)] /, '').match(/\d+/g)?.length ?? 0
      if (words === 0 || numbers > words) return line
      return line.replace(level, (word, at: number) =>
        beforeLevel().test(line.slice(Math.max(0, at - 60), at)) ? levels[word.toLowerCase().replace('-', ' ')]! : word,
      )
    })
    .join('\n')
}

/** Returns the cells of a row. `\|` is a sign of a cell. */
const cell = (line: string) =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
const documentIn = /* @__PURE__ */ lazy(() => new RegExp(documents))
const relevanceIn = /* @__PURE__ */ lazy(() => new RegExp(String.raw`(?:(?<![\w)])[+-])?${decimal}`, 'i'))

/** Returns the pair of a string that names documents, and one with their relevance. */
export function pairIn(document: string | undefined, relevance: string | undefined): ReadPair[] {
  const found = documentIn().exec(document ?? '')
  return pairOf(found?.[1], found?.[2], relevanceIn().exec(relevance ?? '')?.[0])
}

/** Parses a Markdown table. The columns are found by their headers, otherwise the first two with numbers. Undefined without a table. */
export function readTable(text: string): ReadPair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => (line.match(/\|/g)?.length ?? 0) >= 1)
  const ruler = lines.findIndex((line) => line.includes('-') && /^[\s|:-]+$/.test(line))
  const rows = lines.filter((_, index) => index > ruler).map(cell)
  if (ruler < 1 && (rows.length === 0 || !lines.every((line) => /^\s*\|/.test(line)))) return undefined
  const header = ruler < 1 ? [] : cell(lines[ruler - 1]!)
  const score = header.findIndex((name) => forms().score.test(name))
  const document = header.findIndex((name, index) => index !== score && forms().document.test(name))
  const pairs = rows.flatMap((row): ReadPair[] => {
    const numeric = row.filter((value) => /\d/.test(value))
    const [first, second] = document === -1 || score === -1 ? numeric : [row[document], row[score]]
    return /\d\.\d/.test(first ?? '') ? [] : pairIn(first, second)
  })
  return pairs.length === 0 ? undefined : pairs
}

/** A line such as `Rank 1: Doc 3` or `1. Doc 3`: the rank and the document. */
const rankedLine = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^[\s*_#-]{0,6}(?:(?:rank|rang|place|position) {0,2}#?(\d{1,4})[*_ ]{0,4}[:.)–-]|(\d{1,4})[.)])[*_ ]{0,6}(?:(?:${documentWords})[ _:#*]{0,4}\[?|\[)(\d{1,9})\]?[*_ ]{0,4}[.,;]?\s*$`,
      'iu',
    ),
)

/** Parses lines of ranks, in the order of the ranks. Other lines contain no number. Undefined without ranks. */
function readRanks(text: string): ReadPair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => /\d/.test(line))
  const ranks = lines.map((line) => rankedLine().exec(line))
  if (ranks.length === 0 || ranks.includes(null)) return undefined
  return (ranks as RegExpExecArray[])
    .map(([, named, numbered, document]) => ({ rank: Number(named ?? numbered), document: Number(document) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ document }): ReadPair => [document, 1])
}

/**
 * Parses a ranking without relevances: `[3, 1]`, `{"documents": [3, 1]}`, `[3] > [1]` or lines such as `Rank 1: Doc 3`. Each document has
 * the relevance 1.
 */
export function readRanking(text: string): ReadPair[] | undefined {
  const ranks = readRanks(text)
  if (ranks) return ranks
  const plain = text.replace(/```(?:json)?/gi, '').trim()
  const isList =
    /^(?:\{\s{0,20}["']?\w{1,40}["']?\s{0,20}:\s{0,20})?\[\s{0,20}\d{1,9}(?:\s{0,20},\s{0,20}\d{1,9})*\s{0,20}\]\s{0,20}\}?$/.test(
      plain,
    )
  const isChain = /^\[?\d{1,9}\]?(?:\s{0,9}>\s{0,9}\[?\d{1,9}\]?)+$/.test(plain)
  if (!isList && !isChain) return undefined
  return (plain.match(/(?<![\w"'])\d{1,9}(?!\w)/g) ?? []).map((number): ReadPair => [Number(number), 1])
}

const pairForms = /* @__PURE__ */ lazy(() => [
  new RegExp(
    String.raw`["']?\b(\d{1,9})["']? {0,3}[:=] {0,3}["']?([+-]?${decimal})["']?(?: {0,2}\/ {0,2}\d{1,4})?`,
    'gi',
  ),
  new RegExp(String.raw`[[(] {0,3}(\d{1,9}) {0,3}[,;] {0,3}([+-]?${decimal}) {0,3}[\])]`, 'gi'),
  new RegExp(
    String.raw`[[#]{0,2}\b(\d{1,9})\]? {0,3}\( {0,3}([+-]?${decimal})(?: {0,2}\/ {0,2}\d{1,4})? {0,3}\)`,
    'gi',
  ),
])
const wholeLine = /* @__PURE__ */ lazy(
  () =>
    new RegExp(
      String.raw`^[\s*•>-]{0,12}(?:\d{1,3}[.)] {1,3})?[[("'*_\`#]{0,4}${documents}[\])"'*_\`.]{0,4} {0,3}(?:-{0,2}[:=,;|\t→>]{1,3}|[–—-]{1,3}|(?=[( ])) {0,3}[[("'*_\`]{0,4}([+-]?${decimal})(?: {0,2}(?:\/|out of|of) {0,2}\d{1,4})?[\])"'*_\`.%]{0,4} {0,3}(?:[(,;:–—-].*)?$`,
      'i',
    ),
)

/**
 * Parses a line that contains only pairs of numbers: `[2] (9/10)`, `3: 9, 1: 4`, `(3, 9), (1, 4)`, `3 (9), 1 (4)`. A remark may follow a
 * single pair.
 */
export function readUnlabelled(line: string): ReadPair[] {
  for (const form of pairForms()) {
    const pairs = [...line.matchAll(form)].flatMap(([, choice, relevance]) => pairOf(choice, undefined, relevance))
    if (pairs.length > 0 && !/[\p{L}\p{N}]/u.test(line.replace(form, ''))) return pairs
  }
  const one = wholeLine().exec(line)
  return one ? pairOf(one[1], one[2], one[3]) : []
}
