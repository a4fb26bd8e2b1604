import { component, live, nullable, oneOf } from '@x/core/schemas'
import type { CallbackManager, ChatMessage, OutputParser, PromptLike } from '@x/core-model'
import { String as Text } from 'typebox'
import { programModes } from './program-mode.ts'

const callbackManager = live<CallbackManager>({
  holds: ['startEvent', 'event'],
  schema: { type: 'object', default: {} },
  description: 'Receives the events.',
})

/** The fields of every language model; your own models add theirs. */
export const llmFields = {
  callbackManager,
  systemPrompt: nullable(Text(), {
    description: 'Prepended to the prompts of predict and stream; chat and complete do not use it.',
  }),
  messagesToPrompt: live<(messages: readonly ChatMessage[]) => string>({
    holds: 'function',
    description: 'Renders messages for a completion model.',
  }),
  completionToPrompt: live<(text: string) => string>({
    holds: 'function',
    description: 'Wraps a prompt for a completion model.',
  }),
  outputParser: live<OutputParser>({
    holds: ['parse', 'format'],
    schema: { type: 'object' },
    description: 'Adds instructions to prompts and parses answers, in predict.',
  }),
  pydanticProgramMode: oneOf(programModes, {
    description: 'How structured answers are requested.',
    default: 'default',
  }),
  queryWrapperPrompt: live<PromptLike>({
    holds: ['format'],
    schema: { type: 'object' },
    description: 'Wraps the whole prompt of a completion model; variable query_str.',
  }),
}

export const LLM = component('LLM', 'A language model.', llmFields, { className: null })
