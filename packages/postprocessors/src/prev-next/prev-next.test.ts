import { NodeNotFoundError, NodeWithScore, TextNode } from '@x/core-model'
import { MapDocumentStore } from '@x/core-model/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chain, FunctionLLM } from '../../test/stand-ins.ts'
import { AutoPrevNextNodePostprocessor } from './auto-prev-next-node-postprocessor.ts'
import { PrevNextNodePostprocessor } from './prev-next-node-postprocessor.ts'

const nodes = chain(10)
const docstore = new MapDocumentStore(nodes)
const entry = (index: number, score: number | null = null) => new NodeWithScore({ node: nodes[index]!, score })
const ids = (entries: readonly NodeWithScore[]) => entries.map(({ id }) => id).join(' ')

describe('PrevNextNodePostprocessor', () => {
  it('returns linked nodes in document order, each once with its own best score', async () => {
    const around = new PrevNextNodePostprocessor({ docstore, mode: 'both' })
    const result = await around.postprocessNodes([entry(7, 0.9), entry(2, 0.8), entry(3, 0.7), entry(7, 0.95)])
    expect(ids(result)).toBe('n6 n7 n8 n1 n2 n3 n4')
    expect(result.map(({ score }) => score)).toEqual([null, 0.95, null, null, 0.8, 0.7, null])
  })

  it('stops at a missing neighbour with onMissing stop, whether the store returns null or throws', async () => {
    const lost = new NodeWithScore({ node: new TextNode({ id: 'x', relationships: { '3': { nodeId: 'gone' } } }) })
    const empty = new MapDocumentStore()
    const throwing = { getNode: async (id: string) => Promise.reject(new NodeNotFoundError(id)) }
    for (const store of [empty, throwing]) {
      await expect(new PrevNextNodePostprocessor({ docstore: store }).postprocessNodes([lost])).rejects.toMatchObject({
        code: 'node_not_found',
        nodeId: 'gone',
      })
      expect(
        ids(await new PrevNextNodePostprocessor({ docstore: store, onMissing: 'stop' }).postprocessNodes([lost])),
      ).toBe('x')
    }
    const broken = { getNode: async () => Promise.reject(new Error('no network')) }
    await expect(
      new PrevNextNodePostprocessor({ docstore: broken, onMissing: 'stop' }).postprocessNodes([lost]),
    ).rejects.toThrow('no network')
  })

  it('rejects immediately if the signal is aborted during getNode or getNodes', async () => {
    for (const several of [false, true]) {
      const controller = new AbortController()
      const reason = new Error('enough')
      let asked = 0
      const never = () => {
        asked++
        controller.abort(reason)
        return new Promise<never>(() => {})
      }
      const silent = { getNode: never, ...(several && { getNodes: never }) }
      const around = new PrevNextNodePostprocessor({ docstore: silent, numNodes: 2 })
      await expect(around.postprocessNodes([entry(1), entry(5)], { signal: controller.signal })).rejects.toBe(reason)
      expect(asked).toBe(1)
    }
  })

  it('calls getNodes once per step if the store implements it', async () => {
    const asked: string[][] = []
    const counting = {
      getNode: async () => Promise.reject(new Error('one by one')),
      getNodes: async (wanted: readonly string[]) => {
        asked.push([...wanted])
        return docstore.getNodes(wanted)
      },
    }
    await new PrevNextNodePostprocessor({ docstore: counting, numNodes: 2 }).postprocessNodes([
      entry(1),
      entry(2),
      entry(6),
    ])
    expect(asked).toEqual([
      ['n2', 'n3', 'n7'],
      ['n4', 'n8'],
    ])
  })

  it('stops in a cycle of relationships, for any numNodes', async () => {
    const ring = ['a', 'b', 'c'].map(
      (id, i) => new TextNode({ id, relationships: { '3': { nodeId: 'bca'[i]! }, '2': { nodeId: 'cab'[i]! } } }),
    )
    const all = new PrevNextNodePostprocessor({ docstore: new MapDocumentStore(ring), numNodes: 1e9, mode: 'both' })
    expect(ids(await all.postprocessNodes([new NodeWithScore({ node: ring[1]!, score: 1 })]))).toBe('b c a')
  })

  it('rejects an array for a relationship that is a single node', async () => {
    const odd = new NodeWithScore({ node: new TextNode({ id: 'x', relationships: { '3': [{ nodeId: 'a' }] } }) })
    await expect(new PrevNextNodePostprocessor({ docstore }).postprocessNodes([odd])).rejects.toMatchObject({
      code: 'relationship_shape',
    })
  })

  it('always returns the neighbourhoods of the nodes, without duplicates, in ascending order', async () => {
    const places = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        places,
        fc.nat(3),
        fc.constantFrom('next', 'previous', 'both'),
        async (indexes, numNodes, mode) => {
          const result = await new PrevNextNodePostprocessor({ docstore, numNodes, mode }).postprocessNodes(
            indexes.map((index) => entry(index)),
          )
          const got = result.map(({ id }) => Number(id.slice(1)))
          const wanted = new Set<number>()
          for (const index of indexes) {
            const from = mode === 'next' ? index : index - numNodes
            const until = mode === 'previous' ? index : index + numNodes
            for (let place = Math.max(0, from); place <= Math.min(9, until); place++) wanted.add(place)
          }
          expect([...got].sort((a, b) => a - b)).toEqual([...wanted].sort((a, b) => a - b))
          for (const place of got)
            if (wanted.has(place + 1)) expect(got.indexOf(place + 1)).toBe(got.indexOf(place) + 1)
        },
      ),
    )
  })
})

describe('AutoPrevNextNodePostprocessor', () => {
  const create = (answer: string | ((prompt: string) => string), options = {}) =>
    new AutoPrevNextNodePostprocessor({
      docstore,
      llm: new FunctionLLM({ answer: typeof answer === 'string' ? () => answer : answer }),
      ...options,
    })

  it('accepts the model in a service context, and rejects a missing model', async () => {
    const llm = new FunctionLLM({ answer: () => 'PREVIOUS' })
    const auto = new AutoPrevNextNodePostprocessor({ docstore, serviceContext: { llm } })
    expect(ids(await auto.postprocessNodes([entry(4)], { queryStr: 'q' }))).toBe('n3 n4')
    for (const options of [{ docstore }, { docstore, serviceContext: {} }]) {
      expect(() => new AutoPrevNextNodePostprocessor(options as never)).toThrow(
        expect.objectContaining({ code: 'model_validation' }),
      )
    }
  })

  it('sends the text without the white space of Python at its ends', async () => {
    const llm = new FunctionLLM({ answer: () => 'NONE' })
    const auto = new AutoPrevNextNodePostprocessor({ docstore, llm, inferPrevNextTmpl: '{query_str}: {context_str}' })
    const node = new TextNode({ text: '\x1f\ufeff a\x85 ' })
    await auto.postprocessNodes([new NodeWithScore({ node })], { queryStr: 'q' })
    expect(llm.prompts).toEqual(['q: \ufeff a'])
  })

  it('treats an answer without a direction as none, with onInvalidPrediction none', async () => {
    await expect(create('Weiter').postprocessNodes([entry(4)], { queryStr: 'q' })).rejects.toMatchObject({
      code: 'invalid_prediction',
      answer: 'Weiter',
    })
    expect(
      ids(await create('Weiter', { onInvalidPrediction: 'none' }).postprocessNodes([entry(4)], { queryStr: 'q' })),
    ).toBe('n4')
  })

  it('logs the directions', async () => {
    const lines: string[] = []
    await create('next', { verbose: true, logger: (line: string) => lines.push(line) }).postprocessNodes([entry(4)], {
      queryStr: 'q',
    })
    expect(lines).toEqual(['AutoPrevNextNodePostprocessor: node "n4": next'])
  })

  it('sends a node that is too long to the model completely, in parts', async () => {
    const words = Array.from({ length: 600 }, (_, i) => `word${i}`)
    const llm = new FunctionLLM({
      answer: (prompt) => (prompt.includes('word599') ? 'NEXT' : 'NONE'),
      contextWindow: 900,
    })
    const auto = new AutoPrevNextNodePostprocessor({ docstore, llm })
    const long = new NodeWithScore({
      node: new TextNode({ id: 'n4', text: words.join(' '), relationships: { '3': { nodeId: 'n5' } } }),
    })
    expect(ids(await auto.postprocessNodes([long], { queryStr: 'q' }))).toBe('n4 n5')
    expect(llm.prompts.length).toBeGreaterThan(2)
    for (const word of words)
      expect(llm.prompts.some((prompt) => prompt.includes(`${word} `) || prompt.includes(`${word}\n`))).toBe(true)
    expect(llm.prompts[1]).toContain('NONE')
  })
})
