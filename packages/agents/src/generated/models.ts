// Generated from the schemas by tools/codegen. Do not edit.
import type { Tool } from '../tool/base-tool.ts'
import type { ObjectRetriever } from '../tool/object-retriever.ts'
import type { BaseLLM, BaseMemory, CallbackManager, ModelSpec } from '@x/core-model'
import type { QueryPipeline } from '@x/query-pipeline'

/** The fields of {@link CustomSimpleAgentWorker}. */
export interface CustomSimpleAgentWorkerFields {
  /** The tools; not together with a tool retriever. */
  tools: readonly Tool[]
  /** The model. */
  llm: BaseLLM
  /** Told about events. */
  callbackManager: CallbackManager | null
  /** Finds tools for the input of a task. */
  toolRetriever: ObjectRetriever<Tool> | null
  /** Whether reasoning steps are shown. */
  verbose: boolean
}

/** What {@link CustomSimpleAgentWorker} is built from. */
export interface CustomSimpleAgentWorkerOptions {
  /** The tools; not together with a tool retriever. */
  tools: readonly Tool[]
  /** The model. */
  llm: BaseLLM
  /** Told about events. */
  callbackManager?: CallbackManager | null | undefined
  /** Finds tools for the input of a task. */
  toolRetriever?: ObjectRetriever<Tool> | null | undefined
  /** Whether reasoning steps are shown. @defaultValue false */
  verbose?: boolean | undefined
}

/** @internal */
export const customSimpleAgentWorkerSpec: ModelSpec = {"name":"CustomSimpleAgentWorker","description":"A worker whose steps are user code.","className":"CustomSimpleAgentWorker","fields":{"tools":{"schema":{},"required":true,"runtime":true},"llm":{"schema":{"x-nested":true},"required":true,"holds":["chat","complete"]},"callbackManager":{"wire":"callback_manager","schema":{},"runtime":true,"holds":["startEvent","event"]},"toolRetriever":{"wire":"tool_retriever","schema":{},"runtime":true,"holds":["retrieve"]},"verbose":{"schema":{"type":"boolean"},"default":false}}}

/** The fields of {@link QueryPipelineAgentWorker}. */
export interface QueryPipelineAgentWorkerFields {
  /** Its first component takes the task, its last one gives the answer. */
  pipeline: QueryPipeline
  /** Told about events. */
  callbackManager: CallbackManager | null
}

/** What {@link QueryPipelineAgentWorker} is built from. */
export interface QueryPipelineAgentWorkerOptions {
  /** Its first component takes the task, its last one gives the answer. */
  pipeline: QueryPipeline
  /** Told about events. */
  callbackManager?: CallbackManager | null | undefined
}

/** @internal */
export const queryPipelineAgentWorkerSpec: ModelSpec = {"name":"QueryPipelineAgentWorker","description":"A worker whose steps are runs of a query pipeline.","className":"QueryPipelineAgentWorker","fields":{"pipeline":{"schema":{},"required":true,"runtime":true,"holds":["run","getRootKeys"]},"callbackManager":{"wire":"callback_manager","schema":{},"runtime":true,"holds":["startEvent","event"]}}}

/** The fields of {@link ReActChatFormatter}. */
export interface ReActChatFormatterFields {
  /** Template of the system message; variables tool_desc and tool_names, and context when there is one. */
  systemHeader: string
  /** What the model should know; empty for nothing. */
  context: string
  /** Who says what the tools gave. */
  observationRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot'
  /** Put neighbouring messages of one role together, for models that insist on alternating roles. */
  mergeSameRole: boolean
}

/** What {@link ReActChatFormatter} is built from. */
export interface ReActChatFormatterOptions {
  /** Template of the system message; variables tool_desc and tool_names, and context when there is one. @defaultValue "You answer questions and carry out tasks with the help of tools.\n\n## Tools\nYou may use these tools, as often as needed and in any order. Large questions become easier in several rounds.\n\n{tool_desc}\n\n## How to work\nYou reach the answer in rounds. In every round write exactly one of these two forms, in the language of the question, starting with \"Thought:\" and with nothing before it.\n\nTo use a tool:\n\nThought: what you know so far, and why this tool helps now\nAction: the name of the tool, one of: {tool_names}\nAction Input: the arguments of the tool as one JSON object, such as {{\"city\": \"Lima\", \"days\": 2}}\n\nThen stop. The user replies with what the tool gave back:\n\nObservation: the output of the tool\n\nNever write an observation yourself. Write the arguments as valid JSON: double quotes around names and texts, never single quotes, and {{}} when there are no arguments.\n\nTo end, when you know enough, or when none of the tools can help:\n\nThought: why no further tool is needed, or why the tools cannot give the answer\nAnswer: the answer to the user, or what you could not find out and why\n\n## The conversation so far\nBelow are the user's messages, your earlier answers, and the rounds of the current task.\n" */
  systemHeader?: string | undefined
  /** What the model should know; empty for nothing. @defaultValue "" */
  context?: string | undefined
  /** Who says what the tools gave. @defaultValue "user" */
  observationRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined
  /** Put neighbouring messages of one role together, for models that insist on alternating roles. @defaultValue false */
  mergeSameRole?: boolean | undefined
}

/** @internal */
export const reActChatFormatterSpec: ModelSpec = {"name":"ReActChatFormatter","description":"Writes what a ReAct model sees.","className":"ReActChatFormatter","fields":{"systemHeader":{"wire":"system_header","schema":{"type":"string"},"default":"You answer questions and carry out tasks with the help of tools.\n\n## Tools\nYou may use these tools, as often as needed and in any order. Large questions become easier in several rounds.\n\n{tool_desc}\n\n## How to work\nYou reach the answer in rounds. In every round write exactly one of these two forms, in the language of the question, starting with \"Thought:\" and with nothing before it.\n\nTo use a tool:\n\nThought: what you know so far, and why this tool helps now\nAction: the name of the tool, one of: {tool_names}\nAction Input: the arguments of the tool as one JSON object, such as {{\"city\": \"Lima\", \"days\": 2}}\n\nThen stop. The user replies with what the tool gave back:\n\nObservation: the output of the tool\n\nNever write an observation yourself. Write the arguments as valid JSON: double quotes around names and texts, never single quotes, and {{}} when there are no arguments.\n\nTo end, when you know enough, or when none of the tools can help:\n\nThought: why no further tool is needed, or why the tools cannot give the answer\nAnswer: the answer to the user, or what you could not find out and why\n\n## The conversation so far\nBelow are the user's messages, your earlier answers, and the rounds of the current task.\n"},"context":{"schema":{"type":"string"},"default":""},"observationRole":{"wire":"observation_role","schema":{"type":"string","enum":["system","user","assistant","function","tool","chatbot"]},"default":"user","extension":true},"mergeSameRole":{"wire":"merge_same_role","schema":{"type":"boolean"},"default":false,"extension":true}}}

/** The fields of {@link Task}. */
export interface TaskFields {
  /** Identifier; a random UUID when it is not given. */
  taskId: string
  /** What the user said. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager: CallbackManager | null
  /** State of the worker and of the user; may be changed while the task runs. */
  extraState: Record<string, unknown>
}

/** What {@link Task} is built from. */
export interface TaskOptions {
  /** Identifier; a random UUID when it is not given. @defaultValue "" */
  taskId?: string | undefined
  /** What the user said. */
  input: string
  /** The conversation before the task. */
  memory: BaseMemory
  /** Receives events. */
  callbackManager?: CallbackManager | null | undefined
  /** State of the worker and of the user; may be changed while the task runs. @defaultValue {} */
  extraState?: Record<string, unknown> | undefined
}

/** @internal */
export const taskSpec: ModelSpec = {"name":"Task","description":"A run of an agent for one user input.","className":"Task","fields":{"taskId":{"wire":"task_id","schema":{"type":"string"},"default":""},"input":{"schema":{"type":"string"},"required":true},"memory":{"schema":{"x-nested":true},"required":true,"holds":["get","getAll","put","set","reset"]},"callbackManager":{"wire":"callback_manager","schema":{},"runtime":true,"holds":["startEvent","event"]},"extraState":{"wire":"extra_state","schema":{"type":"object"},"default":{},"json":false}}}
