/** Postprocessors as components of query pipelines. */
import { NodeWithScore } from '@x/core-model'
import { operation } from '../../case.ts'
import { isObject, object, optional, Place, shape } from '../../reader.ts'
import type { ClassOperation } from './class-operations.ts'
import { type NodeRecord, nodeRecords, viewNodes } from './node-record.ts'
import { resourceKeys, resources } from './resources.ts'
import { Workbench } from './workbench.ts'

/** Returns the records of a list of nodes, or null when the case has another value in its place. */
function recordsOf(nodes: unknown): NodeRecord[] | null {
  const allRecords = Array.isArray(nodes) && nodes.every((each) => isObject(each) && 'id_' in each)
  return allRecords ? nodeRecords(nodes, new Place('given.inputs.nodes')) : null
}

const isEntry = (value: unknown): value is NodeWithScore => value instanceof NodeWithScore

export const components: Readonly<Record<string, ClassOperation>> = {
  'as_query_component.keys': (postprocessor) =>
    operation(resources, (given) =>
      Workbench.run((bench) => {
        const { inputKeys, outputKeys } = bench.create(postprocessor, given).asQueryComponent()
        return {
          required: [...inputKeys.required].sort(),
          optional: [...inputKeys.optional].sort(),
          outputs: [...outputKeys].sort(),
        }
      }),
    ),

  'as_query_component.run': (postprocessor) =>
    operation(
      shape({ ...resourceKeys, kwargs: optional(shape({ partial: optional(object) })), inputs: object }),
      (given, { value }) =>
        Workbench.run(async (bench) => {
          const component = bench.create(postprocessor, given).asQueryComponent({ ...given.kwargs })
          const { nodes, ...inputs } = given.inputs
          const records = recordsOf(nodes)
          const output = await component.runComponent({
            ...inputs,
            ...(nodes !== undefined && { nodes: records ? bench.nodes(records) : nodes }),
          })
          const found = output['nodes']
          const views = Array.isArray(found) && found.every(isEntry) ? viewNodes(found, value, records ?? []) : found
          return { ...output, nodes: views }
        }),
    ),
}
