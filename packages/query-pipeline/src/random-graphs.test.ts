import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { FnComponent, QueryPipeline } from './index.ts'

interface RandomLink {
  src: number
  dest: number
  destKey: 'a' | 'b' | 'c'
  /** The link is followed if the value is a multiple of this number; 1: always. */
  multiple: number
}

/** A graph of modules with the required input `a` and the optional ones `b` and `c`. Links lead to later modules only. */
const graph = fc.integer({ min: 2, max: 9 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    maxConcurrency: fc.integer({ min: 1, max: 4 }),
    turns: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: size, maxLength: size }),
    links: fc.array(
      fc
        .record({
          src: fc.integer({ min: 0, max: size - 1 }),
          dest: fc.integer({ min: 0, max: size - 1 }),
          destKey: fc.constantFrom('a' as const, 'b' as const, 'c' as const),
          multiple: fc.constantFrom(1, 1, 1, 2, 3),
        })
        .map(
          (link): RandomLink => ({ ...link, src: Math.min(link.src, link.dest), dest: Math.max(link.src, link.dest) }),
        )
        .filter(({ src, dest }) => src !== dest),
      { maxLength: 14 },
    ),
  }),
)

type Inputs = Partial<Record<'a' | 'b' | 'c', number>>
const work = (module: number, { a = 0, b = 0, c = 0 }: Inputs) => (module + 1) * (a + 3 * b + 7 * c) + module

/** Computes the outputs of the modules that ran with a literal, sequential implementation of the rules of the specification. */
function reference(size: number, links: readonly RandomLink[], inputs: Readonly<Record<number, Inputs>>) {
  const order = generations(size, links)
  const ran = new Map<number, number>()
  const delivered = new Set<number>()
  let error: number | null = null
  for (const module of order) {
    const into = links.filter(({ dest }) => dest === module)
    let own: Inputs | undefined = into.length === 0 ? inputs[module] : {}
    if (into.length > 0) {
      const sources = order.filter((src) => into.some((link) => link.src === src))
      let untaken = false
      for (const link of sources.flatMap((src) => into.filter((each) => each.src === src))) {
        const value = ran.get(link.src)
        if (value === undefined || value % link.multiple !== 0) untaken = true
        else own![link.destKey] = value
      }
      if (Object.keys(own!).length === 0 || (untaken && own!.a === undefined)) own = undefined
    }
    if (!own) continue
    if (own.a === undefined) error ??= module
    const value = work(module, own)
    ran.set(module, value)
    if (links.some(({ src, multiple }) => src === module && value % multiple === 0)) delivered.add(module)
  }
  const leaves = order.filter((module) => ran.has(module) && !links.some(({ src }) => src === module))
  const last = leaves.length > 0 ? leaves : order.filter((module) => ran.has(module) && !delivered.has(module))
  return { error, outputs: Object.fromEntries(last.map((module) => [`m${module}`, { output: ran.get(module) }])) }
}

/** Returns the static order: generation by generation, each in the order in which its modules become ready. */
function generations(size: number, links: readonly RandomLink[]): number[] {
  const order = Array.from({ length: size }, (_, module) => module).filter(
    (module) => !links.some(({ dest }) => dest === module),
  )
  for (const module of order)
    for (const { dest } of links.filter(({ src }) => src === module))
      if (
        !order.includes(dest) &&
        links.every(
          (link) =>
            link.dest !== dest || (order.indexOf(link.src) <= order.indexOf(module) && order.includes(link.src)),
        )
      )
        order.push(dest)
  return order
}

describe('random graphs', () => {
  it('return the results that the specification requires, regardless of which module is slow', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async ({ size, maxConcurrency, turns, links }) => {
        const pipeline = new QueryPipeline({ maxConcurrency })
        for (let module = 0; module < size; module++)
          pipeline.add(
            `m${module}`,
            new FnComponent({
              fn: async (inputs: Inputs) => {
                for (let turn = 0; turn < turns[module]!; turn++) await null
                return work(module, inputs)
              },
              params: { required: ['a'], optional: ['b', 'c'] },
            }),
          )
        for (const { src, dest, destKey, multiple } of links)
          pipeline.addLink(`m${src}`, `m${dest}`, {
            destKey,
            ...(multiple > 1 && { conditionFn: (value: number) => value % multiple === 0 }),
          })
        const roots = pipeline.getRootKeys()
        const inputs = Object.fromEntries(roots.map((key, index) => [key, { a: index + 1 }]))
        const given = Object.fromEntries(roots.map((key, index) => [Number(key.slice(1)), { a: index + 1 }]))
        const expected = reference(size, links, given)
        const run = pipeline.runMulti(inputs)
        if (expected.error === null) expect(await run).toEqual(expected.outputs)
        else await expect(run).rejects.toMatchObject({ cause: { code: 'component_input', keys: ['a'] } })
      }),
      { numRuns: rounds(150, 500) },
    )
  })
})
