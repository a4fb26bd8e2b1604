/**
 * @module
 * The structured answer of an agent: offered to the model as a tool or as the format of its reply, checked, and repaired.
 */

import type { ArgumentIssue } from '@x/core/arguments'
import { adviceOf, checksOf } from '@x/core/arguments'
import { compactJson, errorMessage, parseExactly } from '@x/core/values'
import { type CallOptions, ConfigurationError, type JsonSchema } from '@x/core-model'
import { withoutThinking } from '@x/core-model/text'
import { issuesText } from '../agent-error.ts'
import type { TaskLike } from '../task/task-like.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { readArguments, readCallArguments } from '../tool/read-arguments.ts'
import { toolCheck } from '../tool/tool-check.ts'
import { isStandardSchema, jsonSchemaOf, type ToolSchema } from '../tool/tool-schema.ts'
import type { OutputMode } from './hooks.ts'
import type { Scope } from './layer.ts'
import { InvalidOutputError } from './loop-errors.ts'
import { wrapped } from './output-schema.ts'
import type { ModelTurn } from './tool-calling-protocol.ts'

/** The step of a reply. */
type JudgedStep = Pick<Scope, 'task' | 'state' | 'mustAnswer'>

const TOOL_NAME = 'final_answer'
const WRAPPER = 'value'

/** A schema of answers: JSON Schema, TypeBox, or a Standard Schema that can be converted to JSON Schema. */
export class AnswerSchema {
  /** The tool that ends a task; undefined if the reply itself has the format. */
  readonly tool: FunctionTool | undefined
  /** Options of every model call. */
  readonly callOptions: CallOptions | undefined
  private readonly check: ReturnType<typeof toolCheck>
  private readonly isStandard: boolean
  private readonly json: JsonSchema
  /** Arguments of tools are objects, so an answer that is not an object is wrapped in one. */
  private readonly isWrapped: boolean
  private readonly maxRepairs: number

  /** @throws {ConfigurationError} if the schema cannot be converted to JSON Schema, or contains parts that nothing checks. */
  constructor(
    schema: ToolSchema,
    { mode = 'tool', maxRepairs = 2 }: { mode?: OutputMode | undefined; maxRepairs?: number | undefined } = {},
  ) {
    this.maxRepairs = maxRepairs
    try {
      this.json = jsonSchemaOf(schema)
    } catch (error) {
      throw new ConfigurationError(`output: the schema cannot be converted to JSON Schema: ${errorMessage(error)}`)
    }
    this.isStandard = isStandardSchema(schema)
    const checks = checksOf(this.json)
    if (!this.isStandard && checks.all.length > 0) throw new ConfigurationError(`output: ${adviceOf(checks)}`)
    this.check = toolCheck(TOOL_NAME, schema)
    this.isWrapped = this.json['type'] !== 'object'
    if (mode === 'tool') this.tool = this.answerTool()
    else this.callOptions = { responseFormat: { type: 'json', schema: { ...this.json }, name: 'answer' } }
  }

  /** Returns the reply as an answer with its value, or as text that the model must correct. Other replies are unchanged. */
  async judge(turn: ModelTurn, at: JudgedStep): Promise<ModelTurn> {
    if (turn.kind === 'answer') return this.judgeText(turn, at)
    if (turn.kind !== 'calls' || turn.calls[0]!.name !== TOOL_NAME || turn.calls.length > 1) return turn
    const value = this.argumentsOf(turn.calls[0]!)
    const { issues, value: output } = value === undefined ? unreadable : await this.check(value)
    if (issues.length === 0) return { kind: 'answer', text: compactJson(output), output }
    // The call runs and fails, so that the model sees why.
    this.countRepair(compactJson(turn.calls[0]!.arguments), issues, at)
    return turn
  }

  /** Returns the value of a string. @throws {InvalidOutputError} if it does not match the schema. */
  async valueOf(text: string, task: Pick<TaskLike, 'taskId'>): Promise<unknown> {
    const { value, issues } = await this.checkText(text)
    if (issues.length > 0) throw new InvalidOutputError(task.taskId, issues, text)
    return value
  }

  private async judgeText(turn: ModelTurn & { kind: 'answer' }, at: JudgedStep): Promise<ModelTurn> {
    const { value, issues } = await this.checkText(turn.text)
    if (issues.length === 0) return { ...turn, output: value }
    this.countRepair(turn.text, issues, at)
    const how = this.tool ? `Call the tool "${TOOL_NAME}"` : 'Reply with JSON'
    const observation = `Error: the answer does not match the schema: ${issuesText(issues)}. ${how} with a value that matches ${compactJson(this.json)}`
    return { kind: 'unreadable', text: turn.text, observation }
  }

  private async checkText(text: string): Promise<Checked> {
    const value = readJson(withoutThinking(text), this.isWrapped)
    if (value === undefined) return unreadable
    const checked = await this.check(value)
    // A model may also write the object that the tool accepts.
    if (checked.issues.length === 0 || !this.isWrapped || typeof value !== 'object' || value === null) return checked
    return WRAPPER in value ? this.check((value as Record<string, unknown>)[WRAPPER]) : checked
  }

  private argumentsOf(call: Parameters<typeof readCallArguments>[0]): unknown {
    try {
      const given = readCallArguments(call)
      return this.isWrapped ? given[WRAPPER] : given
    } catch {
      return undefined
    }
  }

  /** @throws {InvalidOutputError} if the model may not try again. */
  private countRepair(text: string, issues: readonly ArgumentIssue[], { state, task, mustAnswer }: JudgedStep): void {
    state.output_repairs = (state.output_repairs ?? 0) + 1
    if (mustAnswer || state.output_repairs > this.maxRepairs) throw new InvalidOutputError(task.taskId, issues, text)
  }

  private answerTool(): FunctionTool {
    const parameters = this.isWrapped ? wrapped(WRAPPER, this.json) : this.json
    return FunctionTool.fromDefaults({
      name: TOOL_NAME,
      description: 'Returns the final answer. End with one call of this tool, alone.',
      schema: parameters as object,
      // The library of the schema checks the answer.
      unchecked: this.isStandard ? 'accept' : 'throw',
      fn: async (args) => {
        const { issues } = await this.check(this.isWrapped ? (args as Record<string, unknown>)[WRAPPER] : args)
        if (issues.length > 0) throw new Error(`The answer does not match the schema: ${issuesText(issues)}.`)
        throw new Error('Call this tool alone, after the other tools.')
      },
    })
  }
}

interface Checked {
  value?: unknown
  issues: readonly ArgumentIssue[]
}

const unreadable: Checked = { issues: [{ path: '', message: 'expected JSON' }] }

/** Reads the JSON value in a string, also in a code fence or surrounded by text. */
function readJson(text: string, allowsAny: boolean): unknown {
  const trimmed = text.trim()
  const fenced = /^```[a-z]*\n([\s\S]*?)\n?```$/i.exec(trimmed)?.[1] ?? trimmed
  try {
    return parseExactly(fenced)
  } catch {}
  try {
    return allowsAny ? undefined : readArguments(fenced).value
  } catch {
    return undefined
  }
}
