import { NodeWithScore, TextNode } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { ExplanationLedger } from './explanation/explanation-ledger.ts'
import { keepFrom, SimilarityPostprocessor } from './similarity-postprocessor.ts'

const entries = (...scores: (number | null)[]) =>
  scores.map((score) => NodeWithScore.construct({ node: new TextNode(), score }))
const kept = (cutoff: number | null, ...scores: (number | null)[]) =>
  keepFrom(entries(...scores), cutoff).map(({ score }) => score)

describe('SimilarityPostprocessor', () => {
  it('keeps a score equal to the cutoff and treats 0 as a score', () => {
    expect(kept(0, 0, -0.1, 0.1)).toEqual([0, 0.1])
  })

  it('drops missing scores and NaN, and keeps all without a cutoff', () => {
    expect(kept(-5, null, Number.NaN, -5)).toEqual([-5])
    expect(kept(null, null, Number.NaN, 1)).toEqual([null, Number.NaN, 1])
  })

  it('keeps missing scores with keepUnscored', async () => {
    const postprocessor = new SimilarityPostprocessor({ similarityCutoff: 0.5, keepUnscored: true })
    expect((await postprocessor.postprocessNodes(entries(null, 0.4, 0.6))).map(({ score }) => score)).toEqual([
      null,
      0.6,
    ])
  })

  it.each([
    [0.5, ['score 0.5 reaches the cutoff 0.5', 'no score', 'score 0.4 is below the cutoff 0.5']],
    [null, ['', '', '']],
  ])('compares each score with the cutoff %j in the ledger', async (similarityCutoff, reasons) => {
    const ledger = new ExplanationLedger()
    await new SimilarityPostprocessor({ similarityCutoff }).postprocessNodes(entries(0.5, null, 0.4), { ledger })
    expect(ledger.entries.map(({ reason }) => reason)).toEqual(reasons)
  })

  it('rejects a cutoff that is not a number', () => {
    for (const similarityCutoff of ['high', Number.NaN, true]) {
      expect(() => new SimilarityPostprocessor({ similarityCutoff: similarityCutoff as never })).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
    }
  })
})
