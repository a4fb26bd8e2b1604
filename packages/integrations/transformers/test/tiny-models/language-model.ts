/**
 * Writes a language model with prepared answers: a table from each token to the next one. The chat template selects the answer:
 * template, which ends the prompt with another token for each.
 */
import { type Graph, operation, port, tensor } from './onnx.ts'
import { writeModel } from './tiny-models.ts'
import { tokenizerFile, vocabularyOf } from './tokenizers.ts'

/** One answer of the model. */
export interface Reply {
  /** The condition of the answer: a Jinja expression over `text` and `role` of the last message. The first true one counts. */
  when: string
  text: string
}

const special = ['<unk>', '<end>'] as const

/** The replies as tokens: words with the blank before them, as many of them together as it takes to occur once. */
function piecesOf(replies: readonly Reply[]): string[][] {
  const used = new Set<string>()
  return replies.map(({ text }) => {
    const pieces: string[] = []
    let piece = ''
    for (const word of text.match(/\s*\S+(?:\s+$)?/g) ?? []) {
      piece += word
      if (used.has(piece)) continue
      used.add(piece)
      pieces.push(piece)
      piece = ''
    }
    if (piece !== '')
      throw new Error(`"${piece}" at the end of a reply is a token of another one: write it differently.`)
    return pieces
  })
}

/** Every word of a prompt is a token; a token that the replies do not contain is unknown. */
function tokenizerOf(tokens: readonly string[], specialCount: number): object {
  return tokenizerFile(tokens.slice(0, specialCount), {
    normalizer: null,
    pre_tokenizer: { type: 'Split', pattern: { Regex: '\\s*\\S+' }, behavior: 'Isolated', invert: false },
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: { type: 'WordLevel', vocab: vocabularyOf(tokens), unk_token: '<unk>' },
  })
}

/** Writes the conversation, and behind it the token that starts the reply. */
function chatTemplate(replies: readonly Reply[]): string {
  return [
    "{%- for m in messages -%}{{ m['role'] }}: {{ m['content'] }} {% endfor -%}",
    "{%- set content = messages[-1]['content'] -%}{%- set role = messages[-1]['role'] -%}",
    "{%- set text = content if content is string else content[0]['text'] -%}",
    ...replies.map(({ when }, index) => `{%- ${index === 0 ? 'if' : 'elif'} ${when} -%}<reply-${index}>`),
    '{%- else -%}<end>{%- endif -%}',
  ].join('')
}

/** Looks the next token up. */
function graphOf(next: readonly number[]): Graph {
  const size = next.length
  const table = next.flatMap((id) => next.map((_, other) => (other === id ? 9 : 0)))
  return {
    inputs: ['input_ids', 'attention_mask'].map((name) => port(name, 'int64', ['b', 's'])),
    constants: [tensor('next', 'float', [size, size], table)],
    operations: [operation('Gather', ['next', 'input_ids'], 'logits', { axis: 0 })],
    outputs: [port('logits', 'float', ['b', 's', size])],
  }
}

/** Writes the model. Its vocabulary is the replies. */
export function writeLanguageModel(folder: string, replies: readonly Reply[]): string {
  const pieces = piecesOf(replies)
  const starts = replies.map((_, index) => `<reply-${index}>`)
  const tokens = [...special, ...starts, ...pieces.flat()]
  const end = tokens.indexOf('<end>')
  const next = tokens.map(() => end)
  for (const [index, words] of pieces.entries()) {
    const chain = [starts[index]!, ...words].map((token) => tokens.indexOf(token))
    for (const [place, id] of chain.entries()) next[id] = chain[place + 1] ?? end
  }
  return writeModel(folder, {
    config: {
      model_type: 'llama',
      architectures: ['LlamaForCausalLM'],
      bos_token_id: 0,
      eos_token_id: end,
      pad_token_id: end,
    },
    tokenizer: {
      tokens,
      json: tokenizerOf(tokens, special.length + starts.length),
      config: {
        tokenizer_class: 'PreTrainedTokenizerFast',
        model_max_length: 4096,
        unk_token: '<unk>',
        eos_token: '<end>',
        pad_token: '<end>',
        clean_up_tokenization_spaces: false,
        chat_template: chatTemplate(replies),
      },
    },
    graph: graphOf(next),
  })
}
