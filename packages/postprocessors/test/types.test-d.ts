import type { NodeWithScore } from '@x/core-model'
import type { LLM } from '@x/llm'
import { describe, expectTypeOf, it } from 'vitest'
import {
  LLMRerank,
  MetadataReplacementPostProcessor,
  PIINodePostprocessor,
  PrevNextNodePostprocessor,
  SimilarityPostprocessor,
} from '../src/index.ts'

declare const llm: LLM

describe('options', () => {
  it('are required if the class has no default', () => {
    new LLMRerank({ llm })
    // @ts-expect-error the model is missing
    new LLMRerank({ topN: 3 })
    // @ts-expect-error the key is missing
    new MetadataReplacementPostProcessor({})
    // @ts-expect-error the model is missing
    new PIINodePostprocessor({})
    // @ts-expect-error a mode is one of three strings
    new PrevNextNodePostprocessor({ docstore: { getNode: async () => null }, mode: 'sideways' })
  })

  it('are readable with their types', () => {
    expectTypeOf(new SimilarityPostprocessor().similarityCutoff).toEqualTypeOf<number | null>()
    expectTypeOf(SimilarityPostprocessor.fromDict({})).toEqualTypeOf<SimilarityPostprocessor>()
    expectTypeOf(new LLMRerank({ llm }).postprocessNodes([])).resolves.toEqualTypeOf<NodeWithScore[]>()
    // @ts-expect-error a bounded field is read-only
    new LLMRerank({ llm }).topN = 5
  })
})
