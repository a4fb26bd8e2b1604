/**
 * @module
 * Parses a ReAct prompt: the tools, the question, and the tool calls with their observations.
 */
import { ReActOutputParser } from '@x/agents'
import { type ChatMessage, messageText } from '@x/core-model'

/** A tool as the system message describes it. */
export interface OfferedTool {
  name: string
  /** The names of its arguments. */
  arguments: string[]
}

/** A tool call of the current task, and its observation. */
export interface Round {
  tool: string
  input: Record<string, unknown>
  observation: string
}

/** The content of a ReAct prompt. */
export interface Transcript {
  tools: OfferedTool[]
  question: string
  rounds: Round[]
}

const OBSERVATION = 'Observation: '

/** Parses the messages of a ReAct prompt. The question is the last user message that is not an observation. */
export function readTranscript(messages: readonly ChatMessage[]): Transcript {
  const system = messages.filter(({ role }) => role === 'system').map(messageText)
  const asked = messages.findLastIndex((message) => message.role === 'user' && !isObservation(message))
  const rounds: Round[] = []
  for (const message of messages.slice(asked + 1)) {
    const text = messageText(message)
    const last = rounds.at(-1)
    if (message.role === 'assistant') rounds.push(...readCall(text))
    else if (last && isObservation(message)) last.observation = text.slice(OBSERVATION.length)
  }
  return {
    tools: system.flatMap(readTools),
    question: asked < 0 ? '' : messageText(messages[asked]!),
    rounds,
  }
}

function isObservation(message: ChatMessage): boolean {
  return messageText(message).startsWith(OBSERVATION)
}

/** Parses the tools: each has a line with its name and, after the description, a line with the JSON Schema of its arguments. */
function readTools(system: string): OfferedTool[] {
  const tools: OfferedTool[] = []
  for (const line of system.split('\n')) {
    const [, label, rest = ''] = /^(?:> )?(Tool Name|Tool Args): (.+)$/.exec(line) ?? []
    if (label === 'Tool Name') tools.push({ name: rest, arguments: [] })
    else if (label === 'Tool Args') tools.at(-1)?.arguments.push(...Object.keys(JSON.parse(rest).properties ?? {}))
  }
  return tools
}

function readCall(text: string): Round[] {
  try {
    const step = new ReActOutputParser().parse(text)
    return step.kind === 'action' ? [{ tool: step.action, input: step.actionInput, observation: '' }] : []
  } catch {
    return []
  }
}
