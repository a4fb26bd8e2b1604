// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core-model'

/** The fields of {@link ReActChatFormatter}. */
export interface ReActChatFormatterFields {
  /** Template of the system message, with the variables tool_desc and tool_names, and context if there is a context. @defaultValue a string of 1213 characters, 'You answer questions and carry…' */
  systemHeader: string
  /** Background information for the model; may be empty. @defaultValue '' */
  context: string
  /** The role of the messages with tool outputs. @defaultValue 'user' */
  observationRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot'
  /** Whether to join adjacent messages of the same role, for models that require alternating roles. @defaultValue false */
  mergeSameRole: boolean
}

/** Constructor options of {@link ReActChatFormatter}. */
export interface ReActChatFormatterOptions {
  /** Template of the system message, with the variables tool_desc and tool_names, and context if there is a context. @defaultValue a string of 1213 characters, 'You answer questions and carry…' */
  systemHeader?: string | undefined
  /** Background information for the model; may be empty. @defaultValue '' */
  context?: string | undefined
  /** The role of the messages with tool outputs. @defaultValue 'user' */
  observationRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined
  /** Whether to join adjacent messages of the same role, for models that require alternating roles. @defaultValue false */
  mergeSameRole?: boolean | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: ReActChatFormatterOptions)
}
interface Declared extends ReActChatFormatterFields {}

/** The typed base class of {@link ReActChatFormatter}. */
export const ReActChatFormatterModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'ReActChatFormatter',
  description: 'Creates the messages for a ReAct model.',
  className: 'ReActChatFormatter',
  fields: {
    systemHeader: { schema: { type: 'string', description: 'Template of the system message, with the variables tool_desc and tool_names, and context if there is a context.' }, default: `You answer questions and carry out tasks with the help of tools.

## Tools
You may use these tools, as often as needed and in any order. Large questions become easier in several rounds.

{tool_desc}

## How to work
You reach the answer in rounds. In every round write exactly one of these two forms, in the language of the question, starting with "Thought:" and with nothing before it.

To use a tool:

Thought: what you know so far, and why this tool helps now
Action: the name of the tool, one of: {tool_names}
Action Input: the arguments of the tool as one JSON object, such as {{"city": "Lima", "days": 2}}

Then stop. The user replies with what the tool gave back:

Observation: the output of the tool

Never write an observation yourself. Write the arguments as valid JSON: double quotes around names and texts, never single quotes, and {{}} when there are no arguments.

To end, when you know enough, or when none of the tools can help:

Thought: why no further tool is needed, or why the tools cannot give the answer
Answer: the answer to the user, or what you could not find out and why

## The conversation so far
Below are the user's messages, your earlier answers, and the rounds of the current task.
` },
    context: { schema: { type: 'string', description: 'Background information for the model; may be empty.' }, default: '' },
    observationRole: { schema: { type: 'string', enum: ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'], description: 'The role of the messages with tool outputs.' }, default: 'user', extension: true },
    mergeSameRole: { schema: { type: 'boolean', description: 'Whether to join adjacent messages of the same role, for models that require alternating roles.' }, default: false, extension: true },
  },
})
