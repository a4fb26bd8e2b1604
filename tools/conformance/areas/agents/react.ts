/** Reading and writing of ReAct text. */
import {
  isReasoningDone,
  ReActAnswerStream,
  ReActChatFormatter,
  ReActOutputParser,
  type ReasoningStep,
  reasoningText,
} from '@x/agents/protocol'
import type { Dict } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { apiKeys, CaseError } from '../../given.ts'
import { type MessageRecord, messageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type ToolRecord, toolsOf } from '../../stand-ins/tools.ts'

function reasoningOf(record: Dict): ReasoningStep {
  const step = apiKeys<ReasoningStep>(record)
  if (step.kind === 'response') return Object.assign({ isStreaming: false, implicit: false }, step)
  if (step.kind === 'action' || step.kind === 'observation') return step
  throw new CaseError(`there is no reasoning step of the kind ${JSON.stringify(record['kind'])}`)
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

interface Format {
  systemHeader?: string
  context?: string
  tools: ToolRecord[]
  chatHistory: MessageRecord[]
  currentReasoning?: Dict[]
}

type Defaults = Pick<Format, 'systemHeader' | 'context'> & { fromContext?: boolean }

export const react: Operations = {
  'ReActOutputParser.parse': ({ output, isStreaming }: { output: string; isStreaming?: boolean }) =>
    reasoningForm(new ReActOutputParser().parse(output, { isStreaming })),

  'ReActAnswerStream.detect': ({ chunks }: { chunks: string[] }) => detectAnswer(chunks),

  'ReActChatFormatter.format': ({ tools, chatHistory, currentReasoning = [], systemHeader, context }: Format) =>
    new ReActChatFormatter({ systemHeader, context })
      .format(toolsOf(tools), messagesOf(chatHistory), currentReasoning.map(reasoningOf))
      .map(messageRecord),

  'ReActChatFormatter.from_defaults': ({ systemHeader, context, fromContext }: Defaults) => {
    const formatter = fromContext
      ? ReActChatFormatter.fromContext(context ?? '')
      : ReActChatFormatter.fromDefaults({ systemHeader, context })
    return { header: headerName(formatter.systemHeader), context: formatter.context }
  },

  'ReasoningStep.get_content': ({ step }: { step: Dict }) => reasoningText(reasoningOf(step)),
  'ReasoningStep.is_done': ({ step }: { step: Dict }) => isReasoningDone(reasoningOf(step)),
}
