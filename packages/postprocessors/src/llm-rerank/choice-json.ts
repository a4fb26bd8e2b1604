/**
 * @module
 * Documents and relevances in JSON.
 */

import { isPlainObject, jsonEnd, jsonOr } from '@x/core/values'
import { keyForms, pairIn, type ReadPair } from './choice-forms.ts'

/** Deeper data is not read. */
const MAX_DEPTH = 20

/** A string that names one document or range, such as `3`, `Doc 3` and `1-2`, and no other number. */
const oneDocument = /^\D{0,16}\d{1,9}(?:[-–]\d{1,9})?\D{0,3}$/

/**
 * Parses the complete JSON in a string: objects with a document and a relevance, arrays of both, and arrays of documents, each of which has
 * the relevance 1. Other keys, such as a title with a number, do not matter. Undefined without a document.
 */
export function readJson(text: string): ReadPair[] | undefined {
  const values = jsonIn(text)
  const pairs = values.flatMap((value) => pairsIn(value, 0))
  if (pairs.length > 0) return pairs
  const ranking = values.length === 1 ? rankingIn(values[0]) : []
  return ranking.length > 0 ? ranking : undefined
}

/** Returns the complete JSON objects and arrays in a string, in linear time. */
function jsonIn(text: string): unknown[] {
  const values: unknown[] = []
  const start = /[[{]/g
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = jsonEnd(text, found.index)
    if (end === -1) break
    const value = jsonOr(text.slice(found.index, end))
    // Else these are the brackets of a remark.
    if (value !== undefined) values.push(value)
    start.lastIndex = end
  }
  return values
}

function pairsIn(value: unknown, depth: number): ReadPair[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((item) => pairsIn(item, depth + 1))
  if (!isPlainObject(value)) return []
  const documents = documentsOf(value)
  const relevances = relevancesOf(value)
  // The pairs of an object with several documents and relevances are distinguished by their order.
  if (documents.length > 1 && relevances.length > 1) return []
  const [document] = documents
  const [relevance] = relevances
  if (Array.isArray(document) && Array.isArray(relevance) && document.length === relevance.length)
    return document.flatMap((item, index) => pairOf(item, relevance[index]))
  if (document !== undefined) return pairOf(document, relevance)
  return Object.entries(value).flatMap(([key, item]) => {
    const isOne = /^\d{1,9}$/.test(key) && isPlainObject(item) && documentsOf(item).length === 0
    return isOne ? pairOf(key, relevancesOf(item)[0]) : pairsIn(item, depth + 1)
  })
}

/** Returns the documents that the keys of an object name: numbers before strings. */
function documentsOf(value: Readonly<Record<string, unknown>>): unknown[] {
  const found = Object.entries(value).flatMap(([key, item]) => {
    if (!keyForms().document.test(key)) return []
    const inner = isPlainObject(item) ? documentsOf(item)[0] : item
    return isDocument(inner) || (Array.isArray(inner) && inner.length > 0 && inner.every(isDocument)) ? [inner] : []
  })
  const numbers = found.filter((item) => typeof item !== 'string')
  return numbers.length > 0 ? numbers : found
}

/** Returns the relevances that the keys of an object name: how certain the model is counts only without another one. */
function relevancesOf(value: Readonly<Record<string, unknown>>): unknown[] {
  const entries = Object.entries(value).filter(([key, item]) => keyForms().score.test(key) && !isPlainObject(item))
  const own = entries.filter(([key]) => !/confidence|weight/i.test(key))
  return (own.length > 0 ? own : entries).map(([, item]) => item)
}

function isDocument(value: unknown): boolean {
  return typeof value === 'string' ? oneDocument.test(value) : Number.isInteger(value)
}

function pairOf(document: unknown, relevance: unknown): ReadPair[] {
  const isScalar = (value: unknown) => typeof value === 'number' || typeof value === 'string'
  return isScalar(document) && isScalar(relevance) ? pairIn(String(document), String(relevance)) : []
}

/** Returns the documents of an array, or of the only array of an object that has no relevances. */
function rankingIn(value: unknown): ReadPair[] {
  const isRanking = (item: unknown): item is unknown[] =>
    Array.isArray(item) && item.length > 0 && item.every(isDocument)
  const lists = isPlainObject(value)
    ? Object.entries(value).flatMap(([key, item]) => (isRanking(item) && !keyForms().score.test(key) ? [item] : []))
    : isRanking(value) && value.every((item) => typeof item === 'string')
      ? [value]
      : []
  return lists.length === 1 ? lists[0]!.flatMap((item) => pairOf(item, 1)) : []
}
