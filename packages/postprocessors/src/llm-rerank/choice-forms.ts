/**
 * @module
 * The forms in which models write pairs of a document number and a relevance.
 */

import { lazy } from '@x/core/values'

/** The number of a document and its relevance. */
export type ReadPair = [choice: number, relevance: number]

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
/** A document label may be followed directly by its number: `doc_3`, `Doc3`. */
const documentValue = /^(?:[\s"'“”‘’*_`:=#.([<]|-(?= )){0,12}(\d{1,9})(?![\d]|\.\d|%)/
const scoreValue =
  /^(?:[\s"'“”‘’*_`:=~≈>([|+-]|is\b|about\b|of\b(?! doc)|approximately\b|approx\.|ca\.|high\b|medium\b|low\b){0,12}(\d{1,15}(?:\.\d+)?)(?!\d)/i
/** A relevance directly after a document: `Doc 3: 9/10`, `Doc 3 (9)`. */
const bareScore =
  /^["'”’*_`)\]>]{0,4} {0,3}(?:[:=|→>–—-]{1,3}|\() {0,3}["'*_`([]{0,3}(\d{1,15}(?:\.\d+)?)(?: {0,2}(?:\/|out of) {0,2}\d{1,4})?(?= {0,2}(?:["'*_`)\]}]{0,4} {0,2}(?:[,;.|(–—-]|$)|points\b))/m

/**
 * Parses labelled numbers: a document and the relevance after it, on the same line or a later one. In answers that begin with a relevance,
 * the document is after the relevance. This includes JSON in any layout, even truncated JSON.
 */
export function readLabelled(text: string): ReadPair[] {
  const pairs: ReadPair[] = []
  let scoreFirst: boolean | undefined
  let choice: number | undefined
  let relevance: number | undefined
  for (const { 0: found, 1: documentWord, index } of text.matchAll(forms().label)) {
    const rest = text.slice(index + found.length, index + found.length + 80)
    const match = (documentWord === undefined ? scoreValue : documentValue).exec(rest)
    const value = match ? Number(match[1]) : undefined
    if (documentWord === undefined) relevance = value
    else {
      // A document without a relevance is followed by the next document.
      choice = value
      const bare = match && bareScore.exec(rest.slice(match[0].length))
      if (bare) {
        pairs.push([value!, Number(bare[1])])
        choice = undefined
        continue
      }
    }
    // `Doc: two` is a document too, `"documents": [` is a heading.
    if (value !== undefined || /^[\s:*]{1,4}\p{L}/u.test(rest)) scoreFirst ??= documentWord === undefined
    if (choice !== undefined && relevance !== undefined && scoreFirst === (documentWord !== undefined)) {
      pairs.push([choice, relevance])
      choice = undefined
      relevance = undefined
    } else if (documentWord === undefined && !scoreFirst) {
      // A relevance that is not a number, or a second one.
      choice = undefined
      relevance = undefined
    } else if (documentWord !== undefined && scoreFirst) {
      choice = undefined
      relevance = undefined
    }
  }
  return pairs
}

const cell = (line: string) => line.trim().replace(/^\|/, '').replace(/\|$/, '').split('|')
const numberIn = /\d{1,15}(?:\.\d+)?/

/** Parses a Markdown table. The columns are found by their headers, otherwise the first two with numbers. Undefined without a table. */
export function readTable(text: string): ReadPair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => (line.match(/\|/g)?.length ?? 0) >= 1)
  const ruler = lines.findIndex((line) => /^[\s|:-]*-[\s|:-]*$/.test(line))
  const rows = lines.filter((_, index) => index > ruler).map(cell)
  if (ruler < 1 && (rows.length === 0 || !lines.every((line) => /^\s*\|/.test(line)))) return undefined
  const header = ruler < 1 ? [] : cell(lines[ruler - 1]!)
  const score = header.findIndex((name) => forms().score.test(name))
  const document = header.findIndex((name, index) => index !== score && forms().document.test(name))
  const pairs = rows.flatMap((row): ReadPair[] => {
    const numeric = row.filter((value) => numberIn.test(value))
    const [first, second] = document === -1 || score === -1 ? numeric : [row[document], row[score]]
    const found = [first, second].map((value) => numberIn.exec(value ?? '')?.[0])
    return found[0] === undefined || found[1] === undefined ? [] : [[Number(found[0]), Number(found[1])]]
  })
  return pairs.length === 0 ? undefined : pairs.filter(([choice]) => Number.isInteger(choice))
}

/** Parses a ranking without relevances: `[3, 1]`, `{"documents": [3, 1]}` or `[3] > [1]`. Each document has the relevance 1. */
export function readRanking(text: string): ReadPair[] | undefined {
  const plain = text.replace(/```(?:json)?/gi, '').trim()
  const isList =
    /^(?:\{\s{0,20}["']?\w{1,40}["']?\s{0,20}:\s{0,20})?\[\s{0,20}\d{1,9}(?:\s{0,20},\s{0,20}\d{1,9})*\s{0,20}\]\s{0,20}\}?$/.test(
      plain,
    )
  const isChain = /^\[?\d{1,9}\]?(?:\s{0,9}>\s{0,9}\[?\d{1,9}\]?)+$/.test(plain)
  if (!isList && !isChain) return undefined
  return (plain.match(/(?<![\w"'])\d{1,9}(?!\w)/g) ?? []).map((number): ReadPair => [Number(number), 1])
}

const pairForms = [
  /["']?\b(\d{1,9})["']? {0,3}[:=] {0,3}["']?(\d{1,15}(?:\.\d+)?)["']?(?: {0,2}\/ {0,2}\d{1,4})?/g,
  /[[(] {0,3}(\d{1,9}) {0,3}, {0,3}(\d{1,15}(?:\.\d+)?) {0,3}[\])]/g,
]
const wholeLine =
  /^[\s*•>-]{0,12}(?:\d{1,3}[.)] {1,3})?[[("'*_`#]{0,4}(\d{1,9})[\])"'*_`.]{0,4} {0,3}(?:[:=,|\t→>–—-]{1,3}|(?=[( ])) {0,3}[[("'*_`]{0,4}(\d{1,15}(?:\.\d+)?)(?: {0,2}(?:\/|out of|of) {0,2}\d{1,4})?[\])"'*_`.%]{0,4} {0,3}(?:[(,;:–—-].*)?$/

/** Parses a line that contains only pairs of numbers: `[2] (9/10)`, `3: 9, 1: 4`, `(3, 9), (1, 4)`. A remark may follow a single pair. */
export function readUnlabelled(line: string): ReadPair[] {
  for (const form of pairForms) {
    const pairs = [...line.matchAll(form)].map(([, choice, relevance]): ReadPair => [Number(choice), Number(relevance)])
    if (pairs.length > 0 && !/[\p{L}\p{N}]/u.test(line.replace(form, ''))) return pairs
  }
  const one = wholeLine.exec(line)
  return one ? [[Number(one[1]), Number(one[2])]] : []
}
