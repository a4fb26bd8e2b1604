/**
 * @module
 * Structured answers: the answer is a value that matches a schema.
 */
import { checkOptions, choice, type OptionTable, wholeNumber } from '@x/core/options'
import { AnswerSchema } from '../loop/answer-schema.ts'
import type { OutputMode, StructuredLayer } from '../loop/hooks.ts'
import type { Layer, RequestPlan } from '../loop/layer.ts'
import type { ToolSchema } from '../tool/tool-schema.ts'

/** Options of {@link structured}. */
interface StructuredOptions {
  /**
   * How the model returns the answer: by a call of the tool `final_answer`, which works with every model, or as its reply, for models
   * with `responseFormat`. @defaultValue 'tool'
   */
  mode?: OutputMode | undefined
  /** How often the model may correct an answer that does not match the schema, per task. @defaultValue 2 */
  maxRepairs?: number | undefined
}

const OPTIONS: OptionTable<StructuredOptions> = {
  mode: choice('tool', 'response_format'),
  maxRepairs: wholeNumber(0, 'or infinity'),
}

/**
 * Requires an answer that matches a schema: JSON Schema, TypeBox or a Standard Schema. It is checked, and the model may correct it. The
 * option `output` of an agent, or a layer of a loop.
 * @throws {ConfigurationError} if the schema cannot be converted to JSON Schema, or contains parts that nothing checks.
 * @throws {ModelValidationError} if an option is unknown or out of range.
 */
export function structured<const Schema extends ToolSchema>(
  schema: Schema,
  options: StructuredOptions = {},
): Layer & StructuredLayer<Schema> {
  checkOptions('structured', options, OPTIONS)
  const answer = new AnswerSchema(schema, options)
  return {
    name: 'structured',
    rank: 40,
    answer,
    holdsText: true,
    request: (next) => async (plan, scope) => {
      const request = await next(withAnswerTool(plan, answer, scope.mustAnswer), scope)
      return { ...request, options: { ...request.options, ...answer.callOptions } }
    },
    read: (next) => async (message, scope) => answer.judge(await next(message, scope), scope),
    record: (next) => async (turn, outputs, scope) => {
      const outcome = await next(turn, outputs, scope)
      if (outcome.kind !== 'answer' || turn.kind !== 'answer') return outcome
      // A guard may have changed the text of the answer.
      const isSame = turn.output !== undefined && outcome.text === turn.text
      return isSame ? outcome : { ...outcome, output: await answer.valueOf(outcome.text, scope.task) }
    },
  }
}

/** An agent with an answer tool ends with a call of it, so the model must always call a tool. */
function withAnswerTool(plan: RequestPlan, { tool }: AnswerSchema, mustAnswer: boolean | undefined): RequestPlan {
  if (!tool) return plan
  const tools = [...plan.tools, tool]
  if (plan.isChosen) return { ...plan, tools }
  if (mustAnswer || plan.isLimited) return { ...plan, tools, toolChoice: tool.metadata.name ?? 'required' }
  return { ...plan, tools, toolChoice: plan.toolChoice === 'auto' ? 'required' : plan.toolChoice }
}
