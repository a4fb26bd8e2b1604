/** Builds the pipelines and components that a case describes. */
import { ReActAgent } from '@x/agents'
import { AgentFnComponent, AgentInputComponent, ToolRunnerComponent } from '@x/agents/pipeline'
import { ReActChatFormatter } from '@x/agents/protocol'
import type { Dict, QueryComponent } from '@x/core-model'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate, type Variables } from '@x/prompts'
import {
  ArgPackComponent,
  FnComponent,
  InputComponent,
  KwargPackComponent,
  QueryPipeline,
  RouterComponent,
} from '@x/query-pipeline'
import { CaseError, named } from '../../given.ts'
import type { CaseModelRecord } from '../../stand-ins/case-model.ts'
import { type MessageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type ToolRecord, toolsOf } from '../../stand-ins/tools.ts'
import { agentFunctions, agentInputs } from './agent-functions.ts'
import { type Condition, functions, ofOneValue, testOf } from './functions.ts'
import { RecordedMemory, type Recorder } from './recorder.ts'
import { valuesOf } from './values.ts'

interface Link {
  src: string
  dest: string
  src_key?: string
  dest_key?: string
  condition?: Condition
  input_fn?: string
}

/** Modules one after the other, or by key with links. */
export interface PipelineRecord {
  chain?: ComponentRecord[]
  modules?: [string, ComponentRecord][]
  links?: Link[]
  partial?: Dict
}

interface FnRecord {
  fn: string
  output_key?: string
  req_params?: string[]
  opt_params?: string[]
}

interface PromptRecord {
  template: string
  partial_format?: Variables
}

interface ModelRecord {
  llm: CaseModelRecord
  prefix?: string
}

interface RouterRecord {
  choices: string[]
  components: ComponentRecord[]
  selected: number[]
}

interface AgentRecord {
  llm: CaseModelRecord
  tools?: ToolRecord[]
  chat_history?: MessageRecord[]
}

/** The description of a component. */
export type ComponentRecord = { partial?: Dict } & (
  | { type: 'input' }
  | ({ type: 'fn' } & FnRecord)
  | { type: 'arg_pack' | 'kwarg_pack'; convert?: string }
  | ({ type: 'prompt' } & PromptRecord)
  | { type: 'chat_prompt'; messages: MessageRecord[] }
  | ({ type: 'llm_chat' | 'llm_complete' } & ModelRecord)
  | { type: 'tool_runner'; tools: ToolRecord[] }
  | { type: 'similarity'; similarity_cutoff?: number }
  | ({ type: 'router' } & RouterRecord)
  | ({ type: 'react_agent' } & AgentRecord)
  | { type: 'agent_input'; fn: string }
  | { type: 'agent_fn'; fn: string; params?: Dict }
  | ({ type: 'pipeline' } & PipelineRecord)
)

export function componentOf(record: ComponentRecord, recorder: Recorder): QueryComponent {
  const partial = record.partial && valuesOf(record.partial)
  switch (record.type) {
    case 'input':
      return new InputComponent({ partial })
    case 'fn': {
      const { run, required, optional = [] } = named(functions, record.fn)
      const params = { required: record.req_params ?? required, optional: record.opt_params ?? optional }
      return new FnComponent({ fn: run, params, outputKey: record.output_key, partial })
    }
    case 'arg_pack':
      return new ArgPackComponent({ convertFn: ofOneValue(record.convert), partial })
    case 'kwarg_pack':
      return new KwargPackComponent({ convertFn: ofOneValue(record.convert), partial })
    case 'prompt': {
      const { template, partial_format: vars } = record
      const prompt = new PromptTemplate({ template })
      return (vars ? prompt.partialFormat(vars) : prompt).asQueryComponent({ partial })
    }
    case 'chat_prompt': {
      const messageTemplates = messagesOf(record.messages)
      return new ChatPromptTemplate({ messageTemplates }).asQueryComponent({ partial })
    }
    case 'llm_chat':
    case 'llm_complete': {
      const { llm, prefix, type } = record
      return recorder.modelOf(llm, { isChatModel: type === 'llm_chat', prefix }).asQueryComponent({ partial })
    }
    case 'tool_runner':
      return new ToolRunnerComponent({ tools: toolsOf(record.tools), partial })
    case 'similarity':
      return new SimilarityPostprocessor({ similarityCutoff: record.similarity_cutoff }).asQueryComponent({ partial })
    case 'router':
      return new RouterComponent({ ...routerOptions(record, recorder), partial })
    case 'react_agent':
      return agentOf(record, recorder).asQueryComponent({ partial })
    case 'agent_input':
      return new AgentInputComponent({ fn: named(agentInputs, record.fn), partial })
    case 'agent_fn': {
      const { required, run } = named(agentFunctions, record.fn)(record.params ?? {})
      return new AgentFnComponent({ fn: run, params: { required }, partial })
    }
    case 'pipeline':
      return pipelineOf(record, recorder)
    default:
      throw new CaseError(`there is no component of the type ${JSON.stringify((record as Dict)['type'])}`)
  }
}

function routerOptions({ choices, components, selected }: RouterRecord, recorder: Recorder) {
  return {
    selector: { select: () => selected.map((index) => ({ index })) },
    choices,
    components: components.map((inner) => componentOf(inner, recorder)),
  }
}

function agentOf({ llm, tools, chat_history }: AgentRecord, recorder: Recorder): ReActAgent {
  const memory = new RecordedMemory({ tokenLimit: 3000 })
  memory.set(messagesOf(chat_history))
  recorder.memories.push(memory)
  const reactChatFormatter = new ReActChatFormatter({ systemHeader: 'H' })
  return ReActAgent.fromTools({ llm: recorder.modelOf(llm), tools: toolsOf(tools), memory, reactChatFormatter })
}

/** Builds a pipeline whose modules note that they run. */
export function pipelineOf({ chain, partial, ...record }: PipelineRecord, recorder: Recorder): QueryPipeline {
  const made = new QueryPipeline({ partial: partial && valuesOf(partial) })
  const modules = chain ? chain.map((item, index) => [`c${index}`, item] as const) : (record.modules ?? [])
  for (const [key, item] of modules) made.add(key, recorded(key, componentOf(item, recorder), recorder))
  if (chain) for (const index of chain.keys()) if (index > 0) made.addLink(`c${index - 1}`, `c${index}`)
  for (const { src, dest, src_key: srcKey, dest_key: destKey, condition, input_fn } of record.links ?? []) {
    const inputFn = ofOneValue(input_fn)
    made.addLink(src, dest, {
      srcKey,
      destKey,
      ...(condition && { conditionFn: testOf(condition) }),
      ...(inputFn && { inputFn }),
    })
  }
  return made
}

function recorded(key: string, component: QueryComponent, { executed }: Recorder): QueryComponent {
  const run = component.runComponent.bind(component)
  component.runComponent = (inputs, options) => {
    executed.push(key)
    return run(inputs, options)
  }
  return component
}
