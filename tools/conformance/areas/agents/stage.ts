/** An agent with the records that a script reads. */
import {
  AgentRunner,
  ChatMemoryBuffer,
  FunctionCallingAgent,
  MultimodalReActAgentWorker,
  ParallelAgentRunner,
  ReActAgent,
  ReActAgentWorker,
  type Tool,
} from '@x/agents'
import { LegacyReActAgent } from '@x/agents/legacy'
import { QueryPipelineAgentWorker } from '@x/agents/pipeline'
import { type AgentWorker, BaseAgentRunner, type ImageMessageParts, ReActChatFormatter } from '@x/agents/protocol'
import { ChatMessage, type Dict } from '@x/core-model'
import type { ScriptedLLM } from '@x/llm/testing'
import { apiKeys, CaseError, named } from '../../given.ts'
import type { CaseModelRecord } from '../../stand-ins/case-model.ts'
import { EventLog } from '../../stand-ins/event-log.ts'
import { type MessageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type ToolRecord, toolsOf } from '../../stand-ins/tools.ts'
import { type PipelineRecord, pipelineOf } from '../query-pipeline/pipeline.ts'
import { Recorder } from '../query-pipeline/recorder.ts'
import { customWorker } from './custom-workers.ts'
import { type GraphRecord, GraphWorker } from './graph-worker.ts'
import { spaceTokenizer } from './memory.ts'

/** The parts of an agent. */
export interface AgentInput {
  agent: { type: string; options?: Dict | undefined }
  llm?: CaseModelRecord
  tools?: ToolRecord[]
  toolRetriever?: { map: Record<string, string[]>; also_tools?: boolean }
  worker?: { kind: string; limit?: number } & Partial<GraphRecord>
  pipeline?: PipelineRecord
}

interface MemoryRecord {
  token_limit: number
  chat_history?: MessageRecord[]
}

/** Options under their API names, with the objects that they stand for. */
function optionsOf({ system_header: _, memory, chat_history, prefix_messages, ...rest }: Dict): Dict {
  const kept = memory as MemoryRecord | undefined
  return {
    ...apiKeys(rest),
    ...(chat_history !== undefined && { chatHistory: messagesOf(chat_history as MessageRecord[]) }),
    ...(prefix_messages !== undefined && { prefixMessages: messagesOf(prefix_messages as MessageRecord[]) }),
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

  constructor(input: AgentInput) {
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
  readonly input: AgentInput
  readonly stage: Stage
  readonly model: ScriptedLLM
  readonly callbackManager
  /** Options of the case under their API names. */
  readonly options: Dict

  constructor(input: AgentInput, stage: Stage) {
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
      return names.flatMap((name) => tools.filter(({ metadata }) => metadata.name === name))
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
