/** Builds the pipelines and components that a case describes. */
import { AgentFnComponent, AgentInputComponent, ReActAgent, ReActChatFormatter, ToolRunnerComponent } from '@x/agents'
import type { QueryComponent } from '@x/core-model'
import { SimilarityPostprocessor } from '@x/postprocessors'
import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'
import {
  ArgPackComponent,
  FnComponent,
  InputComponent,
  KwargPackComponent,
  QueryPipeline,
  RouterComponent,
} from '@x/query-pipeline'
import { CaseModel } from '../../stand-ins/case-model.ts'
import { messageOf } from '../../stand-ins/messages.ts'
import { toolsOf } from '../../stand-ins/tools.ts'
import { ofOneValue, testOf } from './functions.ts'
import type { ComponentRecord, PipelineRecord, RouterRecord, SimpleRecord } from './pipeline-record.ts'
import { RecordedMemory, type Recorder } from './recorder.ts'

type RecordOf<Type extends SimpleRecord['type']> = Extract<SimpleRecord, { type: Type }>

export function componentOf(record: ComponentRecord, recorder: Recorder): QueryComponent {
  const { partial } = record
  switch (record.type) {
    case 'input':
      return new InputComponent({ partial })
    case 'fn':
      return fnComponent(record)
    case 'arg_pack':
      return new ArgPackComponent({ convertFn: record.convert && ofOneValue(record.convert), partial })
    case 'kwarg_pack':
      return new KwargPackComponent({ convertFn: record.convert && ofOneValue(record.convert), partial })
    case 'prompt':
      return promptComponent(record)
    case 'chat_prompt': {
      const messageTemplates = record.messages.map(messageOf)
      return new ChatPromptTemplate({ messageTemplates }).asQueryComponent({ partial })
    }
    case 'llm_chat':
    case 'llm_complete':
      return modelComponent(record, recorder)
    case 'tool_runner':
      return new ToolRunnerComponent({ tools: toolsOf(record.tools), partial })
    case 'similarity':
      return new SimilarityPostprocessor({ similarityCutoff: record.similarity_cutoff }).asQueryComponent({ partial })
    case 'router':
      return routerComponent(record, recorder)
    case 'react_agent':
      return agentComponent(record, recorder)
    case 'agent_input':
      return new AgentInputComponent({ fn: record.fn, partial })
    case 'agent_fn': {
      const { required, run } = record.fn(record.params ?? {})
      return new AgentFnComponent({ fn: run, params: { required }, partial })
    }
    case 'pipeline':
      return pipelineOf(record, recorder)
  }
}

function fnComponent({ fn, req_params, opt_params, output_key: outputKey, partial }: RecordOf<'fn'>): FnComponent {
  const params = { required: req_params ?? fn.required, optional: opt_params ?? fn.optional ?? [] }
  return new FnComponent({ fn: fn.run, params, outputKey, partial })
}

function promptComponent({ template, partial_format: vars, partial }: RecordOf<'prompt'>): QueryComponent {
  const prompt = new PromptTemplate({ template })
  return (vars ? prompt.partialFormat(vars) : prompt).asQueryComponent({ partial })
}

function modelComponent(record: RecordOf<'llm_chat'> | RecordOf<'llm_complete'>, recorder: Recorder): QueryComponent {
  const { llm, prefix, partial, type } = record
  const model = new CaseModel(llm, { isChatModel: type === 'llm_chat', prefix })
  recorder.models.push(model)
  return model.asQueryComponent({ partial })
}

function routerComponent({ choices, components, selected, partial }: RouterRecord, recorder: Recorder): QueryComponent {
  return new RouterComponent({
    selector: { select: () => selected.map((index) => ({ index })) },
    choices,
    components: components.map((inner) => componentOf(inner, recorder)),
    partial,
  })
}

function agentComponent(record: RecordOf<'react_agent'>, recorder: Recorder): QueryComponent {
  const llm = new CaseModel(record.llm)
  recorder.models.push(llm)
  const memory = new RecordedMemory({ tokenLimit: 3000 })
  memory.set((record.chat_history ?? []).map(messageOf))
  recorder.memories.push(memory)
  const reactChatFormatter = new ReActChatFormatter({ systemHeader: 'H' })
  const agent = ReActAgent.fromTools({ llm, tools: toolsOf(record.tools), memory, reactChatFormatter })
  return agent.asQueryComponent({ partial: record.partial })
}

/** Builds a pipeline whose modules note that they run. */
export function pipelineOf(record: PipelineRecord, recorder: Recorder): QueryPipeline {
  const made = new QueryPipeline({ partial: record.partial })
  const { chain } = record
  const modules = chain ? chain.map((item, index) => [`c${index}`, item] as const) : (record.modules ?? [])
  for (const [key, item] of modules) made.add(key, recorded(key, componentOf(item, recorder), recorder))
  if (chain) for (const index of chain.keys()) if (index > 0) made.addLink(`c${index - 1}`, `c${index}`)
  for (const { src, dest, src_key: srcKey, dest_key: destKey, condition, input_fn: inputFn } of record.links ?? []) {
    made.addLink(src, dest, {
      srcKey,
      destKey,
      ...(condition && { conditionFn: testOf(condition) }),
      ...(inputFn && { inputFn: ofOneValue(inputFn) }),
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
