/**
 * @module
 * Tools for functions, with typed and validated arguments.
 */
import { isToolkitError, ToolOutput } from '@x/core-model'
import { compactJson, errorMessage } from '@x/core-model/internal'
import { after, isPromise } from '../after.ts'
import { ToolExecutionError, ToolInputError } from '../errors.ts'
import { type AsyncBaseTool, isFatal, type NeedsApproval, type ToolCallContext } from './base-tool.ts'
import type { CheckedArguments } from './check-arguments.ts'
import { ToolMetadata } from './tool-metadata.ts'
import { type ArgumentsOf, checkToolArguments, isStandardSchema, type ToolSchema } from './tool-schema.ts'

/** Options of `FunctionTool.fromDefaults`. */
export interface FunctionToolOptions<Schema extends ToolSchema> {
  /** Receives the validated arguments and the context of the call. */
  fn: (args: ArgumentsOf<Schema>, context: ToolCallContext) => unknown
  /** The schema of the arguments: TypeBox, JSON Schema, or a schema of any Standard Schema library. The argument types are inferred. */
  schema: Schema
  /** @defaultValue the name of the function */
  name?: string | undefined
  /** When to use the tool and what it returns. The model selects tools by it. @defaultValue '' */
  description?: string | undefined
  /** The JSON Schema for the model, if the validation library cannot generate one. */
  parameters?: object | undefined
  /** The schema of the result. An invalid result is a failure of the tool. */
  outputSchema?: ToolSchema | undefined
  /** Whether the output is the answer and ends the task. @defaultValue false */
  returnDirect?: boolean | undefined
  /** Whether a call needs approval. A function receives the validated arguments. @defaultValue false */
  needsApproval?: boolean | ((args: ArgumentsOf<Schema>) => boolean | Promise<boolean>) | undefined
  /** Time limit of a call, in milliseconds. @defaultValue no limit */
  timeoutMs?: number | null | undefined
}

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
export class FunctionTool implements AsyncBaseTool {
  readonly takesArguments = true
  readonly metadata: ToolMetadata
  readonly needsApproval: NeedsApproval
  readonly timeoutMs: number | null | undefined
  private readonly fn: (args: never, context: ToolCallContext) => unknown
  private readonly outputSchema: ToolSchema | undefined

  private constructor(metadata: ToolMetadata, options: FunctionToolOptions<ToolSchema>) {
    this.metadata = metadata
    this.fn = options.fn
    const { needsApproval = false } = options
    this.needsApproval =
      typeof needsApproval === 'function'
        ? async (args: never) => {
            const { value, issues } = await this.check(args)
            // An invalid call needs no approval, because it cannot run.
            return issues.length === 0 && needsApproval(value as never)
          }
        : needsApproval
    this.timeoutMs = options.timeoutMs
    this.outputSchema = options.outputSchema
  }

  /** Creates a tool from a function and the schema of its arguments. */
  static fromDefaults<const Schema extends ToolSchema>(options: FunctionToolOptions<Schema>): FunctionTool {
    const metadata = new ToolMetadata({
      name: options.name ?? (options.fn.name || null),
      description: options.description ?? '',
      fnSchema: options.schema,
      parameters: options.parameters,
      returnDirect: options.returnDirect,
    })
    return new FunctionTool(metadata, options as unknown as FunctionToolOptions<ToolSchema>)
  }

  /**
   * Validates the arguments, runs the function and converts its result to text: strings unchanged, other values as JSON.
   * @returns the output, or a promise of it if the validation or the function is asynchronous. Errors always reject.
   * @throws {ToolInputError} if the arguments do not match the schema.
   * @throws {ToolExecutionError} if the function fails; its error is the cause.
   */
  call(args: Record<string, unknown>, context: ToolCallContext = {}): ToolOutput | Promise<ToolOutput> {
    try {
      return after(this.check(args), (checked) => this.run(checked, context))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  private run({ value, issues }: CheckedArguments, context: ToolCallContext): ToolOutput | Promise<ToolOutput> {
    const toolName = this.metadata.name ?? ''
    if (issues.length > 0) throw new ToolInputError(toolName, issues)
    const fail = (error: unknown): never => {
      context.signal?.throwIfAborted()
      if (isToolkitError(error, 'tool_execution')) throw error
      throw new ToolExecutionError(toolName, errorMessage(error), { cause: error, fatal: isFatal(error) })
    }
    const end = (result: unknown): ToolOutput | Promise<ToolOutput> => {
      const content = typeof result === 'string' ? result : (compactJson(result) ?? 'null')
      const rawInput = { args: [], kwargs: value }
      const give = () => new ToolOutput({ content, toolName, rawInput, rawOutput: result ?? null })
      return this.outputSchema ? this.checkResult(this.outputSchema, result).then(give) : give()
    }
    try {
      const result = this.fn(value as never, context)
      return isPromise(result) ? Promise.resolve(result).then(end).catch(fail) : end(result)
    } catch (error) {
      return fail(error)
    }
  }

  private async checkResult(schema: ToolSchema, result: unknown): Promise<void> {
    const json = isStandardSchema(schema) ? undefined : schema
    const { issues } = await checkToolArguments(schema, json, result)
    if (issues.length === 0) return
    const faults = issues.map(({ path, message }) => `${path || 'result'}: ${message}`).join('; ')
    throw new ToolExecutionError(this.metadata.name ?? '', `its result does not match its output schema: ${faults}`)
  }

  private check(args: Record<string, unknown>): CheckedArguments | Promise<CheckedArguments> {
    const { fnSchema, jsonSchema } = this.metadata
    return fnSchema ? checkToolArguments(fnSchema, jsonSchema, args) : { value: args, issues: [] }
  }
}
