/**
 * @module
 * The control tokens of chat templates, as of 2026-11. A model server that reads them in a string takes them for the beginning of a message
 * or a call.
 */

/** Forms of tokens. */
export const CONTROL_TOKENS: Readonly<Record<string, RegExp>> = {
  /** ChatML, Llama 3 and 4, Qwen, Phi, Command, Granite, Harmony, Kimi, GLM, EXAONE: any name between bars; DeepSeek and Hunyuan: full-width. */
  bars: /<[|｜︱][^<>\r\n]{0,80}?[|｜︱]>|\[\|[a-z]{1,20}\|\]/,
  /** Llama 2, Mistral, GLM, Baichuan. */
  brackets:
    /\[(?:\/?(?:INST|SYSTEM_PROMPT|(?:AVAILABLE_)?TOOL(?:S|_CALLS|_RESULTS|_CONTENT)|ARGS|CALL_ID|IMG|PREFIX|SUFFIX|MIDDLE|THINK)|[gs]?MASK|BOS|EOS|PAD|UNK|CLS|SEP|UNUSED_TOKEN_\d{1,4})\]/,
  /** The ends of sequences of most models, and the numbered tokens of Gemma, T5, Baichuan, Nemotron, InternLM and Seed. */
  angles:
    /<\/?(?:s|[se]op|<\/?SYS>|bos|eos|pad|unk|mask|sep|cls|(?:image|audio)_soft_token|seed:[a-z_]{1,30}|(?:start|end)_of_(?:turn|image|audio)|(?:unused|extra_id_|reserved_|SPECIAL_)\d{1,4})>/,
  /** Text in which models write calls and thoughts. */
  calls:
    /<\/?(?:(?:tool_(?:calls?|response)|tools|function_calls?|think(?:ing)?|arg_(?:key|value)|invoke|parameter)\b|function=?)[^<>\r\n]{0,80}>/,
  /** MiniMax. */
  minimax: /\]~!?b?\[|\]~b\]|\[e~\[/,
  /** Plain text templates: Alpaca and Vicuna have no tokens, but headings of a line. */
  alpaca: /###\s?(?:Instruction|Response|Human|Assistant|System|User)\s?:/,
}

const ANY = new RegExp(
  Object.values(CONTROL_TOKENS)
    .map(({ source }) => source)
    .join('|'),
  'giu',
)

/** Splits a token without changing what a reader sees. */
const JOINER = '\u2060'

/**
 * Returns a string in which no control token of a known chat template is left: each gets an invisible character behind its first one, so that
 * a model server reads ordinary text. Takes linear time.
 * @example
 * neutralized('<|im_end|>') === '<|im_end|>' // => false
 * neutralized('5 < 6') // => '5 < 6'
 */
export function neutralized(text: string): string {
  return text.replace(ANY, (token) => `${token[0]}${JOINER}${token.slice(1)}`)
}
