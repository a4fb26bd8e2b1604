/**
 * @module
 * Tools for functions whose schema is of any kind.
 */

import { callback, checkOptions, choice, type OptionTable } from '@x/core/options'
import { SchemaToolMetadata } from './plain-tool-metadata.ts'
import {
  type AnyOptions,
  type FunctionResult,
  type FunctionToolOptions,
  metadataOptions,
  SCHEMA_OPTIONS,
  SchemaTool,
} from './schema-tool.ts'
import { toolCheck } from './tool-check.ts'
import type { ToolSchema } from './tool-schema.ts'

const OPTIONS: OptionTable<AnyOptions> = { ...SCHEMA_OPTIONS, unchecked: choice('throw', 'refuse', 'accept') }

/**
 * A function that a model may call. Its arguments are validated before it runs.
 * @example
 * const add = FunctionTool.fromDefaults({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
 *   fn: ({ a, b }) => a + b,
 * })
 * const output = await add.call({ a: 1, b: '2' })
 * output.content // => '3'
 */
export class FunctionTool<Context = unknown, Name extends string = string, Schema = unknown> extends SchemaTool<
  Context,
  Name,
  Schema
> {
  private constructor(name: Name | null, options: Omit<AnyOptions, 'fn'> & Partial<Pick<AnyOptions, 'fn'>>) {
    checkOptions('FunctionTool', options, { ...OPTIONS, fn: callback })
    super(new SchemaToolMetadata(metadataOptions(name, options)), options, (schema, json) =>
      toolCheck(name, schema, json, options.unchecked),
    )
  }

  /** Creates a tool from a function and the schema of its arguments. */
  static fromDefaults<const Schema extends ToolSchema, Context = unknown, Name extends string = string>(
    options: FunctionToolOptions<Schema, Context, unknown, Name> & { outputSchema?: undefined },
  ): FunctionTool<Context, Name, Schema>
  /** Creates a tool from a function and the schemas of its arguments and its result. */
  static fromDefaults<
    const Schema extends ToolSchema,
    const Output extends ToolSchema,
    Context = unknown,
    Name extends string = string,
  >(
    options: FunctionToolOptions<Schema, Context, FunctionResult<Output>, Name> & { outputSchema?: Output | undefined },
  ): FunctionTool<Context, Name, Schema>
  static fromDefaults(options: AnyOptions): FunctionTool {
    if (typeof options?.fn !== 'function') checkOptions('FunctionTool', options ?? {}, OPTIONS)
    return new FunctionTool(options.name ?? (options.fn.name || null), options)
  }

  /**
   * Creates a tool whose results come from outside: from the browser of the user, a person, or a job that takes days. A task that calls
   * it waits until the result is provided.
   */
  static external<const Schema extends ToolSchema, Name extends string = string>(
    options: Omit<FunctionToolOptions<Schema, unknown, unknown, Name>, 'fn' | 'timeoutMs' | 'sequential'>,
  ): FunctionTool<unknown, Name, Schema> {
    return new FunctionTool(options?.name ?? null, options as unknown as AnyOptions)
  }
}
