/** Tokenizers of the three families, each with the words that a test uses. */

/** A tokenizer as files of a model describe it. */
export interface TinyTokenizer {
  /** The content of `tokenizer.json`. */
  json: object
  /** The content of `tokenizer_config.json`. */
  config: object
  /** The tokens, by id. */
  tokens: readonly string[]
}

/** The content of `tokenizer.json`. The special tokens are the first ones. */
export function tokenizerFile(special: readonly string[], parts: object): object {
  const added_tokens = special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  return { version: '1.0', truncation: null, padding: null, added_tokens, ...parts }
}

/** The ids of tokens, which are their places. */
export const vocabularyOf = (tokens: readonly string[]): Record<string, number> =>
  Object.fromEntries(tokens.map((token, id) => [token, id]))

/** Puts special tokens around one text, and around and between two. */
function template(tokens: readonly string[], single: string, pair: string) {
  const parts = (form: string) =>
    form.split(' ').map((part) => {
      const [id, type = '0'] = part.split(':') as [string, string?]
      const type_id = Number(type)
      return id === 'A' || id === 'B' ? { Sequence: { id, type_id } } : { SpecialToken: { id, type_id } }
    })
  const used = [...new Set(`${single} ${pair}`.split(' ').map((part) => part.split(':')[0]!))]
  return {
    type: 'TemplateProcessing',
    single: parts(single),
    pair: parts(pair),
    special_tokens: Object.fromEntries(
      used.filter((id) => id !== 'A' && id !== 'B').map((id) => [id, { id, ids: [tokens.indexOf(id)], tokens: [id] }]),
    ),
  }
}

/** The special tokens of the XLM-RoBERTa and RoBERTa families. */
const robertaSpecial = ['<s>', '<pad>', '</s>', '<unk>']

/** The part of `tokenizer_config.json` that says what they are for. */
const robertaConfig = {
  model_max_length: 512,
  bos_token: '<s>',
  eos_token: '</s>',
  cls_token: '<s>',
  sep_token: '</s>',
  pad_token: '<pad>',
  unk_token: '<unk>',
}

/** The options of {@link wordPiece}. */
interface WordPieceOptions {
  /** Whether upper and lower case are one, and accents are removed. */
  lowercase?: boolean
  modelMaxLength?: number
}

/** As BERT has it: `Bobby` may be `Bob`, `##by`; an unknown word is one `[UNK]`. */
export function wordPiece(
  words: readonly string[],
  { lowercase = false, modelMaxLength = 512 }: WordPieceOptions = {},
): TinyTokenizer {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
  const tokens = [...special, ...words]
  return {
    tokens,
    json: tokenizerFile(special, {
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: template(tokens, '[CLS] A [SEP]', '[CLS] A [SEP] B:1 [SEP]:1'),
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: vocabularyOf(tokens),
      },
    }),
    config: {
      tokenizer_class: 'BertTokenizer',
      model_max_length: modelMaxLength,
      cls_token: '[CLS]',
      sep_token: '[SEP]',
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      mask_token: '[MASK]',
    },
  }
}

/** As XLM-RoBERTa has it: pieces with `▁` for the blank before a word. Scores prefer long pieces. */
export function sentencePiece(pieces: readonly string[]): TinyTokenizer {
  const tokens = [...robertaSpecial, ...pieces]
  return {
    tokens,
    json: tokenizerFile(robertaSpecial, {
      normalizer: {
        type: 'Sequence',
        normalizers: [{ type: 'NFKC' }, { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' }],
      },
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
      post_processor: template(tokens, '<s> A </s>', '<s> A </s> </s> B </s>'),
      decoder: { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
      model: {
        type: 'Unigram',
        unk_id: 3,
        vocab: tokens.map((token, id) => [token, id < robertaSpecial.length ? 0 : -10 / [...token].length]),
      },
    }),
    config: {
      tokenizer_class: 'XLMRobertaTokenizer',
      ...robertaConfig,
    },
  }
}

/** The characters that byte-level tokenizers write for the bytes 0 to 255. */
export const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte).map(
  (
    (next) => (byte) =>
      (byte > 32 && byte < 127) || (byte > 160 && byte < 173) || byte > 173
        ? String.fromCharCode(byte)
        : String.fromCharCode(256 + next++)
  )(0),
)

/** As RoBERTa has it: any text in pieces of bytes, a blank before a word is `Ġ`. Without merges each byte is a token. */
export function byteLevel(merges: readonly (readonly [string, string])[]): TinyTokenizer {
  const tokens = [...new Set([...robertaSpecial, ...byteCharacters, ...merges.map(([a, b]) => a + b)])]
  return {
    tokens,
    json: tokenizerFile(robertaSpecial, {
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: template(tokens, '<s> A </s>', '<s> A </s> </s> B </s>'),
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: '',
        end_of_word_suffix: '',
        fuse_unk: false,
        vocab: vocabularyOf(tokens),
        merges: merges.map(([a, b]) => `${a} ${b}`),
      },
    }),
    config: {
      tokenizer_class: 'RobertaTokenizer',
      ...robertaConfig,
    },
  }
}
