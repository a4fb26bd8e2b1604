/**
 * @module
 * The description of a tool for a model.
 */
import type { JsonSchema, ToolDescription } from '@x/core-model'
import { errorMessage } from '@x/core-model/internal'
import { ToolNameError, ToolSchemaError } from '../errors.ts'
import { jsonSchemaOf, type ToolSchema } from './tool-schema.ts'

/** The default schema of a tool: one string. */
const DEFAULT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { input: { title: 'Input', type: 'string' } },
  required: ['input'],
}

const WRITTEN = ['type', 'properties', 'required', 'definitions', '$defs']

/** Constructor options of `ToolMetadata`. */
export interface ToolMetadataOptions {
  /** The name in tool calls. Required when the tool is offered to a model. */
  name?: string | null | undefined
  /** When to use the tool and what it returns. */
  description: string
  /** The schema of the arguments, or null. @defaultValue one string `input` */
  fnSchema?: ToolSchema | null | undefined
  /** The JSON Schema for the model, if the validation library cannot generate one. */
  parameters?: object | undefined
  /** Whether the content of a successful output is the answer and ends the task. @defaultValue false */
  returnDirect?: boolean | undefined
}

/**
 * Name, description and argument schema of a tool, in the forms that models accept.
 * @example
 * const metadata = new ToolMetadata({ name: 'echo', description: 'Repeats the text.' })
 * metadata.fnSchemaStr
 * // => '{"type":"object","properties":{"input":{"title":"Input","type":"string"}},"required":["input"]}'
 */
export class ToolMetadata implements ToolDescription {
  readonly name: string | null
  readonly description: string
  readonly fnSchema: ToolSchema | null
  readonly returnDirect: boolean
  /** The schema as JSON Schema, or undefined. */
  readonly jsonSchema: JsonSchema | undefined
  private schemaText: string | undefined

  constructor(options: ToolMetadataOptions) {
    this.name = options.name ?? null
    this.description = options.description
    this.fnSchema = options.fnSchema === undefined ? DEFAULT_SCHEMA : options.fnSchema
    this.returnDirect = options.returnDirect ?? false
    const { parameters } = options
    this.jsonSchema = parameters ? (parameters as JsonSchema) : this.fnSchema ? this.shown(this.fnSchema) : undefined
  }

  private shown(schema: ToolSchema): JsonSchema {
    try {
      return jsonSchemaOf(schema)
    } catch (cause) {
      throw new ToolSchemaError(
        `Tool "${this.name}": its schema cannot be converted to JSON Schema (${errorMessage(cause)}); pass a JSON Schema as parameters.`,
        { cause },
      )
    }
  }

  /** @throws {ToolNameError} if the tool has no name. */
  getName(): string {
    if (!this.name) throw new ToolNameError()
    return this.name
  }

  /** Returns the JSON Schema of the arguments, with the keywords that models read. */
  getParametersDict(): Record<string, unknown> {
    const schema = this.jsonSchema
    if (!schema) {
      return {
        type: 'object',
        properties: { input: { title: 'input query string', type: 'string' } },
        required: ['input'],
      }
    }
    return Object.fromEntries(WRITTEN.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]))
  }

  /** The schema as compact JSON. @throws {ToolSchemaError} if the tool has no schema. */
  get fnSchemaStr(): string {
    if (!this.fnSchema) throw new ToolSchemaError(`Tool "${this.name}": it has no schema, so it cannot be described.`)
    this.schemaText ??= JSON.stringify(this.getParametersDict())
    return this.schemaText
  }

  /** Returns the form for chat models with tool calls. */
  toOpenaiTool(): { type: 'function'; function: Record<string, unknown> } {
    return { type: 'function', function: this.toOpenaiFunction() }
  }

  /** @deprecated Use {@link toOpenaiTool}. */
  toOpenaiFunction(): Record<string, unknown> {
    return { name: this.name, description: this.description, parameters: this.getParametersDict() }
  }
}
