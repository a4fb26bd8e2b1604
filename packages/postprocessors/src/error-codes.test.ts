import { expect, it } from 'vitest'
import * as postprocessors from './index.ts'

it('has these error codes', () => {
  const { ConflictingQueryError, MissingQueryError, InvalidPredictionError, ChoiceParseError, MissingMetadataError } =
    postprocessors
  const {
    InvalidDateError,
    InvalidMetadataError,
    ZeroSentencesError,
    PiiMaskingError,
    PiiParseError,
    RerankScoreError,
    MissingDependencyError,
  } = postprocessors
  const errors = [
    new ConflictingQueryError('A'),
    new MissingQueryError('A'),
    new InvalidPredictionError('A', 'x'),
    new ChoiceParseError('x', 'why'),
    new MissingMetadataError('A', 'n', 'k'),
    new InvalidDateError('A', 'n', 'k', 'x'),
    new InvalidMetadataError('A', 'n', 'k', 'a string'),
    new ZeroSentencesError('A', 'n'),
    new PiiMaskingError('A', 'n', 'original_left', 'llm'),
    new PiiParseError('A', 'x', 'has no mapping'),
    new RerankScoreError('A', 'why'),
    new MissingDependencyError('A', 'why'),
  ]
  expect(Object.fromEntries(errors.map(({ name, code }) => [name, code]))).toMatchInlineSnapshot(`
    {
      "ChoiceParseError": "choice_parse",
      "ConflictingQueryError": "conflicting_query",
      "InvalidDateError": "invalid_date",
      "InvalidMetadataError": "invalid_metadata",
      "InvalidPredictionError": "invalid_prediction",
      "MissingDependencyError": "missing_dependency",
      "MissingMetadataError": "missing_metadata",
      "MissingQueryError": "missing_query",
      "PiiMaskingError": "pii_masking",
      "PiiParseError": "pii_parse",
      "RerankScoreError": "rerank_score",
      "ZeroSentencesError": "zero_sentences",
    }
  `)
  for (const error of errors) expect(error).toBeInstanceOf(postprocessors.PostprocessorError)
})
