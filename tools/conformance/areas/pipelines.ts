/** Values that a case writes as `{"$kind": …}`, and the pipelines and components that it describes. */

import { ReActAgent } from '@x/agents'
import { AgentFnComponent, AgentInputComponent, ToolRunnerComponent } from '@x/agents/pipeline'
import { QueryResponse, ReActChatFormatter } from '@x/agents/protocol'
import {
  ChatMessage,
  ChatResponse,
  CompletionResponse,
  type Dict,
  NodeWithScore,
  QueryBundle,
  type QueryComponent,
  TextNode,
  ToolOutput,
} from '@x/core-model'
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
import { CaseError, isObject, type Json, named } from '../given.ts'
import { messageOf, messageRecord, messagesOf } from '../stand-ins/prompts.ts'
import { RecordedMemory, type Recorder } from '../stand-ins/runs.ts'
import { scoredNodeOf, toolOutputForm, toolOutputOf, toolsOf } from '../stand-ins/tools.ts'
import { agentFunctions, agentInputs, functions, ofOneValue, testOf } from './pipeline-functions.ts'

const assistant = (content: unknown) => ({ role: 'assistant' as const, content: content as string | null })

async function* streamOf(items: readonly unknown[]): AsyncGenerator<unknown> {
  for (const item of items) yield valueOf(item)
}

const kinds: Readonly<Record<string, (item: unknown) => unknown>> = {
  $node: (item) => scoredNodeOf(item as Json),
  $text_node: (item) => new TextNode(item as { id: string; text: string }),
  $message: (item) => messageOf(item as Json),
  $chat_response: (content) => new ChatResponse({ message: assistant(content) }),
  $completion: (text) => new CompletionResponse({ text: text as string }),
  $query_bundle: (queryStr) => new QueryBundle({ queryStr: queryStr as string }),
  $response: (response) => ({ response, sourceNodes: [] }),
  $stream: (items) => streamOf(items as unknown[]),
  $chat_delta: (delta) => new ChatResponse({ message: assistant(delta), delta: delta as string }),
  $tool_output: (item) => toolOutputOf(item as Dict),
}

/** Makes any value. */
export function valueOf(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(valueOf)
  if (!isObject(item)) return item
  const [key, ...others] = Object.keys(item)
  return key?.startsWith('$') && others.length === 0 ? named(kinds, key)(item[key]) : valuesOf(item)
}

/** Makes the values of an object. */
export const valuesOf = (items: Dict): Dict =>
  Object.fromEntries(Object.entries(items).map(([key, item]) => [key, valueOf(item)]))

/** The answer of a query engine that is not an object of a class. */
function isPlainResponse(item: Dict): boolean {
  return Object.keys(item).sort().join() === 'response,sourceNodes'
}

/** Writes any value in the form of the cases. */
export function valueForm(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(valueForm)
  if (item instanceof NodeWithScore) return { $node: { id: item.id, score: item.score } }
  if (item instanceof TextNode) return { $text_node: { id: item.id, text: item.text } }
  if (item instanceof ChatResponse) return { $chat_response: item.message.content }
  if (item instanceof CompletionResponse) return { $completion: item.text }
  if (item instanceof QueryBundle) return { $query_bundle: item.queryStr }
  if (item instanceof QueryResponse) return { $response: item.response }
  if (item instanceof ToolOutput) return { $tool_output: toolOutputForm(item) }
  if (item instanceof ChatMessage) return { $message: messageRecord(item) }
  if (!isObject(item)) return item
  if (isPlainResponse(item)) return { $response: item['response'] }
  return Object.fromEntries(Object.entries(item).map(([key, inner]) => [key, valueForm(inner)]))
}

// Builds the pipelines and components that a case describes.

export function componentOf(record: Json, recorder: Recorder): QueryComponent {
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

function routerOptions({ choices, components, selected }: Json, recorder: Recorder) {
  return {
    selector: { select: () => selected.map((index: Json) => ({ index })) },
    choices,
    components: components.map((inner: Json) => componentOf(inner, recorder)),
  }
}

function agentOf({ llm, tools, chat_history }: Json, recorder: Recorder): ReActAgent {
  const memory = new RecordedMemory({ tokenLimit: 3000 })
  memory.set(messagesOf(chat_history))
  recorder.memories.push(memory)
  const reactChatFormatter = new ReActChatFormatter({ systemHeader: 'H' })
  return ReActAgent.fromTools({ llm: recorder.modelOf(llm), tools: toolsOf(tools), memory, reactChatFormatter })
}

/** Builds a pipeline whose modules note that they run. */
export function pipelineOf({ chain, partial, ...record }: Json, recorder: Recorder): QueryPipeline {
  const made = new QueryPipeline({ partial: partial && valuesOf(partial) })
  const modules = chain ? chain.map((item: Json, index: Json) => [`c${index}`, item] as const) : (record.modules ?? [])
  for (const [key, item] of modules) made.add(key, noting(key, componentOf(item, recorder), recorder))
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

function noting(key: string, component: QueryComponent, { executed }: Recorder): QueryComponent {
  const run = component.runComponent.bind(component)
  component.runComponent = (inputs, options) => {
    executed.push(key)
    return run(inputs, options)
  }
  return component
}
