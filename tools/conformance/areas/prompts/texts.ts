/** Messages as texts, output parsers, sizes of prompts, and the known types of prompts. */
import { messagesToHistoryStr, messagesToPrompt, promptToMessages } from '@x/core-model'
import { getBiggestPrompt, getEmptyPromptTxt, promptTypes } from '@x/prompts'
import { type Operations, operation } from '../../case.ts'
import { argument, list, literal, shape } from '../../reader.ts'
import { dictsOf, message, messageOf } from '../../stand-ins/messages.ts'
import { parser, parserOf } from '../../stand-ins/output-parser.ts'
import { prompt, promptOf } from '../../stand-ins/prompts.ts'

const messages = list(message)

export const texts: Operations = {
  'llms.messages_to_prompt': operation(shape({ messages }), (given) => messagesToPrompt(given.messages.map(messageOf))),

  'llms.messages_to_history_str': operation(shape({ messages }), (given) =>
    messagesToHistoryStr(given.messages.map(messageOf)),
  ),

  'llms.prompt_to_messages': operation(shape({ prompt: argument<string>() }), (given) =>
    dictsOf(promptToMessages(given.prompt)),
  ),

  'output_parser.format': operation(shape({ parser, query: argument<string>() }), (given) =>
    parserOf(given.parser).format(given.query),
  ),

  'output_parser.format_messages': operation(shape({ parser, messages }), (given) =>
    dictsOf(parserOf(given.parser).formatMessages(given.messages.map(messageOf))),
  ),

  'prompt_utils.get_empty_prompt_txt': operation(shape({ prompt }), (given) =>
    getEmptyPromptTxt(promptOf(given.prompt)),
  ),

  'prompt_utils.get_biggest_prompt': operation(shape({ prompts: list(prompt) }), (given) => {
    const prompts = given.prompts.map(promptOf)
    return prompts.indexOf(getBiggestPrompt(prompts))
  }),

  'enum.values': operation(shape({ enum: literal('PromptType') }), () => [...promptTypes]),
}
