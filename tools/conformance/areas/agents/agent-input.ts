/** Reads the parts of an agent. */
import { ChatMemoryBuffer } from '@x/agents'
import type { ChatMessage, Dict } from '@x/core-model'
import { apiKeys } from '../../names.ts'
import {
  argument,
  boolean,
  dictionary,
  list,
  literal,
  nullable,
  object,
  optional,
  type Read,
  type Reader,
  shape,
  string,
  variants,
} from '../../reader.ts'
import { caseModel } from '../../stand-ins/case-model.ts'
import { message, messageOf } from '../../stand-ins/messages.ts'
import { tool } from '../../stand-ins/tools.ts'
import { pipeline } from '../query-pipeline/pipeline-record.ts'
import { graph } from './graph-worker.ts'
import { spaceTokenizer } from './memory.ts'

const memory = shape({ token_limit: argument<number>(), chat_history: optional(list(message)) })

/** Options under their API names, with the objects that they stand for. */
export interface AgentOptions {
  /** The header of the formatter; null for no formatter, undefined when the case has none. */
  header: string | null | undefined
  rest: Dict
}

const header = optional(nullable(string))
const messages = optional(list(message))

export const agentOptions: Reader<AgentOptions> = (value, at) => {
  const { system_header, memory: buffer, chat_history, prefix_messages, ...rest } = object(value, at)
  const history = messages(chat_history, at.child('chat_history'))
  const prefix = messages(prefix_messages, at.child('prefix_messages'))
  const kept = optional(memory)(buffer, at.child('memory'))
  return {
    header: header(system_header, at.child('system_header')),
    rest: {
      ...apiKeys(rest),
      ...(history && { chatHistory: history.map(messageOf) }),
      ...(prefix && { prefixMessages: prefix.map(messageOf) }),
      ...(kept && { memory: memoryOf(kept) }),
    },
  }
}

function memoryOf({ token_limit: tokenLimit, chat_history = [] }: Read<typeof memory>): ChatMemoryBuffer {
  const chatHistory: ChatMessage[] = chat_history.map(messageOf)
  return ChatMemoryBuffer.fromDefaults({ tokenLimit, tokenizerFn: spaceTokenizer, chatHistory })
}

const limit = { limit: argument<number | undefined>() }

export const worker = variants('kind', {
  graph,
  counter: limit,
  bad_output: limit,
  retry: limit,
  tool_once: limit,
  reserved_memory: limit,
  reserved_sources: limit,
})

const agentType = literal(
  'react',
  'react_runner',
  'multimodal',
  'function_calling',
  'legacy_react',
  'custom',
  'graph',
  'parallel',
  'query_pipeline',
)

export type AgentType = Read<typeof agentType>

/** The parts of an agent. */
export const agentKeys = {
  agent: shape({ type: agentType, options: optional(agentOptions) }),
  llm: optional(caseModel),
  tools: optional(list(tool)),
  tool_retriever: optional(shape({ map: dictionary(list(string)), also_tools: optional(boolean) })),
  worker: optional(worker),
  pipeline: optional(pipeline),
}

const agentInput = shape(agentKeys)

export type AgentInput = Read<typeof agentInput>
