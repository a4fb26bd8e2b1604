/**
 * @module
 * The ReAct agent, which works with any chat model.
 */
import { checkOptions, type OptionTable, required, text } from '@x/core/options'
import { type BaseMemory, ConfigurationError } from '@x/core-model'
import { memoryOf } from '@x/core-model/memory'
import { getPrompts, type PromptDict, updatePrompts } from '@x/prompts'
import { ReActChatFormatter } from '../loop/react/react-chat-formatter.ts'
import type { ReActState } from '../loop/react/react-protocol.ts'
import { pick } from '../options.ts'
import { AGENT_RUNNER_OPTIONS, AgentRunner, type RunnerOptionsOfAgent } from '../runner/agent-runner.ts'
import { OWN_MEMORY_OPTIONS, type OwnMemoryOptions } from '../runner/runner-options.ts'
import type { Tool, ToolNames, TypedTool } from '../tool/base-tool.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'
import type { ContextOf, DistinctTools, OutputOf } from '../tool/typed-tools.ts'
import { REACT_OPTIONS, ReActAgentWorker, type ReActAgentWorkerOptions } from '../worker/react-agent-worker.ts'

/** Options of `ReActAgent`. */
export interface ReActAgentOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends ReActAgentWorkerOptions<Context, Tools, Schema>,
    RunnerOptionsOfAgent<ToolNames<Tools>> {
  /** Stores the conversation. `ReActAgent.fromTools` makes one. */
  memory: BaseMemory
  /** Instructions for the model, before the context. Cannot be combined with `reactChatFormatter`. */
  systemPrompt?: string | null | undefined
  /** Background information for the system prompt. Cannot be combined with `reactChatFormatter`. */
  context?: string | null | undefined
}

/** Options of {@link ReActAgent.fromTools}. */
export interface ReActAgentFromToolsOptions<
  Context = unknown,
  Tools extends readonly Tool[] = readonly Tool[],
  Schema extends ToolSchema | undefined = ToolSchema | undefined,
> extends Omit<ReActAgentOptions<Context, Tools, Schema>, 'memory'>,
    OwnMemoryOptions {}

const REACT_AGENT_OPTIONS: OptionTable<ReActAgentOptions> = {
  ...AGENT_RUNNER_OPTIONS,
  ...REACT_OPTIONS,
  systemPrompt: text,
  context: text,
  memory: required('a memory, which ReActAgent.fromTools makes', 'get', 'put'),
}
const FROM_TOOLS_OPTIONS: OptionTable<ReActAgentFromToolsOptions> = {
  ...REACT_AGENT_OPTIONS,
  ...OWN_MEMORY_OPTIONS,
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
export class ReActAgent<
  Context = unknown,
  Output = unknown,
  ToolName extends string = string,
  Tools extends readonly TypedTool[] = readonly TypedTool[],
> extends AgentRunner<Context, Output, ToolName, ReActState, Tools> {
  declare readonly agentWorker: ReActAgentWorker

  constructor(options: ReActAgentOptions<Context>) {
    checkOptions('ReActAgent', options, REACT_AGENT_OPTIONS)
    const context = [options.systemPrompt, options.context].filter(Boolean).join('\n\n')
    if (context && options.reactChatFormatter) {
      throw new ConfigurationError(
        'ReActAgent: pass systemPrompt or context, or a formatter, not both; put the context into the formatter.',
      )
    }
    const worker = pick(options, REACT_OPTIONS) as ReActAgentWorkerOptions
    if (context) worker.reactChatFormatter = ReActChatFormatter.fromDefaults({ context })
    super({
      ...pick(options, AGENT_RUNNER_OPTIONS),
      agentWorker: new ReActAgentWorker(worker),
    })
  }

  /** Creates an agent with its own memory. The types of the tools and of the output schema determine the types of `chat`. */
  static fromTools<
    const Schema extends ToolSchema | undefined = undefined,
    const Tools extends readonly Tool[] = readonly Tool[],
    Context = unknown,
  >(
    options: ReActAgentFromToolsOptions<Context & ContextOf<Tools>, Tools, Schema> & DistinctTools<Tools>,
  ): ReActAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>, Tools> {
    checkOptions('ReActAgent', options, FROM_TOOLS_OPTIONS)
    const { chatHistory, memoryCls, ...all } = options
    const memory = memoryOf('ReActAgent', options)
    return new ReActAgent<NoInfer<Context> & ContextOf<Tools>, OutputOf<Schema>, ToolNames<Tools>, Tools>({
      ...all,
      memory,
    })
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
