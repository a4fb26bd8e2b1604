/** Postprocessors one after the other. */
import type { Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { apiKeys } from '../../given.ts'
import { findClass } from './class.ts'
import { listedKeys, type NodeRecord, viewNodes } from './node-record.ts'
import { type QueryRecord, type Resources, Workbench } from './workbench.ts'

interface Chain extends QueryRecord {
  nodes: NodeRecord[]
  steps: Dict[]
}

export const chain: Operations = {
  'chain.postprocess_nodes': ({ nodes: records, steps, ...query }: Chain, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      let nodes = bench.nodes(records)
      const asked = bench.query(query)
      const sources = [...records]
      for (const step of steps) {
        const { class: name, ...resources } = apiKeys<Resources & { class: string }>(step)
        nodes = await bench.create(findClass(name), resources).postprocessNodes(nodes, asked)
        sources.push(...(resources.docstore ?? []))
      }
      return listedKeys({ nodes: viewNodes(nodes, value, sources) }, value)
    }),
}
