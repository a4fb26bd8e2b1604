/**
 * @module
 * Tools for functions, with typed and validated arguments and results.
 */

import type { UncheckedSchema } from '@x/core/arguments'
import { callback, checkOptions, flag, milliseconds, type OptionTable, required, text } from '@x/core/options'
import { errorMessage, isError, resultText } from '@x/core/values'
import { isInstance, isToolkitError, NotSupportedError, type StandardSchema, ToolOutput } from '@x/core-model'
import { pick } from '../options.ts'
import { type AsyncBaseTool, approvalOption, isFatal, type NeedsApproval, type ToolCallContext } from './base-tool.ts'
import {
  METADATA_OPTIONS,
  type PlainToolMetadata,
  SchemaToolMetadata,
  type ToolAnnotations,
} from './plain-tool-metadata.ts'
import { standardOnly, type ToolCheck } from './standard-check.ts'
import { ToolExecutionError, ToolInputError } from './tool-errors.ts'
import type { ArgumentsOf, ResultOf, ToolSchema } from './tool-schema.ts'

/** Options of `FunctionTool.fromDefaults`. `Context` is inferred from the type of the second parameter of `fn`. */
export interface FunctionToolOptions<
  Schema extends ToolSchema,
  Context = unknown,
  Result = unknown,
  Name extends string = string,
> {
  /**
   * Receives the validated arguments and the context of the call. A thrown or returned error is a failure of the tool. The items of a
   * generator or a stream are collected in an array. A {@link ToolOutput} is the output itself, for example one with images.
   */
  fn: (args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => Result
  /** The schema of the arguments: TypeBox, JSON Schema, or a schema of any Standard Schema library. The argument types are inferred. */
  schema: Schema
  /** @defaultValue the name of the function */
  name?: Name | undefined
  /** When to use the tool and what it returns. The model selects tools by it. @defaultValue '' */
  description?: string | undefined
  /** The JSON Schema for the model, if the validation library cannot generate one. */
  parameters?: object | undefined
  /** The schema of the result. An invalid result is a failure of the tool. */
  outputSchema?: ToolSchema | undefined
  /**
   * What happens with parts of a JSON Schema that cannot be checked: `throw` does not make the tool; `refuse` refuses the arguments that
   * such a part concerns, as is right for schemas of strangers; `accept` skips it. @defaultValue 'throw'
   */
  unchecked?: UncheckedSchema | undefined
  /** Whether the output is the answer and ends the task. @defaultValue false */
  returnDirect?: boolean | undefined
  /**
   * Whether a call needs approval; `after-untrusted`: once an `untrusted` tool has returned text from outside. A function receives the
   * validated arguments and the context of the call. Calls that run at the same time are judged before the first one runs: with a limit
   * that counts earlier calls, set `sequential`. A call that has begun is not judged again. If the function throws, the call waits, and its
   * `problem` says that it could not be judged, without the error. @defaultValue false
   */
  needsApproval?:
    | boolean
    | 'after-untrusted'
    | ((args: ArgumentsOf<Schema>, context: ToolCallContext<Context>) => boolean | Promise<boolean>)
    | undefined
  /** Time limit of a call, in milliseconds. @defaultValue no limit */
  timeoutMs?: number | null | undefined
  /**
   * Whether each call runs alone, not at the same time as the other calls of its turn; `needsApproval` is called when those before it have
   * run. @defaultValue false
   */
  sequential?: boolean | undefined
  /** A name for people. */
  title?: string | undefined
  /** Hints about the behaviour of the tool. @defaultValue {} */
  annotations?: ToolAnnotations | undefined
  /** Whether the provider must enforce the schema of the arguments. @defaultValue the provider's default */
  strict?: boolean | undefined
}

/** The values that a function with an output schema may return. */
export type FunctionResult<Output extends ToolSchema> =
  | ResultOf<Output>
  | ToolOutput
  | Promise<ResultOf<Output> | ToolOutput>

/** Options of any tool. */
export type AnyOptions = FunctionToolOptions<ToolSchema>

/** What other libraries call the options. */
const otherNames = {
  execute: 'fn',
  func: 'fn',
  function: 'fn',
  handler: 'fn',
  invoke: 'fn',
  run: 'fn',
  callback: 'fn',
  id: 'name',
  args: 'schema',
  fnSchema: 'schema',
}

/** The checks of {@link SchemaToolOptions}. */
export const SCHEMA_OPTIONS: OptionTable<Omit<AnyOptions, 'unchecked'>> = {
  ...METADATA_OPTIONS,
  ...otherNames,
  fn: required(callback),
  schema: required((value) => (value === undefined ? 'a schema of the arguments' : undefined)),
  description: text,
  needsApproval: approvalOption,
  timeoutMs: milliseconds(0, 'or null'),
  sequential: flag,
}

/** A function that a model may call, with a check of its arguments. */
export class SchemaTool<Context = unknown, Name extends string = string, Schema = unknown> implements AsyncBaseTool {
  /** For the compiler alone. */
  declare readonly '~schema'?: Schema
  readonly takesArguments = true
  readonly metadata: PlainToolMetadata<Name>
  readonly needsApproval: NeedsApproval
  readonly timeoutMs: number | null | undefined
  readonly sequential: boolean
  readonly isExternal: boolean
  private readonly fn: ((args: never, context: never) => unknown) | undefined
  private readonly outputSchema: ToolSchema | undefined
  /** Checks the arguments of a call. @internal */
  readonly '~check': ToolCheck
  private readonly checkOutput: ToolCheck

  /** @internal */
  constructor(
    metadata: PlainToolMetadata<Name>,
    options: Omit<AnyOptions, 'fn'> & Partial<Pick<AnyOptions, 'fn'>>,
    check: (schema: ToolSchema | null | undefined, json?: object) => ToolCheck,
  ) {
    const { fn, needsApproval = false, outputSchema } = options
    this.metadata = metadata
    this.fn = fn
    this.isExternal = fn === undefined
    this.needsApproval =
      typeof needsApproval === 'function'
        ? async (args: never, context) => {
            const { value, issues } = await this['~check'](args)
            // An invalid call needs no approval, because it cannot run.
            return issues.length === 0 && needsApproval(value as never, { context: undefined, ...context })
          }
        : needsApproval
    this.timeoutMs = options.timeoutMs
    this.sequential = options.sequential ?? false
    this.outputSchema = outputSchema
    this['~check'] = check(metadata.fnSchema, metadata.jsonSchema)
    this.checkOutput = check(outputSchema)
  }

  /**
   * Validates the arguments, runs the function and converts its result to text: strings unchanged, other values as JSON.
   * @throws {ToolInputError} if the arguments do not match the schema.
   * @throws {ToolExecutionError} if the function fails; its error is the cause.
   * @throws {NotSupportedError} if the result comes from outside.
   */
  async call(args: Record<string, unknown>, context: Partial<ToolCallContext<Context>> = {}): Promise<ToolOutput> {
    const checking = this['~check'](args)
    const { value, issues } = 'issues' in checking ? checking : await checking
    const toolName = this.metadata.name ?? ''
    if (issues.length > 0) throw new ToolInputError(toolName, issues)
    if (!this.fn) throw new NotSupportedError(`Tool "${toolName}": it has no function; its result comes from outside.`)
    try {
      const result = this.fn(value as never, { context: undefined, ...context } as never)
      // Only an object or a function can be a promise, and to await another value costs time.
      return await this.toOutput(Object(result) === result ? await result : result, value, context.signal)
    } catch (error) {
      context.signal?.throwIfAborted()
      if (isToolkitError(error, 'tool_execution')) throw error
      throw new ToolExecutionError(toolName, errorMessage(error), { cause: error, fatal: isFatal(error) })
    }
  }

  /**
   * Converts a result, such as one from outside, to the output of a call.
   * @param args - the arguments of the call.
   * @throws {ToolExecutionError} if the result does not match the output schema.
   */
  async toOutput(result: unknown, args: unknown, signal?: AbortSignal): Promise<ToolOutput> {
    const toolName = this.metadata.name ?? ''
    const rawInput = { args: [], kwargs: args }
    let items: unknown[] | undefined
    if (result && typeof result === 'object') {
      if (isError(result)) throw result
      if (isInstance(result, ToolOutput)) {
        if (this.outputSchema) await this.checkResult(result.rawOutput)
        return result.copy({ update: { toolName, rawInput } })
      }
      items = await itemsOf(result, signal)
    }
    const value = items ?? result
    if (this.outputSchema) await this.checkResult(value)
    const isText = items?.every((item) => typeof item === 'string')
    const text = isText ? items!.join('') : value
    const content = typeof text === 'string' ? text : resultText(text)
    return new ToolOutput({ content, toolName, rawInput, rawOutput: value ?? null })
  }

  private async checkResult(result: unknown): Promise<void> {
    const { issues } = await this.checkOutput(result)
    if (issues.length === 0) return
    const faults = issues.map(({ path, message }) => `${path || 'result'}: ${message}`).join('; ')
    throw new ToolExecutionError(this.metadata.name ?? '', `its result does not match its output schema: ${faults}`)
  }
}

/** Returns the options of a tool that its metadata contains. */
export function metadataOptions<Name extends string>(name: Name | null, options: Omit<AnyOptions, 'fn'>) {
  return {
    ...pick(options, METADATA_OPTIONS),
    name,
    description: options.description ?? '',
    fnSchema: options.schema,
  }
}

/** Options of {@link schemaTool}. */
type SchemaToolOptions<Schema extends StandardSchema, Context, Result, Name extends string> = Omit<
  FunctionToolOptions<Schema, Context, Result, Name>,
  'unchecked'
>

/**
 * Creates a tool from a function and a schema of a library with the Standard Schema contract, such as zod, which alone checks the
 * arguments. Unlike `FunctionTool.fromDefaults`, it adds no check of JSON Schemas to a bundle (5 kB).
 *
 * Arguments that the library refuses are corrected once where it says so: a string that contains a number becomes the number, and a null
 * of an object is removed.
 * @throws {ToolSchemaError} if a schema has no such contract, or cannot be converted to JSON Schema.
 * @example
 * import { z } from 'zod'
 *
 * const add = schemaTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   schema: z.object({ a: z.number(), b: z.number() }),
 *   fn: ({ a, b }) => a + b,
 * })
 * const output = await add.call({ a: 1, b: '2' })
 * output.content // => '3'
 */
export function schemaTool<const Schema extends StandardSchema, Context = unknown, Name extends string = string>(
  options: SchemaToolOptions<Schema, Context, unknown, Name> & { outputSchema?: undefined },
): SchemaTool<Context, Name, Schema>
export function schemaTool<
  const Schema extends StandardSchema,
  const Output extends StandardSchema,
  Context = unknown,
  Name extends string = string,
>(
  options: SchemaToolOptions<Schema, Context, FunctionResult<Output>, Name> & { outputSchema?: Output | undefined },
): SchemaTool<Context, Name, Schema>
export function schemaTool(options: AnyOptions): SchemaTool {
  checkOptions('schemaTool', options, SCHEMA_OPTIONS)
  const name = options.name ?? (options.fn.name || null)
  return new SchemaTool(new SchemaToolMetadata(metadataOptions(name, options)), options, (schema) =>
    standardOnly(name, schema, 'FunctionTool.fromDefaults'),
  )
}

/**
 * Returns the items of a generator, a stream or another iterator, or undefined for any other value. Strings, arrays, maps and sets are
 * values, not iterators.
 * @param signal - ends the reading with its reason.
 */
export function itemsOf(value: object, signal: AbortSignal | undefined): Promise<unknown[]> | undefined {
  const isAsync = typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function'
  const isIterator = Symbol.iterator in value && typeof (value as { next?: unknown }).next === 'function'
  return isAsync || isIterator ? collected(value as AsyncIterable<unknown>, signal) : undefined
}

async function collected(
  items: AsyncIterable<unknown> | Iterable<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const item of items) {
    signal?.throwIfAborted()
    found.push(item)
  }
  return found
}
