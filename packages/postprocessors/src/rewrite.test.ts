import { NodeWithScore, TextNode } from '@x/core-model'
import { expect, it } from 'vitest'
import { hiddenMetadata, withNode, withScore } from './rewrite.ts'

const entry = () =>
  new NodeWithScore({ node: new TextNode({ id: 'a', text: 't', metadata: { m: 1 }, embedding: [1] }), score: 0.5 })

it('returns a changed copy that shares no metadata with the input', () => {
  const before = entry()
  const after = withNode(before, { text: 'u' })
  expect([after.text, after.nodeId, after.node.embedding, after.score]).toEqual(['u', 'a', [1], 0.5])
  after.node.metadata['m'] = 2
  expect([before.text, before.node.metadata]).toEqual(['t', { m: 1 }])
})

it('adds a metadata entry that no model receives, once', () => {
  const hidden = withNode(entry(), hiddenMetadata(entry(), 'k', 'v'))
  expect(hidden.getContent('llm')).toBe('m: 1\n\nt')
  expect(hidden.getContent('embed')).toBe('m: 1\n\nt')
  expect(hiddenMetadata(hidden, 'k', 'w').excludedLlmMetadataKeys).toEqual(['k'])
})

it('stores the previous score on request, even if it is null', () => {
  const scored = withScore(entry(), 0.9, true)
  expect([scored.score, scored.node.metadata]).toEqual([0.9, { m: 1, retrieval_score: 0.5 }])
  expect(withScore(scored, null).score).toBeNull()
  expect(withScore(withScore(entry(), null), 1, true).node.metadata['retrieval_score']).toBeNull()
})

it('keeps floats of Python as they were written', () => {
  const node = TextNode.fromJson('{"text": "t", "metadata": {"m": 1.0}}')
  const before = new NodeWithScore({ node, score: 0.5 })
  for (const after of [withNode(before, { text: 't' }), withScore(before, 1, true)])
    expect(after.getContent('llm')).toBe('m: 1.0\n\nt')
})
