import { CallbackManager, ClassRegistry, NodeWithScore, TextNode } from '@x/core-model'
import { RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { LLMRerank } from '../llm-rerank/llm-rerank.ts'
import { LongContextReorder } from '../long-context-reorder.ts'
import { SimilarityPostprocessor } from '../similarity-postprocessor.ts'
import { PostprocessorPipeline } from './postprocessor-pipeline.ts'

const entry = new NodeWithScore({ node: new TextNode({ id: 'a' }), score: 0.9 })

describe('PostprocessorPipeline', () => {
  it('returns the nodes unchanged if it has no steps', async () => {
    expect(await new PostprocessorPipeline({ postprocessors: [] }).postprocessNodes([entry])).toEqual([entry])
  })

  it('is read from JSON with a registry of its steps, including nested pipelines', () => {
    const inner = new PostprocessorPipeline({ postprocessors: [new LongContextReorder()] })
    const pipeline = new PostprocessorPipeline({
      postprocessors: [new SimilarityPostprocessor({ similarityCutoff: 0.5 }), inner],
    })
    const registry = new ClassRegistry([SimilarityPostprocessor, LongContextReorder, PostprocessorPipeline])
    expect(PostprocessorPipeline.fromJson(pipeline.toJson(), {}, { registry }).equals(pipeline)).toBe(true)
    expect(() => PostprocessorPipeline.fromJson(pipeline.toJson())).toThrow(
      expect.objectContaining({ code: 'unknown_class_name' }),
    )
  })

  it('passes a callback manager to its steps', async () => {
    const handler = new RecordingCallbackHandler()
    const pipeline = new PostprocessorPipeline({
      postprocessors: [new LLMRerank({ llm: new FunctionLLM({ answer: () => '' }) })],
    })
    const component = pipeline.asQueryComponent()
    component.setCallbackManager(new CallbackManager([handler]))
    await component.runComponent({ nodes: [entry], query_str: 'q' })
    expect(handler.events.map(({ phase }) => phase)).toEqual(['start', 'end'])
  })

  it('rejects a missing query before the first step', async () => {
    const llm = new FunctionLLM({ answer: () => '' })
    const pipeline = new PostprocessorPipeline({
      postprocessors: [new SimilarityPostprocessor(), new LLMRerank({ llm })],
    })
    await expect(pipeline.postprocessNodes([entry])).rejects.toMatchObject({
      code: 'missing_query',
      className: 'PostprocessorPipeline',
    })
  })

  it('rejects steps that are not postprocessors', () => {
    expect(() => new PostprocessorPipeline({ postprocessors: ['x' as never] })).toThrow(
      expect.objectContaining({ code: 'model_validation' }),
    )
  })

  it('makes no model call in a later step if no node is left', async () => {
    const llm = new FunctionLLM({ answer: () => '' })
    const pipeline = new PostprocessorPipeline({
      postprocessors: [new SimilarityPostprocessor({ similarityCutoff: 1 }), new LLMRerank({ llm })],
    })
    expect(await pipeline.postprocessNodes([entry], { queryStr: 'q' })).toEqual([])
    expect(llm.prompts).toEqual([])
  })
})
