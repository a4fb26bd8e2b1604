/** Reads descriptions of pipelines and components. */
import {
  argument,
  list,
  literal,
  number,
  object,
  optional,
  pair,
  type Read,
  type Reader,
  shape,
  string,
  variants,
} from '../../reader.ts'
import { caseModel } from '../../stand-ins/case-model.ts'
import { message } from '../../stand-ins/messages.ts'
import { tool } from '../../stand-ins/tools.ts'
import { agentFunction, agentInput } from './agent-functions.ts'
import { condition, pipelineFunction } from './functions.ts'
import { values } from './values.ts'

const partial = optional(values)

const inner: Reader<ComponentRecord> = (value, at) => component(value, at)

const link = shape({
  src: string,
  dest: string,
  src_key: argument<string | undefined>(),
  dest_key: argument<string | undefined>(),
  condition: optional(condition),
  input_fn: optional(pipelineFunction),
})

const graph = {
  chain: optional(list(inner)),
  modules: optional(list(pair(string, inner))),
  links: optional(list(link)),
  partial,
}

const keys = optional(list(string))
const model = { llm: caseModel, prefix: optional(string), partial }

const simple = {
  input: { partial },
  fn: { fn: pipelineFunction, output_key: optional(string), req_params: keys, opt_params: keys, partial },
  arg_pack: { convert: optional(pipelineFunction), partial },
  kwarg_pack: { convert: optional(pipelineFunction), partial },
  prompt: { template: string, partial_format: optional(object), partial },
  chat_prompt: { messages: list(message), partial },
  llm_chat: model,
  llm_complete: model,
  tool_runner: { tools: list(tool), partial },
  similarity: { similarity_cutoff: argument<number | undefined>(), partial },
  react_agent: { llm: caseModel, tools: optional(list(tool)), chat_history: optional(list(message)), partial },
  agent_input: { fn: agentInput, partial },
  agent_fn: { fn: agentFunction, params: optional(object), partial },
} as const

export type SimpleRecord = Read<ReturnType<typeof variants<'type', typeof simple>>>

export interface RouterRecord {
  type: 'router'
  choices: string[]
  components: ComponentRecord[]
  selected: number[]
  partial?: Record<string, unknown>
}

/** Modules one after the other, or by key with links. */
export interface PipelineRecord {
  chain?: ComponentRecord[]
  modules?: [string, ComponentRecord][]
  links?: Read<typeof link>[]
  partial?: Record<string, unknown>
}

export type ComponentRecord = SimpleRecord | RouterRecord | ({ type: 'pipeline' } & PipelineRecord)

/** Reads a component. */
export const component: Reader<ComponentRecord> = variants('type', {
  ...simple,
  router: { choices: list(string), components: list(inner), selected: list(number), partial },
  pipeline: graph,
})

/** Reads a pipeline. */
export const pipeline: Reader<PipelineRecord> = shape({ ...graph, type: optional(literal('pipeline')) })
