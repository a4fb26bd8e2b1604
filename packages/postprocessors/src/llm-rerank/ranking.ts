/**
 * @module
 * The ranking of a model as JSON by a schema.
 */
import { isPlainObject } from '@x/core/values'
import type { ResponseFormat } from '@x/core-model'
import { readChoices } from './parse-choices.ts'

/** Asks for `{ ranking: [{ document, relevance }] }`. */
export const rankingFormat: ResponseFormat = {
  type: 'json',
  name: 'ranking',
  strict: true,
  schema: {
    type: 'object',
    properties: {
      ranking: {
        type: 'array',
        items: {
          type: 'object',
          properties: { document: { type: 'integer' }, relevance: { type: 'integer' } },
          required: ['document', 'relevance'],
          additionalProperties: false,
        },
      },
    },
    required: ['ranking'],
    additionalProperties: false,
  },
}

/** Reads an answer by the schema; other answers as text. */
export function readRanking(answer: string, numChoices: number): ReturnType<typeof readChoices> {
  let ranking: unknown
  try {
    ranking = (JSON.parse(answer) as { ranking?: unknown } | null)?.ranking
  } catch {
    // The provider may not support schemas.
  }
  if (!Array.isArray(ranking)) return readChoices(answer, numChoices)
  const entries = ranking.filter(isPlainObject)
  return {
    choices: entries.map(({ document }) => document as number),
    relevances: entries.map(({ relevance }) => relevance as number),
    unreadable: false,
  }
}
