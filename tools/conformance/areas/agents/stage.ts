/** An agent with the records that a script reads. */
import {
  AgentRunner,
  type AgentWorker,
  BaseAgentRunner,
  FunctionCallingAgent,
  type ImageMessageParts,
  LegacyReActAgent,
  MultimodalReActAgentWorker,
  ParallelAgentRunner,
  QueryPipelineAgentWorker,
  ReActAgent,
  ReActAgentWorker,
  ReActChatFormatter,
  type Tool,
} from '@x/agents'
import { ChatMessage, type Dict } from '@x/core-model'
import { CaseError } from '../../reader.ts'
import { CaseModel } from '../../stand-ins/case-model.ts'
import { EventLog } from '../../stand-ins/event-log.ts'
import { toolsOf } from '../../stand-ins/tools.ts'
import { pipelineOf } from '../query-pipeline/pipeline.ts'
import { Recorder } from '../query-pipeline/recorder.ts'
import type { AgentInput, AgentType } from './agent-input.ts'
import { customWorker } from './custom-workers.ts'
import { GraphWorker } from './graph-worker.ts'

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

  constructor(input: AgentInput) {
    this.log = new EventLog()
    this.agent = builders[input.agent.type](new Parts(input, this))
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
  readonly input: AgentInput
  readonly stage: Stage
  readonly model: CaseModel
  readonly callbackManager
  /** Options of the case under their API names. */
  readonly options: Dict

  constructor(input: AgentInput, stage: Stage) {
    this.input = input
    this.stage = stage
    this.model = new CaseModel(input.llm ?? {})
    stage.recorder.models.push(this.model)
    this.callbackManager = stage.log.manager
    this.options = input.agent.options?.rest ?? {}
  }

  /** The tools, or a retriever that finds them. */
  tools(): { tools: Tool[]; toolRetriever?: { retrieve(query: string): Tool[] } } {
    const tools = toolsOf(this.input.tools)
    const found = this.input.tool_retriever
    if (found === undefined) return { tools }
    const retrieve = (query: string): Tool[] => {
      this.stage.queries.push(query)
      const names = found.map[query] ?? found.map['*'] ?? []
      return names.flatMap((name) => tools.filter(({ metadata }) => metadata.name === name))
    }
    return { tools: found.also_tools ? tools : [], toolRetriever: { retrieve } }
  }

  formatter(): ReActChatFormatter | null {
    const header = this.input.agent.options?.header
    return header === null ? null : new ReActChatFormatter({ systemHeader: header ?? '[{tool_names}]' })
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
    if (worker?.kind !== 'graph') throw new CaseError('given.worker: expected a graph worker')
    return new GraphWorker(worker)
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

const builders: Readonly<Record<AgentType, (parts: Parts) => Agent>> = {
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
    if (worker === undefined || worker.kind === 'graph') throw new CaseError('given.worker: expected a custom worker')
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
