/** Operations that every postprocessor has. */
import { type Dict, NodeWithScore } from '@x/core-model'
import { NERPIINodePostprocessor, PIINodePostprocessor } from '@x/postprocessors'
import type { Case } from '../../case.ts'
import { CaseError, isObject } from '../../given.ts'
import type { PostprocessorClass } from './class.ts'
import { listedKeys, type NodeRecord, viewNodes } from './node-record.ts'
import { type QueryRecord, type Resources, Workbench } from './workbench.ts'

/** An operation of one class. */
export type ClassOperation = (postprocessor: PostprocessorClass, given: never, testCase: Case) => unknown

/** Keys with live objects or prompts, which the cases do not compare. */
const notCompared = ['llm', 'embed_model', 'docstore', 'service_context', 'choice_select_prompt']

function comparable(dict: Dict): Dict {
  return Object.fromEntries(Object.entries(dict).filter(([key]) => !notCompared.includes(key)))
}

/** Returns the records of a list of nodes, or null when the case has another value in its place. */
function recordsOf(nodes: unknown): NodeRecord[] | null {
  const allRecords = Array.isArray(nodes) && nodes.every((each) => isObject(each) && 'id_' in each)
  return allRecords ? nodes : null
}

const isEntry = (value: unknown): value is NodeWithScore => value instanceof NodeWithScore

interface RunInput extends Resources {
  kwargs?: { partial?: Dict }
  inputs: Dict
}

export const classOperations: Readonly<Record<string, ClassOperation>> = {
  postprocess_nodes: (postprocessor, given: Resources & QueryRecord & { nodes: NodeRecord[] }, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const made = bench.create(postprocessor, given)
      const result = await made.postprocessNodes(bench.nodes(given.nodes), bench.query(given))
      const sources = [...given.nodes, ...(given.docstore ?? [])]
      return listedKeys({ nodes: viewNodes(result, value, sources), ...bench.records() }, value)
    }),

  to_dict: (postprocessor, given: Resources) =>
    Workbench.run((bench) => comparable(bench.create(postprocessor, given).toDict())),

  from_dict: (postprocessor, { data, kwargs, ...given }: Resources & { data: unknown; kwargs?: Dict }) =>
    Workbench.run((bench) => {
      const overrides = bench.options(postprocessor.spec().name, { ...given, init: kwargs })
      return comparable(postprocessor.fromDict(data, overrides).toDict())
    }),

  class_name: (postprocessor) => postprocessor.className(),

  mask_pii: (postprocessor, { text, ner, ...given }: Resources & { text: string }, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const made = bench.create(postprocessor, given)
      if (made instanceof PIINodePostprocessor) {
        const masked = await made.maskPii(text)
        return listedKeys({ ...masked, ...bench.records() }, value)
      }
      if (!(made instanceof NERPIINodePostprocessor)) throw new CaseError(`${made.constructor.name} masks no text`)
      const entities = Array.isArray(ner) ? ner : []
      return listedKeys({ ...(await made.maskPii(() => entities, text)) }, value)
    }),

  'as_query_component.keys': (postprocessor, given: Resources) =>
    Workbench.run((bench) => {
      const { inputKeys, outputKeys } = bench.create(postprocessor, given).asQueryComponent()
      return {
        required: [...inputKeys.required].sort(),
        optional: [...inputKeys.optional].sort(),
        outputs: [...outputKeys].sort(),
      }
    }),

  'as_query_component.run': (postprocessor, { kwargs, inputs, ...given }: RunInput, { expect: { value } }) =>
    Workbench.run(async (bench) => {
      const component = bench.create(postprocessor, given).asQueryComponent({ ...kwargs })
      const { nodes, ...others } = inputs
      const records = recordsOf(nodes)
      const output = await component.runComponent({
        ...others,
        ...(nodes !== undefined && { nodes: records ? bench.nodes(records) : nodes }),
      })
      const found = output['nodes']
      const views = Array.isArray(found) && found.every(isEntry) ? viewNodes(found, value, records ?? []) : found
      return { ...output, nodes: views }
    }),
}
