// Generated from the schema of the model by x-codegen. Do not edit.
import type { ContentPart } from '../messages/content-part.ts'
import { Model, modelOf } from '@x/core'

/** The fields of {@link ToolOutput}. */
export interface ToolOutputFields {
  /** The output as a string, for models. */
  content: string
  /** Name of the tool. */
  toolName: string
  /** The arguments of the call. @defaultValue {} */
  rawInput: unknown
  /** The value that the tool returned. @defaultValue null */
  rawOutput: unknown
  /** Whether the call failed; content is the error message. @defaultValue false */
  isError: boolean
  /** The output as text, images and files, for models that accept them; null if content is the whole output. @defaultValue null */
  parts: readonly ContentPart[] | null
  /** Whether the output is text from outside, such as a page or a mail, which may contain instructions for the model. @defaultValue false */
  untrusted: boolean
}

/** Constructor options of {@link ToolOutput}. */
export interface ToolOutputOptions {
  /** The output as a string, for models. */
  content: string
  /** Name of the tool. */
  toolName: string
  /** The arguments of the call. @defaultValue {} */
  rawInput?: unknown | undefined
  /** The value that the tool returned. @defaultValue null */
  rawOutput?: unknown | undefined
  /** Whether the call failed; content is the error message. @defaultValue false */
  isError?: boolean | undefined
  /** The output as text, images and files, for models that accept them; null if content is the whole output. @defaultValue null */
  parts?: readonly ContentPart[] | null | undefined
  /** Whether the output is text from outside, such as a page or a mail, which may contain instructions for the model. @defaultValue false */
  untrusted?: boolean | undefined
}

declare abstract class Declared extends Model {
  constructor(options: ToolOutputOptions)
}
interface Declared extends ToolOutputFields {}

/** The typed base class of {@link ToolOutput}. */
export const ToolOutputModel = /* @__PURE__ */ modelOf<typeof Declared>(Model, {
  name: 'ToolOutput',
  description: 'The output of a tool call.',
  className: 'ToolOutput',
  record: true,
  fields: {
    content: { schema: { type: 'string', description: 'The output as a string, for models.' }, required: true },
    toolName: { schema: { type: 'string', description: 'Name of the tool.' }, required: true },
    rawInput: { schema: { description: 'The arguments of the call.' }, default: {} },
    rawOutput: { schema: { description: 'The value that the tool returned.' } },
    isError: { schema: { type: 'boolean', description: 'Whether the call failed; content is the error message.' }, default: false },
    parts: { schema: { items: { type: 'object' }, type: ['array', 'null'], description: 'The output as text, images and files, for models that accept them; null if content is the whole output.' }, extension: true },
    untrusted: { schema: { type: 'boolean', description: 'Whether the output is text from outside, such as a page or a mail, which may contain instructions for the model.' }, default: false, extension: true },
  },
})
