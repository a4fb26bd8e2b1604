import { NodeWithScore, TextNode, ToolOutput } from '@x/core-model'
import { expect, it } from 'vitest'
import { eventJson, toolResultEvent } from './agent-event.ts'

it('the output of a result has maps and sets as the model reads them', () => {
  const rawOutput = { pears: new Map([['green', 3]]), pairs: new Map([[1, 2n ** 60n]]), colours: new Set(['red']) }
  const output = new ToolOutput({ content: '', toolName: 'stock', rawInput: {}, rawOutput })
  const event = toolResultEvent({ id: 'c', name: 'stock', arguments: '{}' }, output)
  const shown = { pears: { green: 3 }, pairs: [[1, '1152921504606846976']], colours: ['red'] }
  expect(event).toMatchObject({ type: 'tool_result', output: shown })
})

it('the output of a result has what models see of nodes, not metadata that is kept from them', () => {
  const source = new TextNode({ text: '', metadata: { note: 'secret' } })
  const node = new TextNode({
    text: 'Pears are green.',
    metadata: { file: 'a.md', note: 'secret' },
    excludedLlmMetadataKeys: ['note'],
    relationships: { '1': source.asRelatedNodeInfo() },
  })
  const rawOutput = { found: [new NodeWithScore({ node, score: 0.5 })] }
  const output = new ToolOutput({ content: '', toolName: 'find', rawInput: {}, rawOutput })
  const event = toolResultEvent({ id: 'c', name: 'find', arguments: '{}' }, output)
  const shown = { node: { text: 'Pears are green.', metadata: { file: 'a.md' }, relationships: {} }, score: 0.5 }
  expect(event).toMatchObject({ output: { found: [shown] } })
  expect(JSON.stringify(event)).not.toContain('secret')
})

it('arguments are shown whole, whatever their keys are', () => {
  const given = { excluded_llm_metadata_keys: ['to'], metadata: { to: 'mallory' } }
  expect(eventJson(given)).toEqual(given)
})
