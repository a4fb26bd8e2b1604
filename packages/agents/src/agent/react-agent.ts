/**
 * @module
 * The ReAct agent, which works with any chat model.
 */
import { checkOptions, list, type OptionTable, text, unchecked } from '@x/core/options'
import { type BaseMemory, type ChatMessage, type ChatMessageOptions, ConfigurationError } from '@x/core-model'
import { getPrompts, type PromptDict, updatePrompts } from '@x/prompts'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import type { ReActState } from '../loop/react/react-protocol.ts'
import { type MemoryClass, memoryOf } from '../memory/chat-memory-buffer.ts'
import { pick } from '../options.ts'
import { AGENT_RUNNER_OPTIONS, AgentRunner, type RunnerOptionsOfAgent } from '../runner/agent-runner.ts'
import type { Tool, ToolNames } from '../tool/base-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import type { ContextOf, OutputOf } from '../tool/typed-tools.ts'
import { REACT_OPTIONS, ReActAgentWorker, type ReActAgentWorkerOptions } from '../worker/react-agent-worker.ts'

/** Options of `ReActAgent`. */
export interface ReActAgentOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends ReActAgentWorkerOptions<Context, Tools, Schema>,
    RunnerOptionsOfAgent<ToolNames<Tools>> {
  /** Stores the conversation. */
  memory: BaseMemory
  /** Background information for the system prompt. Cannot be combined with `reactChatFormatter`. */
  context?: string | null | undefined
}

/** Options of {@link ReActAgent.fromTools}. */
export interface ReActAgentFromToolsOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends Omit<ReActAgentOptions<Context, Tools, Schema>, 'memory'> {
  /** The conversation so far. Cannot be combined with `memory`. */
  chatHistory?: readonly (ChatMessage | ChatMessageOptions)[] | null | undefined
  /** @defaultValue a memory of `memoryCls` for the model */
  memory?: BaseMemory | null | undefined
  /** @defaultValue ChatMemoryBuffer */
  memoryCls?: MemoryClass | undefined
}

const REACT_AGENT_OPTIONS: OptionTable<ReActAgentFromToolsOptions> = {
  ...REACT_OPTIONS,
  ...AGENT_RUNNER_OPTIONS,
  context: text,
  chatHistory: list,
  // Checked by the runner.
  memory: unchecked,
  memoryCls: unchecked,
}

/**
 * An agent for any chat model. The model writes tool calls as text until it writes the answer.
 * @throws {ModelValidationError} if an option is unknown, invalid or missing.
 * @throws {ConfigurationError} if options contradict each other.
 * @example
 * const llm = new ScriptedLLM({
 *   answers: ['Thought: ask\nAction: weather\nAction Input: {"city": "Lima"}', 'Thought: dry\nAnswer: No.'],
 * })
 * const weather = FunctionTool.fromDefaults({
 *   name: 'weather',
 *   description: 'The weather of a city.',
 *   schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
 *   fn: ({ city }) => `${city}: dry`,
 * })
 * const agent = ReActAgent.fromTools({ llm, tools: [weather] })
 * const answer = await agent.chat('Do I need an umbrella in Lima?')
 * answer.response // => 'No.'
 * answer.sources.map(String) // => ['Lima: dry']
 */
export class ReActAgent<Context = unknown, Output = unknown, ToolName extends string = string> extends AgentRunner<
  Context,
  Output,
  ToolName,
  ReActState
> {
  declare readonly agentWorker: ReActAgentWorker

  constructor(options: ReActAgentOptions<Context>) {
    checkOptions('ReActAgent', options, REACT_AGENT_OPTIONS)
    if (options.context && options.reactChatFormatter) {
      throw new ConfigurationError(
        'ReActAgent: pass a context or a formatter, not both; put the context into the formatter.',
      )
    }
    const worker = pick(options, REACT_OPTIONS) as ReActAgentWorkerOptions
    if (options.context) worker.reactChatFormatter = ReActChatFormatter.fromDefaults({ context: options.context })
    super({
      ...pick(options, AGENT_RUNNER_OPTIONS),
      agentWorker: new ReActAgentWorker(worker),
      memory: memoryOf('ReActAgent', options),
      llm: options.llm,
      callbackManager: options.callbackManager,
      verbose: options.verbose,
      newId: options.newId,
    })
  }

  /** Creates an agent with its own memory. The types of the tools and of the output schema determine the types of `chat`. */
  static fromTools<
    const Schema extends ToolSchema | undefined = undefined,
    const Tools extends readonly Tool[] = readonly Tool[],
    Context = unknown,
  >(
    options: ReActAgentFromToolsOptions<Context & ContextOf<Tools>, Tools, Schema>,
  ): ReActAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>> {
    // The constructor makes the memory.
    const all = options as ReActAgentOptions<Context & ContextOf<Tools>, Tools, Schema>
    return new ReActAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>>(all)
  }

  /** Returns the prompts of the worker, under the key `agent_worker:system_prompt`. */
  override getPrompts(): PromptDict {
    return getPrompts({ modules: { agent_worker: this.agentWorker } })
  }

  /** @throws {PromptKeyError} for an unknown key; nothing is replaced then. */
  override updatePrompts(prompts: Readonly<PromptDict>): void {
    updatePrompts({ modules: { agent_worker: this.agentWorker } }, prompts)
  }
}
