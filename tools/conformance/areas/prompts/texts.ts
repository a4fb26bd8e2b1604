/** Messages as texts, output parsers, sizes of prompts, and the known types of prompts. */
import { messagesToHistoryStr, messagesToPrompt, promptToMessages } from '@x/core-model'
import { getBiggestPrompt, getEmptyPromptTxt, promptTypes } from '@x/prompts'
import type { Operations } from '../../case.ts'
import { named } from '../../given.ts'
import { dictsOf, type MessageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type ParserRecord, parserOf } from '../../stand-ins/output-parser.ts'
import { type PromptRecord, promptOf } from '../../stand-ins/prompts.ts'

interface OfMessages {
  messages: MessageRecord[]
}

interface OfParser extends OfMessages {
  parser: ParserRecord
  query: string
}

export const texts: Operations = {
  'llms.messages_to_prompt': ({ messages }: OfMessages) => messagesToPrompt(messagesOf(messages)),
  'llms.messages_to_history_str': ({ messages }: OfMessages) => messagesToHistoryStr(messagesOf(messages)),
  'llms.prompt_to_messages': ({ prompt }: { prompt: string }) => dictsOf(promptToMessages(prompt)),
  'output_parser.format': ({ parser, query }: OfParser) => parserOf(parser).format(query),
  'output_parser.format_messages': ({ parser, messages }: OfParser) =>
    dictsOf(parserOf(parser).formatMessages(messagesOf(messages))),
  'prompt_utils.get_empty_prompt_txt': ({ prompt }: { prompt: PromptRecord }) => getEmptyPromptTxt(promptOf(prompt)),

  'prompt_utils.get_biggest_prompt': (given: { prompts: PromptRecord[] }) => {
    const prompts = given.prompts.map(promptOf)
    return prompts.indexOf(getBiggestPrompt(prompts))
  },

  'enum.values': (given: { enum: string }) => [...named({ PromptType: promptTypes }, given.enum)],
}
