/**
 * @module
 * What a model is told about a tool.
 */
import type { JsonSchema, ToolDescription } from '@x/core-model'
import { errorMessage } from '@x/core-model/internal'
import { ToolNameError, ToolSchemaError } from '../errors.ts'
import { jsonSchemaOf, type ToolSchema } from './tool-schema.ts'

/** The schema of a tool that describes no arguments: one string. */
const DEFAULT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { input: { title: 'Input', type: 'string' } },
  required: ['input'],
}

const WRITTEN = ['type', 'properties', 'required', 'definitions', '$defs']

/** How a tool describes itself. */
export interface ToolMetadataOptions {
  /** The name the model calls it by. Needed as soon as the tool is offered to a model. */
  name?: string | null | undefined
  /** When to use the tool and what it gives. */
  description: string
  /** The schema of the arguments; null for none. @defaultValue one text `input` */
  fnSchema?: ToolSchema | null | undefined
  /** The JSON Schema to show, for a validation library that cannot write one. */
  parameters?: object | undefined
  /** The content of a successful output is the answer, and ends the task. @defaultValue false */
  returnDirect?: boolean | undefined
}

/**
 * Name, description and argument schema of a tool, in the forms that models take.
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
  /** The schema as JSON Schema; undefined when there is none. */
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
        `Tool "${this.name}": its schema gives no JSON Schema (${errorMessage(cause)}); pass one as parameters besides it.`,
        { cause },
      )
    }
  }

  /** @throws {ToolNameError} when the tool has no name. */
  getName(): string {
    if (!this.name) throw new ToolNameError()
    return this.name
  }

  /** The JSON Schema of the arguments, reduced to what models read. */
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

  /** The schema as compact JSON. @throws {ToolSchemaError} when there is none. */
  get fnSchemaStr(): string {
    if (!this.fnSchema) throw new ToolSchemaError(`Tool "${this.name}": it has no schema, so it cannot be described.`)
    this.schemaText ??= JSON.stringify(this.getParametersDict())
    return this.schemaText
  }

  /** The form that chat models with tool calls take. */
  toOpenaiTool(): { type: 'function'; function: Record<string, unknown> } {
    return { type: 'function', function: this.toOpenaiFunction() }
  }

  /** @deprecated Use {@link toOpenaiTool}. */
  toOpenaiFunction(): Record<string, unknown> {
    return { name: this.name, description: this.description, parameters: this.getParametersDict() }
  }
}
