// Generated from the schema of the model by x-codegen. Do not edit.
import { Model, modelOf } from '@x/core'

/** The fields of {@link LLMMetadata}. */
export interface LLMMetadataFields {
  /** Maximum number of tokens of prompt and answer together; null if unknown, so that nothing is shortened. @defaultValue 3900 */
  contextWindow: number | null
  /** Maximum number of tokens of an answer. @defaultValue 256 */
  numOutput: number
  /** Whether the model accepts chat messages. @defaultValue false */
  isChatModel: boolean
  /** Whether the model calls tools natively. @defaultValue false */
  isFunctionCallingModel: boolean
  /** Name of the model. @defaultValue 'unknown' */
  modelName: string
  /** The role of system messages. @defaultValue 'system' */
  systemRole: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot'
  /** Name of the provider, such as openai; null if unknown. @defaultValue null */
  provider: string | null
}

/** Constructor options of {@link LLMMetadata}. */
export interface LLMMetadataOptions {
  /** Maximum number of tokens of prompt and answer together; null if unknown, so that nothing is shortened. @defaultValue 3900 */
  contextWindow?: number | null | undefined
  /** Maximum number of tokens of an answer. @defaultValue 256 */
  numOutput?: number | undefined
  /** Whether the model accepts chat messages. @defaultValue false */
  isChatModel?: boolean | undefined
  /** Whether the model calls tools natively. @defaultValue false */
  isFunctionCallingModel?: boolean | undefined
  /** Name of the model. @defaultValue 'unknown' */
  modelName?: string | undefined
  /** The role of system messages. @defaultValue 'system' */
  systemRole?: 'system' | 'user' | 'assistant' | 'function' | 'tool' | 'chatbot' | undefined
  /** Name of the provider, such as openai; null if unknown. @defaultValue null */
  provider?: string | null | undefined
}

declare abstract class Declared extends Model {
  constructor(options?: LLMMetadataOptions)
}
interface Declared extends LLMMetadataFields {}

/** The typed base class of {@link LLMMetadata}. */
export const LLMMetadataModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'LLMMetadata',
  description: 'The properties of a language model.',
  className: 'LLMMetadata',
  record: true,
  fields: {
    contextWindow: { schema: { type: ['integer', 'null'], description: 'Maximum number of tokens of prompt and answer together; null if unknown, so that nothing is shortened.' }, default: 3900 },
    numOutput: { schema: { type: 'integer', description: 'Maximum number of tokens of an answer.' }, default: 256 },
    isChatModel: { schema: { type: 'boolean', description: 'Whether the model accepts chat messages.' }, default: false },
    isFunctionCallingModel: { schema: { type: 'boolean', description: 'Whether the model calls tools natively.' }, default: false },
    modelName: { schema: { type: 'string', description: 'Name of the model.' }, default: 'unknown' },
    systemRole: { schema: { type: 'string', enum: ['system', 'user', 'assistant', 'function', 'tool', 'chatbot'], description: 'The role of system messages.' }, default: 'system' },
    provider: { schema: { type: ['string', 'null'], description: 'Name of the provider, such as openai; null if unknown.' }, extension: true },
  },
})
