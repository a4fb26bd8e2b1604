/** Operations that every postprocessor has. */
import type { Dict } from '@x/core-model'
import { type Operation, operation } from '../../case.ts'
import { anything, object, optional, shape } from '../../reader.ts'
import type { PostprocessorClass } from './class.ts'
import { listedKeys, nodeRecords, viewNodes } from './node-record.ts'
import { resourceKeys, resources } from './resources.ts'
import { queryKeys, Workbench } from './workbench.ts'

/** An operation of one class. */
export type ClassOperation = (postprocessor: PostprocessorClass) => Operation

/** Keys with live objects or prompts, which the cases do not compare. */
const notCompared = ['llm', 'embed_model', 'docstore', 'service_context', 'choice_select_prompt']

function comparable(dict: Dict): Dict {
  return Object.fromEntries(Object.entries(dict).filter(([key]) => !notCompared.includes(key)))
}

export const classOperations: Readonly<Record<string, ClassOperation>> = {
  postprocess_nodes: (postprocessor) =>
    operation(shape({ ...resourceKeys, ...queryKeys, nodes: nodeRecords }), (given, { value }) =>
      Workbench.run(async (bench) => {
        const made = bench.create(postprocessor, given)
        const result = await made.postprocessNodes(bench.nodes(given.nodes), bench.query(given))
        const sources = [...given.nodes, ...(given.docstore ?? [])]
        return listedKeys({ nodes: viewNodes(result, value, sources), ...bench.records() }, value)
      }),
    ),

  to_dict: (postprocessor) =>
    operation(resources, (given) => Workbench.run((bench) => comparable(bench.create(postprocessor, given).toDict()))),

  from_dict: (postprocessor) =>
    operation(shape({ ...resourceKeys, data: anything, kwargs: optional(object) }), (given) =>
      Workbench.run((bench) => {
        const overrides = bench.options(postprocessor.spec().name, { ...given, init: given.kwargs })
        return comparable(postprocessor.fromDict(given.data, overrides).toDict())
      }),
    ),

  class_name: (postprocessor) => operation(shape({}), () => postprocessor.className()),
}
