/** The cases of `agents.json`. */

import { ChatMemoryBuffer, Task, TaskStep, type Tool } from '@x/agents'
import {
  adaptToAsyncTool,
  isReasoningDone,
  ReActAnswerStream,
  ReActChatFormatter,
  ReActOutputParser,
  type ReasoningStep,
  reasoningText,
  resolveToolChoice,
  runToolCall,
} from '@x/agents/protocol'
import { CallbackManager, type Dict } from '@x/core-model'
import { strip } from '@x/core-model/text'
import { TableEmbedding } from '@x/llm/testing'
import { ObjectIndex, ToolNodeMapping } from '@x/retrieval'
import { type Case, defineArea, type Operations } from '../case.ts'
import { apiKeys, CaseError, isObject, type Json, named } from '../given.ts'
import { errorName, runCalls } from '../script.ts'
import { messageRecord, messagesOf } from '../stand-ins/prompts.ts'
import { EventLog } from '../stand-ins/runs.ts'
import { callTool, toolMetadataOf, toolOf, toolOutputForm, toolsOf } from '../stand-ins/tools.ts'
import { memory, responses } from './agent-parts.ts'
import { conversationCalls, inspectionCalls, Stage, stepCalls } from './agent-script.ts'

async function perform(actions: readonly Json[], manager: CallbackManager): Promise<void> {
  for (const each of actions) await performOne(each, manager)
}

async function performOne(each: Json, manager: CallbackManager): Promise<void> {
  switch (each.do) {
    case 'trace':
      return manager.asTrace(each.id, () => perform(each.body, manager))
    case 'event':
      return manager.event(each.type, each.payload ?? null, async (event) => {
        await perform(each.body, manager)
        if (each.end_payload) event.end(each.end_payload)
      })
    case 'throw':
      throw new Error(each.message)
    case 'catch':
      return perform(each.body, manager).catch(() => {})
    default:
      throw new CaseError(`given.script: there is no action ${JSON.stringify(each)}`)
  }
}

const callbacks: Operations = {
  'CallbackManager.script': async ({ script, ignoreStarts, ignoreEnds }) => {
    const log = new EventLog(ignoreStarts, ignoreEnds)
    await perform(script, log.manager)
    return log.events()
  },
}

// Reading and writing of ReAct text.

function reasoningOf(record: Dict): ReasoningStep {
  const step = apiKeys<ReasoningStep>(record)
  if (step.kind === 'response') return Object.assign({ isStreaming: false, implicit: false }, step)
  if (step.kind === 'action' || step.kind === 'observation') return step
  throw new CaseError(`there is no reasoning step of the kind ${JSON.stringify(record['kind'])}`)
}

/** The thought of an answer without markers is null in the cases, even if the library stores one. */
function reasoningForm(step: ReasoningStep): Dict {
  if (step.kind === 'action')
    return { kind: 'action', thought: step.thought, action: step.action, action_input: step.actionInput }
  if (step.kind !== 'response') throw new Error(`the parser returned a record of the kind ${step.kind}`)
  const { implicit, thought, response, isStreaming } = step
  return { kind: 'response', implicit, thought: implicit ? null : thought, response, is_streaming: isStreaming }
}

function detectAnswer(chunks: readonly string[]): Dict {
  const stream = new ReActAnswerStream()
  let text = ''
  let first: number | null = null
  for (const [index, chunk] of chunks.entries()) {
    const piece = stream.push(chunk)
    if (piece !== '') first ??= index
    text += piece
  }
  text += stream.flush()
  if (stream.emitted) return { is_final: true, text: strip(text), first_emit_at: first, streamed: true }
  const whole = stream.end()
  if (whole.kind === 'action') return { is_final: false, action: whole.action, action_input: whole.actionInput }
  return { is_final: true, text: strip(whole.response), first_emit_at: null, streamed: false }
}

function headerName(header: string): string {
  if (header === new ReActChatFormatter().systemHeader) return 'default'
  const withContext = ReActChatFormatter.fromDefaults({ context: 'x' }).systemHeader
  return header === withContext ? 'default_with_context' : header
}

const react: Operations = {
  'ReActOutputParser.parse': ({ output, isStreaming }) =>
    reasoningForm(new ReActOutputParser().parse(output, { isStreaming })),

  'ReActAnswerStream.detect': ({ chunks }) => detectAnswer(chunks),

  'ReActChatFormatter.format': ({ tools, chatHistory, currentReasoning = [], systemHeader, context }) =>
    new ReActChatFormatter({ systemHeader, context })
      .format(toolsOf(tools), messagesOf(chatHistory), currentReasoning.map(reasoningOf))
      .map(messageRecord),

  'ReActChatFormatter.from_defaults': ({ systemHeader, context, fromContext }) => {
    const formatter = fromContext
      ? ReActChatFormatter.fromContext(context ?? '')
      : ReActChatFormatter.fromDefaults({ systemHeader, context })
    return { header: headerName(formatter.systemHeader), context: formatter.context }
  },

  'ReasoningStep.get_content': ({ step }) => reasoningText(reasoningOf(step)),
  'ReasoningStep.is_done': ({ step }) => isReasoningDone(reasoningOf(step)),
}

// Tools that are found by their description.

/** Looks vectors of tools up by name. */
function tableEmbedding({ embed }: Json, tools: readonly Tool[], mapping: ToolNodeMapping<Tool>) {
  const texts = tools.map((each) => [mapping.toNode(each).getContent('embed'), embed.tools[each.metadata.getName()]])
  return new TableEmbedding({ texts: Object.fromEntries(texts), queries: embed.queries })
}

const retrieval: Operations = {
  'ToolNodeMapping.to_node': ({ tool }) => {
    const node = new ToolNodeMapping().toNode(toolOf(tool))
    const [head = ''] = node.text.split('Tool schema: ')
    return {
      text_head: head,
      has_schema: node.text !== head,
      metadata: node.metadata,
      excluded_embed_metadata_keys: node.excludedEmbedMetadataKeys,
      excluded_llm_metadata_keys: node.excludedLlmMetadataKeys,
    }
  },

  'ObjectIndex.retrieve': async (given) => {
    const mapping = new ToolNodeMapping<Tool>()
    const tools = toolsOf(given.tools)
    const inserted = toolsOf(given.insert)
    const embedModel = tableEmbedding(given, [...tools, ...inserted], mapping)
    const index = await ObjectIndex.fromObjects(tools, mapping, { embedModel })
    for (const each of inserted) await index.insertObject(each)
    const { similarityTopK } = given
    const retriever = index.asRetriever({ ...(similarityTopK !== undefined && { similarityTopK }) })
    const found: string[][] = []
    for (const query of given.queries)
      found.push((await retriever.retrieve(query)).map(({ metadata }) => metadata.getName()))
    return found
  },
}

// Single steps and their links.

const stepOf = (record: Json) => new TaskStep(apiKeys<ConstructorParameters<typeof TaskStep>[0]>(record))

/** The wire form; a class name is compared only when the case lists it. */
function linkForm(made: TaskStep, expected: unknown): Dict {
  const { class_name, ...form }: Dict = { ...made.toDict() }
  return isObject(expected) && 'class_name' in expected ? { ...form, class_name } : form
}

const steps: Operations = {
  'TaskStep.next': ({ step, next, mutate }, { expect: { value } }) => {
    const expected = isObject(value) ? value : {}
    const made = stepOf(step)
    if (!next) return { json: linkForm(made, expected['json']) }
    const following = made.getNextStep(next.step_id, {
      ...('input' in next && { input: next.input ?? null }),
      ...(next.step_state && { stepState: next.step_state }),
    })
    const forms = { json: linkForm(made, expected['json']), next: linkForm(following, expected['next']) }
    if (!mutate) return forms
    Object.assign(following.stepState, mutate)
    return { ...forms, state_after_mutating_next: made.stepState }
  },

  'TaskStep.link': ({ steps, links }, { expect: { value } }) => {
    const made = new Map<string, TaskStep>(steps.map((record: Json) => [record.step_id, stepOf(record)]))
    const named = (id: string) => {
      const found = made.get(id)
      if (found === undefined) throw new CaseError(`given.links: there is no step ${id}`)
      return found
    }
    for (const [from, to] of links) named(from).linkStep(named(to))
    const expected = isObject(value) ? value : {}
    return Object.fromEntries(Array.from(made, ([id, each]) => [id, linkForm(each, expected[id])]))
  },
}

// Tools and calls of tools.

/** The value, or the name of the error. */
function attempt(read: () => unknown): Dict {
  try {
    return { value: read() }
  } catch (error) {
    return { throws: true, error: errorName(error) }
  }
}

const tools: Operations = {
  'ToolMetadata.inspect': ({ tool }) => {
    const metadata = toolMetadataOf(tool)
    return {
      parameters: attempt(() => metadata.getParametersDict()),
      fn_schema_str: attempt(() => metadata.fnSchemaStr),
      openai_tool: attempt(() => metadata.toOpenaiTool()),
      name: attempt(() => metadata.getName()),
    }
  },

  'Tool.call': async ({ tool, kwargs, args = [], adapt = false }) =>
    toolOutputForm(await callTool(toolOf(tool), kwargs ?? args[0], adapt)),

  'FunctionCalling.call_tool': async (given) => {
    const known = toolsOf(given.tools).map((tool) => adaptToAsyncTool(tool))
    const output = await runToolCall({ id: 'call', name: given.name, arguments: given.arguments }, known, {
      callbackManager: new CallbackManager(),
      onToolError: 'observe',
      onUnknownTool: 'observe',
      task: new Task({ input: '', memory: ChatMemoryBuffer.fromDefaults() }),
    })
    return toolOutputForm(output)
  },

  'FunctionCalling.resolve_tool_choice': ({ toolChoice }) => resolveToolChoice(toolChoice),
}

// Scripts of calls on an agent.

const agentCalls = { ...conversationCalls, ...stepCalls, ...inspectionCalls }

/** What a case may record beside the results. */
const recorded: Readonly<Record<string, (stage: Stage) => unknown>> = {
  llm_calls: ({ recorder }) => recorder.calls,
  n_llm_calls: ({ recorder }) => recorder.calls.length,
  history: ({ agent }) => agent.chatHistory.map(messageRecord),
  events: ({ log }) => log.events(),
  retriever_queries: ({ queries }) => queries,
  executed: ({ recorder }) => recorder.executed,
}

/** A script on any agent. */
export async function agentScript({ calls, record = [], ...input }: Json, { expect }: Case): Promise<Dict> {
  const stage = new Stage(input)
  const results = await runCalls(agentCalls, calls, stage, expect.value)
  return { results, ...Object.fromEntries(record.map((name: Json) => [name, named(recorded, name)(stage)])) }
}

const agentScripts: Operations = {
  'AgentRunner.script': agentScript,
  'ParallelAgentRunner.script': ({ options, ...given }, of) =>
    agentScript({ ...given, agent: { type: 'parallel', options } }, of),
}

// The cases of `agents.json`.

export const area = defineArea([react, tools, retrieval, responses, steps, memory, callbacks, agentScripts], {
  matchers: true,
})
