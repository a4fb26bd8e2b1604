/** The agent of a script, its records, and the calls on it. */
import {
  AgentRunner,
  ChatMemoryBuffer,
  FunctionCallingAgent,
  MultimodalReActAgentWorker,
  ParallelAgentRunner,
  ReActAgent,
  ReActAgentWorker,
  type RunStepOptions,
  StreamingAgentChatResponse,
  type TaskStep,
  type TaskStepOutput,
  type Tool,
} from '@x/agents'
import { LegacyReActAgent } from '@x/agents/legacy'
import { QueryPipelineAgentWorker } from '@x/agents/pipeline'
import {
  type AgentWorker,
  BaseAgentRunner,
  CustomSimpleAgentWorker,
  type ImageMessageParts,
  ReActChatFormatter,
  reasoningText,
  ToolLoopWorker,
} from '@x/agents/protocol'
import { ChatMessage, type Dict, type ToolOutput } from '@x/core-model'
import type { ScriptedLLM } from '@x/llm/testing'
import { apiKeys, CaseError, isObject, type Json, named } from '../given.ts'
import type { Calls } from '../script.ts'
import { messageRecord, messagesOf, templatesOf, textPrompts } from '../stand-ins/prompts.ts'
import { EventLog, Recorder } from '../stand-ins/runs.ts'
import { toolsOf } from '../stand-ins/tools.ts'
import { answerForm, customWorker, GraphWorker, spaceTokenizer } from './agent-parts.ts'
import { pipelineOf } from './pipelines.ts'

/** Options under their API names, with the objects that they stand for. */
function optionsOf({ system_header: _, memory, chat_history, prefix_messages, ...rest }: Dict): Dict {
  const kept = memory as Json
  return {
    ...apiKeys(rest),
    ...(chat_history !== undefined && { chatHistory: messagesOf(chat_history as Json[]) }),
    ...(prefix_messages !== undefined && { prefixMessages: messagesOf(prefix_messages as Json[]) }),
    ...(kept && {
      memory: ChatMemoryBuffer.fromDefaults({
        tokenLimit: kept.token_limit,
        tokenizerFn: spaceTokenizer,
        chatHistory: messagesOf(kept.chat_history),
      }),
    }),
  }
}

type Agent = BaseAgentRunner | LegacyReActAgent

/** The subject of a script. */
export class Stage {
  readonly agent: Agent
  readonly log: EventLog
  /** The queries that the tool retriever received. */
  readonly queries: string[] = []
  readonly recorder = new Recorder()
  /** The ids of tasks by the names that the script uses. */
  readonly taskIds = new Map<string, string>()

  constructor(input: Json) {
    this.log = new EventLog()
    this.agent = named(builders, input.agent.type)(new Parts(input, this))
  }

  /** The agent as a runner. @throws {CaseError} for the deprecated agent, which runs no single steps */
  get runner(): BaseAgentRunner {
    if (this.agent instanceof BaseAgentRunner) return this.agent
    throw new CaseError('a legacy agent runs no single steps')
  }

  get worker(): AgentWorker {
    return this.runner.agentWorker
  }

  get graphWorker(): GraphWorker {
    const { worker } = this
    if (worker instanceof GraphWorker) return worker
    throw new CaseError('only graph workers log their steps')
  }

  /** The id of a task; a name that no call has defined is itself an id. */
  taskId(name: string): string {
    return this.taskIds.get(name) ?? name
  }
}

/** The parts that the agents of a case share. */
class Parts {
  readonly input: Json
  readonly stage: Stage
  readonly model: ScriptedLLM
  readonly callbackManager
  /** Options of the case under their API names. */
  readonly options: Dict

  constructor(input: Json, stage: Stage) {
    this.input = input
    this.stage = stage
    this.model = stage.recorder.modelOf(input.llm)
    this.callbackManager = stage.log.manager
    this.options = optionsOf(input.agent.options ?? {})
  }

  /** The tools, or a retriever that finds them. */
  tools(): { tools: Tool[]; toolRetriever?: { retrieve(query: string): Tool[] } } {
    const tools = toolsOf(this.input.tools)
    const found = this.input.toolRetriever
    if (found === undefined) return { tools }
    const retrieve = (query: string): Tool[] => {
      this.stage.queries.push(query)
      const names = found.map[query] ?? found.map['*'] ?? []
      return names.flatMap((name: Json) => tools.filter(({ metadata }) => metadata.name === name))
    }
    return { tools: found.also_tools ? tools : [], toolRetriever: { retrieve } }
  }

  formatter(): ReActChatFormatter | null {
    const header = this.input.agent.options?.['system_header']
    return header === null ? null : new ReActChatFormatter({ systemHeader: (header as string) ?? '[{tool_names}]' })
  }

  /** The parts of a ReAct agent or worker, without the options of the case. */
  react() {
    const { model: llm, callbackManager } = this
    return { llm, ...this.tools(), reactChatFormatter: this.formatter(), callbackManager }
  }

  /** The options of the case: those of a ReAct worker, and all others. */
  split(): { forWorker: Dict; forRunner: Dict } {
    const entries = Object.entries(this.options)
    return {
      forWorker: Object.fromEntries(entries.filter(([key]) => workerOptions.includes(key))),
      forRunner: Object.fromEntries(entries.filter(([key]) => !workerOptions.includes(key))),
    }
  }

  graphWorker(): GraphWorker {
    const { worker } = this.input
    if (worker?.kind !== 'graph' || !worker.steps) throw new CaseError('given.worker: expected a graph worker')
    return new GraphWorker({ steps: worker.steps })
  }
}

const workerOptions = ['maxIterations', 'onToolError', 'onUnknownTool', 'onParseError']

/** The user message of the multimodal cases: the prompt, then the images. */
function multimodalMessage({ prompt, role, imageDocuments }: ImageMessageParts): ChatMessage {
  const images = imageDocuments.map(({ image_url, image }) => ({
    type: 'image_url' as const,
    image_url: (image_url as never) || { url: `data:image/jpeg;base64,${image}`, detail: 'low' },
  }))
  return new ChatMessage({ role, content: [{ type: 'text', text: prompt }, ...images] })
}

const builders: Readonly<Record<string, (parts: Parts) => Agent>> = {
  react: (parts) => ReActAgent.fromTools({ ...parts.react(), ...parts.options }),

  react_runner: (parts) => {
    const { forWorker, forRunner } = parts.split()
    const agentWorker = new ReActAgentWorker({ ...parts.react(), ...forWorker })
    const { model: llm, callbackManager } = parts
    return new AgentRunner({ agentWorker, llm, callbackManager, ...forRunner })
  },

  multimodal: (parts) => {
    const { forWorker, forRunner } = parts.split()
    const { llm: multiModalLlm, ...shared } = parts.react()
    const generateChatMessageFn = multimodalMessage
    const agentWorker = new MultimodalReActAgentWorker({
      multiModalLlm,
      ...shared,
      generateChatMessageFn,
      ...forWorker,
    })
    return new AgentRunner({ agentWorker, callbackManager: parts.callbackManager, ...forRunner })
  },

  function_calling: (parts) => {
    const { model: llm, callbackManager } = parts
    return FunctionCallingAgent.fromTools({ llm, ...parts.tools(), callbackManager, ...parts.options })
  },

  legacy_react: (parts) => LegacyReActAgent.fromTools({ ...parts.react(), ...parts.options }),

  custom: (parts) => {
    const { worker } = parts.input
    if (worker === undefined) throw new CaseError('given.worker: expected a custom worker')
    const { model: llm, callbackManager } = parts
    const agentWorker = customWorker(worker.kind, worker.limit ?? 2, { llm, ...parts.tools(), callbackManager })
    return new AgentRunner({ agentWorker, callbackManager, ...parts.options })
  },

  graph: (parts) => {
    const { callbackManager } = parts
    return new AgentRunner({ agentWorker: parts.graphWorker(), callbackManager, ...parts.options })
  },

  parallel: (parts) => {
    const { callbackManager } = parts
    return new ParallelAgentRunner({ agentWorker: parts.graphWorker(), callbackManager, ...parts.options })
  },

  query_pipeline: (parts) => {
    const { pipeline } = parts.input
    if (pipeline === undefined) throw new CaseError('given.pipeline: expected a pipeline')
    const agentWorker = new QueryPipelineAgentWorker({ pipeline: pipelineOf(pipeline, parts.stage.recorder) })
    return new AgentRunner({ agentWorker, callbackManager: parts.callbackManager, ...parts.options })
  },
}

// Calls of a script that talk to the agent.

function chatOptions({ chatHistory: history, toolChoice }: Json) {
  return {
    ...(history && { chatHistory: messagesOf(history) }),
    ...(toolChoice !== undefined && { toolChoice }),
  }
}

/** Enters lines one by one, and collects the output of the agent. */
async function talk({ runner }: Stage, { inputs, streaming }: { inputs: string[]; streaming?: boolean }) {
  let prompts = 0
  let shown = ''
  const io = {
    input: () => inputs[prompts++],
    output: (text: string) => {
      shown += text
    },
  }
  await (streaming ? runner.streamingChatRepl(io) : runner.chatRepl(io))
  const replies = [...shown.matchAll(/Assistant: ([^\n]*)/g)].map(([, reply]) => reply)
  return { n_prompts: prompts, replies }
}

export const conversationCalls: Calls<Stage> = {
  chat: async ({ agent }, given) => answerForm(await agent.chat(given.message, chatOptions(given))),
  stream_chat: async ({ agent }, given) => answerForm(await agent.streamChat(given.message, chatOptions(given))),
  query: async ({ agent }, { query }) => ({ response: (await agent.query(query)).response }),
  repl: talk,
  reset: ({ agent }) => agent.reset(),
  chat_history: ({ agent }) => agent.chatHistory.map(messageRecord),
}

// Calls of a script that run the steps of a task.

function stepOptions({ runner }: Stage, taskId: string, { input, step, toolChoice }: Json): RunStepOptions {
  const chosen =
    isObject(step) && 'upcoming' in step ? runner.getUpcomingSteps(taskId)[step.upcoming] : (step as TaskStep)
  return {
    ...(input !== undefined && { input }),
    ...(step !== undefined && { step: chosen }),
    ...(toolChoice !== undefined && { toolChoice }),
  }
}

/** A runner that runs single steps. */
function stepRunner({ runner }: Stage): AgentRunner | ParallelAgentRunner {
  if (runner instanceof AgentRunner || runner instanceof ParallelAgentRunner) return runner
  throw new CaseError('this runner runs no single steps')
}

/** A step that ran. */
function stepForm({ output, taskStep, nextSteps, isLast }: TaskStepOutput): Dict {
  const text = output instanceof StreamingAgentChatResponse ? { streaming: true } : { output: String(output) }
  return { input: taskStep.input, ...text, is_last: isLast, n_next: nextSteps.length }
}

async function createTask(stage: Stage, { input, as, ...options }: Json): Promise<Dict> {
  const task = await stage.runner.createTask(input, options)
  if (as !== undefined) stage.taskIds.set(as, task.taskId)
  return { input: task.input }
}

export const stepCalls: Calls<Stage> = {
  create_task: createTask,

  run_step: async (stage, given) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).runStep(taskId, stepOptions(stage, taskId, given)))
  },

  stream_step: async (stage, given) => {
    const taskId = stage.taskId(given.task)
    return stepForm(await stepRunner(stage).streamStep(taskId, stepOptions(stage, taskId, given)))
  },

  run_steps_in_queue: async (stage, { task }) => {
    const { runner } = stage
    if (!(runner instanceof ParallelAgentRunner))
      throw new CaseError('only parallel runners run all steps in the queue')
    const outputs = await runner.runStepsInQueue(stage.taskId(task))
    return outputs.map((output) => ({ ...stepForm(output), step_id: output.taskStep.stepId }))
  },

  finalize_response: async (stage, { task, step }) => {
    const taskId = stage.taskId(task)
    const output = step === undefined ? undefined : stage.runner.getCompletedSteps(taskId)[step]
    return answerForm(await stage.runner.finalizeResponse(taskId, output))
  },

  undo_step: (stage, { task }) => stage.runner.undoStep(stage.taskId(task)),
  delete_task: (stage, { task }) => stage.runner.deleteTask(stage.taskId(task)),
}

// Calls of a script that look at tasks, steps, prompts and tools.

function extraState(stage: Stage, task: string): Json {
  return stage.runner.getTask(stage.taskId(task)).extraState
}

/** The id of a step is listed for graph workers, which name their steps. */
function completedForm({ worker }: Stage, output: TaskStepOutput): Dict {
  return { ...stepForm(output), ...(worker instanceof GraphWorker && { step_id: output.taskStep.stepId }) }
}

function getCompletedStep(stage: Stage, { task, index, stepId }: Json): Dict {
  const taskId = stage.taskId(task)
  const id = stepId ?? stage.runner.getCompletedSteps(taskId)[index ?? -1]?.taskStep.stepId
  if (id === undefined) throw new CaseError(`index: there is no completed step ${index}`)
  return completedForm(stage, stage.runner.getCompletedStep(taskId, id))
}

function upcomingSteps(stage: Stage, task: string): Dict[] {
  const named = stage.worker instanceof GraphWorker
  return stage.runner
    .getUpcomingSteps(stage.taskId(task))
    .map(({ input, isReady, stepId }) => ({ input, is_ready: isReady, ...(named && { step_id: stepId }) }))
}

async function toolNames({ worker }: Stage, { input }: { input: string }): Promise<(string | null)[]> {
  if (!(worker instanceof ToolLoopWorker || worker instanceof CustomSimpleAgentWorker))
    throw new CaseError('this worker has no tools')
  return (await worker.getTools(input)).map(({ metadata }) => metadata.name)
}

export const inspectionCalls: Calls<Stage> = {
  list_tasks: ({ runner }) => runner.listTasks().map(({ input }) => input),
  n_tasks: ({ runner }) => runner.state.taskDict.size,
  get_task: (stage, { task }) => ({ input: stage.runner.getTask(stage.taskId(task)).input }),

  get_upcoming_steps: (stage, { task }) => upcomingSteps(stage, task),
  get_completed_steps: (stage, { task }) =>
    stage.runner.getCompletedSteps(stage.taskId(task)).map((output) => completedForm(stage, output)),
  get_completed_step: getCompletedStep,

  new_memory: (stage, { task }) => extraState(stage, task).new_memory.getAll().map(messageRecord),
  sources: (stage, { task }) => extraState(stage, task).sources.map(({ content }: ToolOutput) => content),
  reasoning: (stage, { task }) => extraState(stage, task).current_reasoning.map(reasoningText),
  extra_state: (stage, { task, keys }) => {
    const state = extraState(stage, task)
    return Object.fromEntries(keys.filter((key: Json) => key in state).map((key: Json) => [key, state[key]]))
  },

  get_prompts: ({ runner }) => templatesOf(runner.getPrompts()),
  worker_get_prompts: ({ worker }) => templatesOf(worker.getPrompts()),
  update_prompts: ({ runner }, { prompts }) => runner.updatePrompts(textPrompts(prompts)),

  get_tools: toolNames,

  step_order: ({ graphWorker }) => [...graphWorker.order],
  finalized: ({ graphWorker }) => [...graphWorker.finalized],
}
