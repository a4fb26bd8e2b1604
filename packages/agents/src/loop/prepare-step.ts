/**
 * @module
 * The request of a step: the model, the tools, the tool choice and the messages, as the options and the hooks of the caller decide.
 */
import { ChatMessage, ConfigurationError } from '@x/core-model'
import { type AsyncBaseTool, adaptToAsyncTool, type Tool } from '../tool/base-tool.ts'
import { findTool } from '../tool/run-tool-call.ts'
import type { ToolChoice } from './agent-worker.ts'
import { checkTools } from './loop-options.ts'
import { callsLeft, type Round, stepNumber } from './round.ts'
import type { ModelRequest } from './tool-calling-protocol.ts'

const ASK_FOR_BEST_ANSWER =
  'No more tools can be called. Give the best answer you can from what you have found out so far.'

/** Returns the request of a step, and sets its model and its tools. */
export async function prepareRequest(round: Round): Promise<ModelRequest> {
  const { task, state, context, worker, mustAnswer } = round
  const { prepareStep, prepareMessages, modelOptions } = worker.options
  const answerTool = worker.answerSchema?.tool
  const own = round.tools
  const withAnswerTool = (tools: readonly AsyncBaseTool[]) => (answerTool ? [...tools, answerTool] : tools)
  round.tools = withAnswerTool(own)
  let toolChoice = toolChoiceOf(round)
  let request = await requestOf(round, toolChoice)
  const plan = prepareStep && {
    task,
    stepNumber: stepNumber(round),
    llm: round.llm,
    messages: request.messages,
    tools: own,
    toolChoice,
    sources: state.sources,
    usage: state.usage,
    waited: [],
    context: context.context,
  }
  const prepared = (plan && (await prepareStep(plan))) || {}
  if (prepared.llm) round.llm = prepared.llm
  if (prepared.tools && !mustAnswer) round.tools = withAnswerTool(toolsFrom(prepared.tools, own))
  toolChoice = prepared.toolChoice ?? toolChoice
  if (prepared.tools || prepared.toolChoice) request = await requestOf(round, toolChoice)
  const messages = prepared.messages ? [...prepared.messages] : request.messages
  const sent = prepareMessages ? await prepareMessages(messages, task, context.context) : messages
  return { messages: sent, options: { ...modelOptions, ...request.options, ...prepared.modelOptions } }
}

/** Returns the tools that `prepareStep` chooses for an earlier step, whose calls waited for decisions. */
export async function preparedTools(
  round: Round,
  own: readonly AsyncBaseTool[],
  stepNumber: number,
): Promise<readonly AsyncBaseTool[]> {
  const { task, state, context, worker } = round
  const { messages } = await worker.protocol.request({ task, tools: own, toolChoice: 'auto' })
  const { sources, usage, pending_calls: waited = [] } = state
  const plan = { task, stepNumber, llm: round.llm, messages, tools: own, toolChoice: 'auto', sources, usage, waited }
  const prepared = await worker.options.prepareStep?.({ ...plan, context: context.context })
  return prepared?.tools ? toolsFrom(prepared.tools, own) : own
}

async function requestOf(round: Round, toolChoice: ToolChoice): Promise<ModelRequest> {
  const { task, tools, worker, mustAnswer } = round
  const { protocol, answerSchema } = worker
  const { messages, options } = await protocol.request({ task, tools, toolChoice })
  if (mustAnswer) messages.push(new ChatMessage({ role: 'user', content: ASK_FOR_BEST_ANSWER }))
  return { messages, options: { ...options, ...answerSchema?.callOptions } }
}

/** An agent with an answer tool ends with a call of it, so the model must always call a tool. */
function toolChoiceOf(round: Round): ToolChoice {
  const { context, worker, mustAnswer } = round
  const answerTool = worker.answerSchema?.tool?.metadata.name
  if (answerTool && (mustAnswer || callsLeft(round) <= 0)) return answerTool
  if (callsLeft(round) <= 0) return 'none'
  const given = context.toolChoice ?? 'auto'
  return answerTool && given === 'auto' ? 'required' : given
}

function toolsFrom(given: readonly (Tool | string)[], tools: readonly AsyncBaseTool[]): AsyncBaseTool[] {
  const chosen = given.map((tool) => {
    const found = typeof tool === 'string' ? findTool(tools, tool) : adaptToAsyncTool(tool)
    if (!found) throw new ConfigurationError(`prepareStep: the agent has no tool "${String(tool)}".`)
    return found
  })
  checkTools('prepareStep', chosen)
  return chosen
}
