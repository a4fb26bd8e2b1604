import { type NodesPostprocessor, QueryBundle, TextNode } from '@x/core-model'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { Bm25Retriever } from '../bm25-retriever.ts'
import type { Unmask } from './answer-with-sources.ts'
import { RetrieverQueryEngine } from './retriever-query-engine.ts'

const nodes = [
  new TextNode({ id: 'pears', text: 'Pears keep 3 weeks.', metadata: { tenant: 'a', file: 'fruit.md' } }),
  new TextNode({ id: 'plums', text: 'Plums keep 5 days.', metadata: { tenant: 'b', file: 'fruit.md' } }),
]
const retriever = new Bm25Retriever({ nodes })
const scripted = (...answers: (string | string[])[]) => new ScriptedLLM({ answers })

describe('RetrieverQueryEngine', () => {
  it('answers from what the retriever finds, with checked sources', async () => {
    const llm = scripted('Pears keep 3 weeks [1].')
    const answer = await new RetrieverQueryEngine({ retriever, llm }).query('How long do pears keep?')
    expect(String(answer)).toBe('Pears keep 3 weeks [1].')
    expect(answer.response).toBe(String(answer))
    expect(answer.sourceNodes.map(({ id }) => id)).toEqual(['pears', 'plums'])
    expect(answer.sources).toMatchObject([{ number: 1, node: { id: 'pears' }, file: 'fruit.md', problem: null }])
    expect(answer.citations).toMatchObject([{ numbers: [1], problem: null }])
  })

  it('applies postprocessors in their order, with the query in the form of each', async () => {
    const seen: unknown[] = []
    const last: NodesPostprocessor = {
      postprocessNodes: (found, { queryStr, queryBundle }) => {
        seen.push(queryStr, queryBundle)
        return found.slice(-1)
      },
    }
    const reverse: NodesPostprocessor = { postprocessNodes: async (found) => [...found].reverse() }
    const llm = scripted('3 weeks [1].')
    const engine = new RetrieverQueryEngine({ retriever, llm, nodePostprocessors: [reverse, last] })
    const query = new QueryBundle({ queryStr: 'How long do pears keep?' })
    expect((await engine.query(query)).sourceNodes.map(({ id }) => id)).toEqual(['pears'])
    expect(seen).toEqual(['How long do pears keep?', query])
    expect((await engine.retrieve(query)).map(({ id }) => id)).toEqual(['pears'])
  })

  it('streams', async () => {
    const llm = scripted(['Pears keep ', '3 weeks [1].'])
    const { answer, sourceNodes } = await new RetrieverQueryEngine({ retriever, llm }).streamQuery('pears')
    expect(sourceNodes).toHaveLength(1)
    const pieces: string[] = []
    for await (const piece of answer) pieces.push(piece)
    expect(pieces.join('')).toBe('Pears keep 3 weeks [1].')
    expect((await answer.result()).sources).toHaveLength(1)
  })

  it('restores masked data with a mapping that is read at each question', async () => {
    const masked = new Bm25Retriever({ nodes: [new TextNode({ text: '[NAME_1] keeps pears for 3 weeks.' })] })
    const mapping: Record<string, unknown> = {}
    const unmask: Unmask = async function* (pieces, tags) {
      for await (const piece of pieces) yield piece.replace('[NAME_1]', (tag) => String(tags[tag] ?? tag))
    }
    const llm = scripted('[NAME_1] does [1].', '[NAME_1] does [1].')
    const engine = new RetrieverQueryEngine({ retriever: masked, llm, unmask, mapping })
    expect(String(await engine.query('Who keeps pears?'))).toBe('[NAME_1] does [1].')
    mapping['[NAME_1]'] = 'Ann'
    expect(String(await engine.query('Who keeps pears?'))).toBe('Ann does [1].')
    expect(() => new RetrieverQueryEngine({ retriever, llm, mapping })).toThrow(
      'RetrieverQueryEngine.unmask: expected unmaskStream of @x/postprocessors beside mapping',
    )
  })

  it('asks no model if nothing was found', async () => {
    const engine = new RetrieverQueryEngine({ retriever, llm: scripted(), nothingFound: 'Nothing.' })
    const answer = await engine.query('wine')
    expect([String(answer), answer.sourceNodes, answer.sources]).toEqual(['Nothing.', [], []])
  })

  it('passes filters to the retriever', async () => {
    const engine = new RetrieverQueryEngine({ retriever, llm: scripted('5 days [1].') })
    const filters = [{ key: 'tenant', value: 'b' }]
    const answer = await engine.query('How long do they keep?', { filters })
    expect(answer.sourceNodes.map(({ id }) => id)).toEqual(['plums'])
    expect((await engine.retrieve('keep', { filters })).map(({ id }) => id)).toEqual(['plums'])
    expect((await engine.streamQuery('wine', { filters })).sourceNodes).toEqual([])
  })

  it('passes instructions, the scope and the signal on', async () => {
    const llm = scripted('3 weeks [1].')
    const scoped = new Bm25Retriever({ nodes, scope: ['tenant'] })
    const engine = new RetrieverQueryEngine({ retriever: scoped, llm, instructions: 'Be brief.' })
    await expect(engine.query('keep')).rejects.toMatchObject({ code: 'scope_missing' })
    const { sourceNodes } = await engine.query('keep', { scope: { tenant: 'a' } })
    expect(sourceNodes.map(({ id }) => id)).toEqual(['pears'])
    expect(JSON.stringify(llm.calls)).toContain('Be brief.')
    const reason = new Error('stop')
    const signal = AbortSignal.abort(reason)
    await expect(engine.query('keep', { scope: { tenant: 'a' }, signal })).rejects.toBe(reason)
  })

  it('is a component of a pipeline', async () => {
    const component = new RetrieverQueryEngine({ retriever, llm: scripted('3 weeks [1].') }).asQueryComponent()
    const { output } = await component.runComponent({ input: 'pears' })
    expect(String(output)).toBe('3 weeks [1].')
    const query = new QueryBundle({ queryStr: 'wine' })
    expect(String((await component.runComponent({ input: query }))['output'])).toContain('Nothing was found')
  })

  it('refuses what it cannot use', async () => {
    expect(() => new RetrieverQueryEngine({ retriever, llm: {} as never })).toThrow('RetrieverQueryEngine.llm')
    expect(() => new RetrieverQueryEngine({ retriever, llm: scripted(), responseMode: 'x' } as never)).toThrow(
      'responseMode',
    )
    const engine = new RetrieverQueryEngine({ retriever, llm: scripted() })
    await expect(engine.query(5 as never)).rejects.toThrow('expected a string or a QueryBundle')
  })
})
