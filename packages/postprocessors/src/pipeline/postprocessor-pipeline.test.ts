import { CallbackManager, ClassRegistry, NodeWithScore, TextNode } from '@x/core-model'
import { MapDocumentStore, RecordingCallbackHandler } from '@x/core-model/testing'
import { describe, expect, it } from 'vitest'
import { FunctionLLM } from '../../test/stand-ins.ts'
import { LLMRerank } from '../llm-rerank/llm-rerank.ts'
import { LongContextReorder } from '../long-context-reorder.ts'
import { NERPIINodePostprocessor } from '../pii/ner-pii-node-postprocessor.ts'
import { PrevNextNodePostprocessor } from '../prev-next/prev-next-node-postprocessor.ts'
import { RankFusion } from '../rank-fusion/rank-fusion.ts'
import { SimilarityPostprocessor } from '../similarity-postprocessor.ts'
import { PostprocessorPipeline } from './postprocessor-pipeline.ts'

const entry = new NodeWithScore({ node: new TextNode({ id: 'a' }), score: 0.9 })

describe('PostprocessorPipeline', () => {
  it('returns the nodes unchanged if it has no steps', async () => {
    expect(await new PostprocessorPipeline({ postprocessors: [] }).postprocessNodes([entry])).toEqual([entry])
  })

  it('rejects at once when it is aborted, also while a step of your own hangs', async () => {
    const step = { postprocessNodes: () => new Promise<never>(() => {}) }
    for (const hanging of [new PostprocessorPipeline({ postprocessors: [step] }), new RankFusion({ rankers: [step] })])
      await expect(hanging.postprocessNodes([entry], { signal: AbortSignal.timeout(5) })).rejects.toMatchObject({
        name: 'TimeoutError',
      })
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

  it('is read from JSON with overrides for its steps', async () => {
    const docstore = new MapDocumentStore([])
    const ner = () => [{ entity_group: 'PER', word: 'Bob' }]
    const steps = [
      new SimilarityPostprocessor({ similarityCutoff: 0.5 }),
      new PrevNextNodePostprocessor({ docstore }),
      new PostprocessorPipeline({ postprocessors: [new NERPIINodePostprocessor({ ner, windowSize: 7 })] }),
    ]
    const registry = new ClassRegistry([
      SimilarityPostprocessor,
      PrevNextNodePostprocessor,
      NERPIINodePostprocessor,
      PostprocessorPipeline,
    ])
    const inner = { postprocessors: [{ ner }] }
    const pipeline = new PostprocessorPipeline({ postprocessors: steps })
    const read = (postprocessors: unknown[], known = registry) =>
      PostprocessorPipeline.fromJson(pipeline.toJson(), { postprocessors }, { registry: known })
    for (const overrides of [
      [undefined, { docstore }, inner],
      [{}, steps[1], inner],
      [undefined, { docstore }, steps[2]],
    ]) {
      const again = read(overrides)
      expect(again.equals(pipeline)).toBe(true)
      expect(again.postprocessors[1]).toMatchObject({ docstore })
      expect(again.postprocessors[2]).toMatchObject({ postprocessors: [{ ner, windowSize: 7 }] })
    }
    expect(read([new LongContextReorder()]).postprocessors).toHaveLength(1)
    expect(() => read([{}])).toThrow('PostprocessorPipeline.postprocessors[1].docstore: required, but missing.')
    expect(() => read([{}, { docstore: 1, numNodes: 'x' }])).toThrow(
      /postprocessors\[1\]\.docstore.*\n.*postprocessors\[1\]\.numNodes/,
    )
    expect(() => read([{}, { docstore }, inner, {}])).toThrow(expect.objectContaining({ code: 'model_validation' }))
    expect(() => read([{}], new ClassRegistry([]))).toThrow(
      'PostprocessorPipeline.postprocessors[0]: no class is registered for "SimilarityPostprocessor"',
    )
    const fusion = new RankFusion({ rankers: [steps[1]!], topN: 2 })
    const fused = RankFusion.fromDict(fusion.toDict(), { rankers: [{ docstore }], topN: 3 }, { registry })
    expect(fused).toMatchObject({ rankers: [{ docstore }], topN: 3 })
  })

  it('is not read without the live options of its steps, such as a sink of mappings', () => {
    const ner = () => []
    const mappingSink = () => {}
    const mask = new NERPIINodePostprocessor({ ner, mappingSink })
    expect(mask.toDict()).toMatchObject({ live_options: ['mappingSink'] })
    expect(() => NERPIINodePostprocessor.fromJson(mask.toJson(), { ner })).toThrow(
      'NERPIINodePostprocessor.mappingSink: the data was written with this option, which JSON cannot contain: pass it, or null to read the data without it.',
    )
    expect(mask.equals(NERPIINodePostprocessor.fromJson(mask.toJson(), { mappingSink: null }))).toBe(false)
    // Python has this one, and does not write it.
    const parseChoiceSelectAnswerFn = () => ({ choices: [] })
    const rerank = new LLMRerank({ llm: new FunctionLLM({ answer: () => '' }), parseChoiceSelectAnswerFn })
    expect(rerank.toDict()).not.toHaveProperty('live_options')
    const pipeline = new PostprocessorPipeline({ postprocessors: [mask] })
    const registry = new ClassRegistry([NERPIINodePostprocessor])
    const read = (step?: object) =>
      PostprocessorPipeline.fromJson(pipeline.toJson(), { postprocessors: [step] }, { registry })
    expect(() => read()).toThrow(/^PostprocessorPipeline\.postprocessors\[0\]\.mappingSink: the data was written/)
    expect(read({ ner, mappingSink }).equals(pipeline)).toBe(true)
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
