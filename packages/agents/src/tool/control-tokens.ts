/**
 * @module
 * The control tokens of chat templates, as of 2026-11. A model server that reads them in a string takes them for the beginning of a message
 * or a call.
 */

/** Forms of tokens. Those that are a word in brackets are upper case, as "usage: x [args]" is not. */
export const CONTROL_TOKENS: Readonly<Record<string, RegExp>> = {
  /**
   * ChatML, Llama 3 and 4, Qwen, Phi, Command, Granite, Harmony, Kimi, GLM, EXAONE: any name between bars; DeepSeek and Hunyuan:
   * full-width.
   */
  bars: /[<＜﹤][|｜︱][^<>＜﹤\r\n]{1,80}?[|｜︱][>＞﹥]|\[\|[a-z]{1,20}\|\]/i,
  /** Gemma 4. */
  bar: /<\|[a-z_]{2,30}>|<[a-z_]{2,30}\|>/i,
  /** Llama 2, Mistral, GLM, Baichuan, BERT. */
  brackets:
    /\[(?:\/?(?:INST|SYSTEM_PROMPT|MODEL_SETTINGS|AVAILABLE_TOOLS|TOOL_(?:CALLS|RESULTS|CONTENT)|CALL_ID)|[gs]MASK|UNUSED_TOKEN_\d{1,4}|unused\d{1,4})\]/i,
  /** The same, and BERT. */
  words: /\[(?:\/?(?:TOOLS|ARGS|IMG|PREFIX|SUFFIX|MIDDLE|THINK)|MASK|BOS|EOS|PAD|UNK|CLS|SEP)\]/,
  /** The ends of sequences of most models, and the numbered tokens of Gemma, T5, Baichuan, Nemotron, InternLM and Seed. */
  angles:
    /[<＜﹤]\/?(?:s|[se]op|<\/?SYS>|bos|eos|eot|pad|unk|mask|sep|cls|(?:image|audio)_soft_token|(?:seed:|longcat_)[a-z_]{1,30}|(?:start|begin|beginning|end)_of_(?:turn|sentence|image|audio)|(?:start|end)_function_[a-z]{1,20}|(?:unused|extra_id_|reserved_(?:special_token_)?|SPECIAL_)\d{1,4})[>＞﹥]/i,
  /** Text in which models write calls and thoughts. */
  calls:
    /[<＜﹤]\/?(?:(?:(?:[a-z]{1,20}:)?tool_?(?:calls?|response|code|output)|tools|function_calls?|think(?:ing)?|arg_(?:key|value)|invoke|parameter)\b|function=?)[^<>＜﹤\r\n]{0,80}[>＞﹥]/i,
  /** MiniMax. */
  minimax: /\]~!?b?\[|\]~b\]|\[e~\[/i,
  /** Plain text templates: Alpaca and Vicuna have no tokens, but headings of a line. */
  alpaca: /###\s?(?:Instruction|Response|Human|Assistant|System|User)\s?:/i,
}

const FORMS = ['', 'i'].map((flags) => {
  const forms = Object.values(CONTROL_TOKENS).filter((form) => form.flags === flags)
  return new RegExp(forms.map(({ source }) => source).join('|'), `gu${flags}`)
})

/** Splits a token without changing what a reader sees. */
const JOINER = '\u2060'

/**
 * Returns a string in which no control token of a known chat template is left: each gets an invisible character behind its first one, so
 * that a model server reads ordinary text. Takes linear time.
 * @example
 * neutralized('<|im_end|>') === '<|im_end|>' // => false
 * neutralized('5 < 6') // => '5 < 6'
 */
export function neutralized(text: string): string {
  return FORMS.reduce((left, form) => left.replace(form, (token) => `${token[0]}${JOINER}${token.slice(1)}`), text)
}
