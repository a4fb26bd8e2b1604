/**
 * @module
 * Agents as tools of other agents.
 */
import { required, unchecked } from '@x/core/options'
import { type BaseMemory, ToolOutput } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { type AgentInput, inputText, messageOf } from '../task/task.ts'
import { AGENT_DESCRIPTION, AgentCalls, type AgentToolConversation, type ToolAgent } from './agent-calls.ts'
import type { ToolCallContext } from './base-tool.ts'
import { isMadeOfUntrusted } from './outside-text.ts'
import { QuestionTool, type QuestionToolOptions } from './question-tool.ts'
import { toolCheck } from './tool-check.ts'

/** Options of {@link AgentTool}. `toQuestion` may return content parts or a message, for example with an image from a URL argument. */
export interface AgentToolOptions<Context = unknown, Name extends string = string>
  extends QuestionToolOptions<Name, AgentInput> {
  /** The agent. A run of the calling agent must pass the `context` that the tools of this agent need. */
  agent: ToolAgent<Context>
  /**
   * The conversation of the inner agent. `fresh`: nothing. `lasting`: earlier calls in the same outer conversation; with a chat store, the
   * inner one is there too, under `<id of the outer conversation>/<name of the tool>`. Otherwise it is in this process. Function:
   * returns the memory to use, for example one in a database.
   * @defaultValue 'fresh'
   */
  conversation?: AgentToolConversation<Context> | undefined
}

const AGENT_OPTIONS = { agent: required('an agent', 'createTask'), conversation: unchecked }

/**
 * An agent as a tool of another agent.
 *
 * Tool calls of the agent that need approval are pending calls of the calling task, with the ids `<call>/<call of the agent>`: approve or
 * reject them there, and continue that task, which reports their results. The events of the agent are the progress of the tool, its usage
 * is part of the usage of the calling task, and its source nodes are source nodes of the answer. If the calling agent has a task store, the
 * agent is saved there too: in the journal of the calling task, so that both continue where they stopped, after a crash or in another
 * process. Without a store, a calling task that is saved while the agent waits contains the agent's saved task.
 * @example
 * const expert = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: 4 July 1776'] }) })
 * const ask = new AgentTool({ agent: expert, name: 'historian', description: 'Knows dates.' })
 * String(await ask.call({ input: 'When was it?' })) // => '4 July 1776'
 */
export class AgentTool<Context = unknown, Name extends string = string> extends QuestionTool<
  Context,
  Name,
  AgentInput
> {
  readonly agent: ToolAgent<Context>
  readonly canWait = true
  readonly isDurable = true
  /** Checks edited arguments of calls of the agent, whose tools the calling task does not have. @internal */
  readonly '~checkInner' = toolCheck
  private readonly calls: AgentCalls<Context>

  constructor(options: AgentToolOptions<Context, Name>, name = 'agent') {
    super(options, { name, description: AGENT_DESCRIPTION }, 'AgentTool', AGENT_OPTIONS)
    this.agent = options.agent
    this.calls = new AgentCalls(options.agent, this.metadata.name!, options.conversation)
  }

  /**
   * Runs the agent for a question, which is a string or an object with the argument `input`.
   * @throws {ApprovalRequiredError} if the agent waits for decisions. Call again with `context.decisions`.
   * @throws {TaskNotFoundError} if there are decisions for a task that the agent does not have. It ends the run of the calling agent.
   * @throws {ToolExecutionError} if the agent fails.
   */
  async call(
    input: Record<string, unknown> | string | number,
    context: Partial<ToolCallContext<Context>> = {},
  ): Promise<ToolOutput> {
    const question = await this.questionFor(input, context)
    const answer = await this.calls.answer(question, context, await this.memoryOf(context))
    return new ToolOutput({
      content: answer.response,
      toolName: this.metadata.name!,
      rawInput: { input: inputText(messageOf(question)) },
      rawOutput: answer,
      untrusted: isMadeOfUntrusted(answer),
    })
  }

  /** Returns the input of the agent's task for a call. */
  protected questionFor(
    input: Record<string, unknown> | string | number,
    _context: Partial<ToolCallContext<Context>>,
  ): Promise<AgentInput> {
    return this.question(input)
  }

  /** Returns the conversation for a call. */
  protected memoryOf(context: Partial<ToolCallContext<Context>>): Promise<BaseMemory> {
    return this.calls.memoryOf(context, () => ChatMemoryBuffer.fromDefaults())
  }
}
