/** Postprocessors one after the other. */
import { type Operations, operation } from '../../case.ts'
import { list, shape } from '../../reader.ts'
import { postprocessorClass } from './class.ts'
import { listedKeys, nodeRecords, viewNodes } from './node-record.ts'
import { resourceKeys } from './resources.ts'
import { queryKeys, Workbench } from './workbench.ts'

export const chain: Operations = {
  'chain.postprocess_nodes': operation(
    shape({
      ...queryKeys,
      nodes: nodeRecords,
      steps: list(shape({ ...resourceKeys, class: postprocessorClass })),
    }),
    (given, { value }) =>
      Workbench.run(async (bench) => {
        let nodes = bench.nodes(given.nodes)
        const query = bench.query(given)
        for (const step of given.steps) nodes = await bench.create(step.class, step).postprocessNodes(nodes, query)
        const sources = [...given.nodes, ...given.steps.flatMap(({ docstore = [] }) => docstore)]
        return listedKeys({ nodes: viewNodes(nodes, value, sources) }, value)
      }),
  ),
}
