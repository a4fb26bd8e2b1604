/**
 * @module
 * The description of a tool for a model.
 */

import { checkOptions, dict, flag, type OptionTable, required, text, unchecked } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import type { JsonSchema, ToolDescription } from '@x/core-model'
import { ToolNameError, ToolSchemaError } from './tool-errors.ts'
import { jsonSchemaOf, outputSchemaOf, type ToolSchema } from './tool-schema.ts'

/** Ends of lines and other control characters, and the words with which lines of the text protocol begin. */
const FORGED = /[\p{Cc}\p{Zl}\p{Zp}]|\b(?:Thought|Action(?: Input)?|Answer|Observation)\W*:/iu

/**
 * Checks the name of a tool, which may come from a stranger's server: it must not look like a line of a prompt.
 * @throws {ToolNameError}
 */
export function checkToolName(name: string): void {
  if (FORGED.test(name)) throw new ToolNameError(name)
}

/** Hints about the behaviour of a tool, with the names and meanings of the Model Context Protocol. They are not checked. */
export interface ToolAnnotations {
  /** Whether the tool changes nothing. */
  readOnlyHint?: boolean | undefined
  /** Whether a change may delete or overwrite data. */
  destructiveHint?: boolean | undefined
  /** Whether a repeated call with the same arguments changes nothing more. */
  idempotentHint?: boolean | undefined
  /** Whether the tool works with things outside the system, such as web pages. */
  openWorldHint?: boolean | undefined
}

/** Constructor options of `ToolMetadata`. */
interface ToolMetadataOptions<Name extends string = string> {
  /** The name in tool calls. Required when the tool is offered to a model. */
  name?: Name | null | undefined
  /** When to use the tool and what it returns. */
  description: string
  /** The schema of the arguments, or null. @defaultValue one string `input` */
  fnSchema?: ToolSchema | null | undefined
  /** The JSON Schema for the model, if the validation library cannot generate one. */
  parameters?: object | undefined
  /** Whether the content of a successful output is the answer and ends the task. @defaultValue false */
  returnDirect?: boolean | undefined
  /** A name for people. */
  title?: string | null | undefined
  /** Hints for people and programs that decide whether the tool may run. @defaultValue {} */
  annotations?: ToolAnnotations | undefined
  /** The schema of the result. @defaultValue results of any form */
  outputSchema?: ToolSchema | null | undefined
  /**
   * Whether the provider must enforce the schema. Most providers require every property to be `required` and
   * `additionalProperties: false` then. @defaultValue the provider's default
   */
  strict?: boolean | undefined
}

/**
 * Name, description and argument schema of a tool, in the forms that models accept: a `ToolMetadata` whose schema is a JSON Schema of an
 * object with properties, which is not checked.
 */
export class PlainToolMetadata<Name extends string = string> implements ToolDescription {
  readonly name: Name | null
  readonly description: string
  readonly fnSchema: ToolSchema | null
  readonly returnDirect: boolean
  /** The schema as JSON Schema, or undefined. */
  readonly jsonSchema: JsonSchema | undefined
  readonly title: string | null
  readonly annotations: ToolAnnotations
  /** The schema of the result as JSON Schema; undefined if it was not passed, or if its library cannot generate JSON Schema. */
  declare readonly outputSchema: JsonSchema | undefined
  declare readonly strict?: boolean
  private schemaText: string | undefined
  private tool: { type: 'function'; function: Record<string, unknown> } | undefined

  /** @param jsonSchema - the schema as JSON Schema. @defaultValue the schema of the options */
  constructor(options: ToolMetadataOptions<Name>, jsonSchema?: JsonSchema) {
    const { name, description, fnSchema, returnDirect, title, annotations } = options
    this.name = name ?? null
    this.description = description
    this.fnSchema = fnSchema ?? null
    this.returnDirect = returnDirect ?? false
    this.jsonSchema = jsonSchema ?? (fnSchema as JsonSchema | null) ?? undefined
    this.title = title ?? null
    this.annotations = annotations ?? {}
  }

  /** @throws {ToolNameError} if the tool has no name, or one that {@link checkToolName} refuses. */
  getName(): Name {
    if (!this.name) throw new ToolNameError()
    checkToolName(this.name)
    return this.name
  }

  /** Returns the JSON Schema of the arguments, as models receive it. */
  getParametersDict(): Record<string, unknown> {
    return { ...this.jsonSchema }
  }

  /** The schema as compact JSON. @throws {ToolSchemaError} if the tool has no schema. */
  get fnSchemaStr(): string {
    return (this.schemaText ??= JSON.stringify(this.getParametersDict()))
  }

  /** Returns the form for chat models with tool calls. */
  toOpenaiTool(): { type: 'function'; function: Record<string, unknown> } {
    return (this.tool ??= { type: 'function', function: this.toOpenaiFunction() })
  }

  /** @deprecated Use {@link toOpenaiTool}. */
  toOpenaiFunction(): Record<string, unknown> {
    return { name: this.name, description: this.description, parameters: this.getParametersDict() }
  }
}

/** The default schema of a tool: one string. */
const DEFAULT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { input: { title: 'Input', type: 'string' } },
  required: ['input'],
}

/** Keywords at the root of a schema that models do not receive: the tool has its own name and description. */
const UNWRITTEN = ['$schema', 'title', 'description', 'examples']

/** Keywords by which a schema states properties. */
const INSTEAD_OF_PROPERTIES = ['properties', 'anyOf', 'oneOf', 'allOf', '$ref']

/** The checks of {@link ToolMetadataOptions}. */
export const METADATA_OPTIONS: OptionTable<ToolMetadataOptions> = {
  name: text,
  description: /* @__PURE__ */ required(text),
  fnSchema: unchecked,
  parameters: dict,
  returnDirect: flag,
  title: text,
  annotations: dict,
  outputSchema: (value) => (typeof value === 'object' || typeof value === 'function' ? undefined : 'a schema'),
  strict: flag,
}

/** Name, description and argument schema of a tool, in the forms that models accept: a `ToolMetadata` without the check of JSON Schemas. */
export class SchemaToolMetadata<Name extends string = string> extends PlainToolMetadata<Name> {
  declare readonly outputSchema: JsonSchema | undefined
  declare readonly strict?: boolean

  /** @throws {ModelValidationError} if an option is unknown, invalid or missing. */
  constructor(options: ToolMetadataOptions<Name>) {
    checkOptions('ToolMetadata', options, METADATA_OPTIONS)
    const { fnSchema = DEFAULT_SCHEMA, outputSchema } = options
    const own = { ...options, fnSchema }
    super(own, ofArguments(own, shownSchema(own)))
    if (outputSchema) this.outputSchema = outputSchemaOf(outputSchema)
    if (options.strict !== undefined) this.strict = options.strict
  }

  override get fnSchemaStr(): string {
    if (!this.fnSchema) throw new ToolSchemaError(`Tool "${this.name}": it has no schema, so it cannot be described.`)
    return super.fnSchemaStr
  }

  /** @deprecated Use `toOpenaiTool`. */
  override toOpenaiFunction(): Record<string, unknown> {
    const { strict } = this
    return { ...super.toOpenaiFunction(), ...(strict !== undefined && { strict }) }
  }

  override getParametersDict(): Record<string, unknown> {
    const schema = this.jsonSchema
    if (!schema) {
      return {
        type: 'object',
        properties: { input: { title: 'input query string', type: 'string' } },
        required: ['input'],
      }
    }
    const entries = Object.entries(schema).filter(([key, value]) => value !== undefined && !UNWRITTEN.includes(key))
    const own = Object.fromEntries(entries)
    // Arguments are always an object, and providers require it at the root, even of a union, and properties without one.
    return {
      ...(own['type'] === undefined && { type: 'object' }),
      ...(!INSTEAD_OF_PROPERTIES.some((keyword) => keyword in own) && { properties: {} }),
      ...own,
    }
  }
}

/** Returns the JSON Schema for the model; undefined for that of the options, or without one. */
function shownSchema({ name, fnSchema, parameters }: ToolMetadataOptions): JsonSchema | undefined {
  if (parameters) return parameters as JsonSchema
  try {
    return fnSchema ? jsonSchemaOf(fnSchema) : undefined
  } catch (cause) {
    throw new ToolSchemaError(
      `Tool "${name ?? null}": its schema cannot be converted to JSON Schema (${errorMessage(cause)}); pass a JSON Schema as parameters.`,
      { cause },
    )
  }
}

/** Refuses a schema of other values than objects, which no model fills in. */
function ofArguments({ name }: ToolMetadataOptions, schema: JsonSchema | undefined): JsonSchema | undefined {
  const { type = 'object' } = (schema ?? {}) as { type?: unknown }
  if ([type].flat().includes('object')) return schema
  throw new ToolSchemaError(
    `Tool "${name ?? null}": the arguments of a tool are an object, and its schema has the type ${JSON.stringify(type)}; make it a property.`,
  )
}
