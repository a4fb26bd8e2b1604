import { String as Text } from 'typebox'
import { component, live, nullable, oneOf } from '../define.ts'
import { programModes } from './program-mode.ts'

const callbackManager = live({
  type: 'CallbackManager',
  imports: { CallbackManager: './callbacks/callback-manager.ts' },
  holds: ['startEvent', 'event'],
  schema: { type: 'object', default: {} },
  description: 'Receives the events.',
})

/** The fields of every language model; own models add theirs. */
export const llmFields = {
  callbackManager,
  systemPrompt: nullable(Text(), {
    description: 'Prepended to the prompts of predict and stream; chat and complete do not use it.',
  }),
  messagesToPrompt: live({
    type: '(messages: readonly ChatMessage[]) => string',
    imports: { ChatMessage: './messages/chat-message.ts' },
    holds: 'function',
    description: 'Renders messages for a completion model.',
  }),
  completionToPrompt: live({
    type: '(text: string) => string',
    holds: 'function',
    description: 'Wraps a prompt for a completion model.',
  }),
  outputParser: live({
    type: 'OutputParser',
    imports: { OutputParser: './contracts/output-parser.ts' },
    holds: ['parse', 'format'],
    schema: { type: 'object' },
    description: 'Adds instructions to prompts and parses answers, in predict.',
  }),
  pydanticProgramMode: oneOf(programModes, {
    description: 'How structured answers are requested.',
    default: 'default',
  }),
  queryWrapperPrompt: live({
    type: 'PromptLike',
    imports: { PromptLike: './contracts/llm.ts' },
    holds: ['format'],
    schema: { type: 'object' },
    description: 'Wraps the whole prompt of a completion model; variable query_str.',
  }),
}

export const LLM = component('LLM', 'A language model.', llmFields, { className: null })
