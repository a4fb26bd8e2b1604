/**
 * @module
 * The base of tools that receive a question.
 */

import {
  callback,
  checkOptions,
  dict,
  flag,
  milliseconds,
  type OptionCheck,
  type OptionTable,
  text,
  unchecked,
} from '@x/core/options'
import { compactJson, textOrJson } from '@x/core/values'
import type { ToolOutput } from '@x/core-model'
import { type AsyncBaseTool, approvalOption, type NeedsApproval, type ToolCallContext } from './base-tool.ts'
import type { PlainToolMetadata, ToolAnnotations } from './plain-tool-metadata.ts'
import { SchemaToolMetadata } from './plain-tool-metadata.ts'
import type { ToolCheck } from './standard-check.ts'
import { toolCheck } from './tool-check.ts'
import { ToolInputError, validArguments } from './tool-errors.ts'
import type { ToolSchema } from './tool-schema.ts'

/** Options of all tools that receive a question. */
export interface QuestionToolOptions<Name extends string = string, Question = string> {
  /** The name in tool calls. */
  name?: Name | undefined
  /** When to use the tool and what it knows. The model selects tools by it. */
  description?: string | undefined
  /** Whether the output is the answer of the task and ends it. @defaultValue false */
  returnDirect?: boolean | undefined
  /** Whether a call needs approval. A function receives the arguments and the context of the call. @defaultValue false */
  needsApproval?: NeedsApproval | undefined
  /** Time limit of a call, in milliseconds. @defaultValue no limit */
  timeoutMs?: number | null | undefined
  /** The schema of the arguments. @defaultValue one string `input` */
  schema?: ToolSchema | undefined
  /** Returns the question for validated arguments. @defaultValue the argument `input`, or all arguments as JSON */
  toQuestion?: ((args: Record<string, unknown>) => Question) | undefined
  /** Whether arguments without `input` are used as the question, as JSON. @defaultValue true */
  resolveInputErrors?: boolean | undefined
  /** A name for people. */
  title?: string | undefined
  /** Hints about the behaviour of the tool. @defaultValue {} */
  annotations?: ToolAnnotations | undefined
}

const questionOptions: OptionTable<QuestionToolOptions> = {
  name: text,
  description: text,
  returnDirect: flag,
  needsApproval: approvalOption,
  timeoutMs: milliseconds(0, 'or null'),
  schema: unchecked,
  toQuestion: callback,
  resolveInputErrors: flag,
  title: text,
  annotations: dict,
}

/** The base of tools that receive a question. */
export abstract class QuestionTool<Context = unknown, Name extends string = string, Question = string>
  implements AsyncBaseTool
{
  readonly takesArguments = true
  readonly metadata: PlainToolMetadata<Name>
  readonly needsApproval: NeedsApproval
  readonly timeoutMs: number | null | undefined
  private readonly options: QuestionToolOptions<Name, Question>
  /** Checks the arguments of a call; undefined without a schema. @internal */
  readonly '~check': ToolCheck | undefined

  /**
   * @param where - the name of the class, for messages.
   * @param further - the checks of the options of the class beside those of all tools. @defaultValue options are not checked
   */
  constructor(
    options: QuestionToolOptions<Name, Question>,
    defaults: { name: string; description: string },
    where?: string,
    further: Readonly<Record<string, OptionCheck>> = {},
  ) {
    if (where !== undefined) checkOptions(where, options, { ...questionOptions, ...further })
    const { schema: fnSchema, returnDirect, title, annotations } = options
    this.options = options
    this.needsApproval = options.needsApproval ?? false
    this.timeoutMs = options.timeoutMs
    this.metadata = new SchemaToolMetadata({
      // Without a name in the options, `Name` is any string.
      name: options.name ?? (defaults.name as Name),
      description: options.description ?? defaults.description,
      fnSchema,
      returnDirect,
      title,
      annotations,
    })
    this['~check'] = fnSchema && toolCheck(this.metadata.name, fnSchema, this.metadata.jsonSchema)
  }

  abstract call(
    input: Record<string, unknown> | string | number,
    context?: Partial<ToolCallContext<Context>>,
  ): Promise<ToolOutput>

  /**
   * Returns the question for the arguments of a call. The arguments may also be the question itself.
   * @throws {ToolInputError} if the arguments do not match the schema, or contain no question.
   */
  protected async question(input: Record<string, unknown> | string | number): Promise<string | Question> {
    if (typeof input !== 'object') return String(input)
    const { schema, toQuestion, resolveInputErrors = true } = this.options
    const { name } = this.metadata
    const args = schema ? (validArguments(name, await this['~check']!(input)) as Record<string, unknown>) : input
    if (toQuestion) return toQuestion(args)
    const given = args['input']
    if (given !== undefined) return textOrJson(given)
    if (resolveInputErrors) return compactJson(args)
    throw new ToolInputError(name ?? '', [{ path: 'input', message: 'expected a question, received nothing' }])
  }
}
