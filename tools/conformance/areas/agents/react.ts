/** Reading and writing of ReAct text. */
import {
  isReasoningDone,
  ReActAnswerStream,
  ReActChatFormatter,
  ReActOutputParser,
  type ReasoningStep,
  reasoningText,
} from '@x/agents'
import type { Dict } from '@x/core-model'
import { type Operations, operation } from '../../case.ts'
import { argument, boolean, list, optional, type Read, shape, string, variants } from '../../reader.ts'
import { message, messageOf, messageRecord } from '../../stand-ins/messages.ts'
import { tool, toolOf } from '../../stand-ins/tools.ts'

const reasoning = variants('kind', {
  action: { thought: argument<string>(), action: argument<string>(), action_input: argument<Dict>() },
  observation: { observation: argument<string>() },
  response: {
    thought: argument<string>(),
    response: argument<string>(),
    is_streaming: optional(boolean),
    implicit: optional(boolean),
  },
})

function reasoningOf(record: Read<typeof reasoning>): ReasoningStep {
  switch (record.kind) {
    case 'action': {
      const { kind, thought, action, action_input: actionInput } = record
      return { kind, thought, action, actionInput }
    }
    case 'observation':
      return { kind: 'observation', observation: record.observation }
    case 'response': {
      const { kind, thought, response, is_streaming: isStreaming = false, implicit = false } = record
      return { kind, thought, response, isStreaming, implicit }
    }
  }
}

/** The thought of an answer without markers is null in the cases, even if the library stores one. */
function reasoningForm(step: ReasoningStep): Dict {
  if (step.kind === 'action')
    return { kind: 'action', thought: step.thought, action: step.action, action_input: step.actionInput }
  if (step.kind !== 'response') throw new Error(`the parser returned a record of the kind ${step.kind}`)
  const { implicit, thought, response, isStreaming } = step
  return { kind: 'response', implicit, thought: implicit ? null : thought, response, is_streaming: isStreaming }
}

function detectAnswer(chunks: readonly string[]): Dict {
  const stream = new ReActAnswerStream()
  let text = ''
  let first: number | null = null
  for (const [index, chunk] of chunks.entries()) {
    const piece = stream.push(chunk)
    if (piece !== '') first ??= index
    text += piece
  }
  text += stream.flush()
  if (stream.emitted) return { is_final: true, text: text.trim(), first_emit_at: first, streamed: true }
  const whole = stream.end()
  if (whole.kind === 'action') return { is_final: false, action: whole.action, action_input: whole.actionInput }
  return { is_final: true, text: whole.response.trim(), first_emit_at: null, streamed: false }
}

function headerName(header: string): string {
  if (header === new ReActChatFormatter().systemHeader) return 'default'
  const withContext = ReActChatFormatter.fromDefaults({ context: 'x' }).systemHeader
  return header === withContext ? 'default_with_context' : header
}

export const react: Operations = {
  'ReActOutputParser.parse': operation(
    shape({ output: argument<string>(), is_streaming: argument<boolean | undefined>() }),
    ({ output, is_streaming: isStreaming }) => reasoningForm(new ReActOutputParser().parse(output, { isStreaming })),
  ),

  'ReActAnswerStream.detect': operation(shape({ chunks: list(string) }), ({ chunks }) => detectAnswer(chunks)),

  'ReActChatFormatter.format': operation(
    shape({
      system_header: argument<string | undefined>(),
      context: argument<string | undefined>(),
      tools: list(tool),
      chat_history: list(message),
      current_reasoning: optional(list(reasoning)),
    }),
    ({ system_header: systemHeader, context, tools, chat_history: history, current_reasoning: records = [] }) =>
      new ReActChatFormatter({ systemHeader, context })
        .format(tools.map(toolOf), history.map(messageOf), records.map(reasoningOf))
        .map(messageRecord),
  ),

  'ReActChatFormatter.from_defaults': operation(
    shape({
      system_header: argument<string | undefined>(),
      context: argument<string | undefined>(),
      from_context: optional(boolean),
    }),
    ({ system_header: systemHeader, context, from_context }) => {
      const formatter = from_context
        ? ReActChatFormatter.fromContext(context ?? '')
        : ReActChatFormatter.fromDefaults({ systemHeader, context })
      return { header: headerName(formatter.systemHeader), context: formatter.context }
    },
  ),

  'ReasoningStep.get_content': operation(shape({ step: reasoning }), ({ step }) => reasoningText(reasoningOf(step))),

  'ReasoningStep.is_done': operation(shape({ step: reasoning }), ({ step }) => isReasoningDone(reasoningOf(step))),
}
