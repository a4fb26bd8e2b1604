/**
 * Writes a language model that says prepared texts: a table from each token to the next one. Which text it says is up to its chat
 * template, which ends the prompt with another token for each.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { model, operation, port, tensor } from './onnx.ts'

/** One text that the model says. */
export interface Reply {
  /** When it says the text: an expression of Jinja over `text` and `role` of the last message. The first one that is true counts. */
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

/** Writes the model. Its vocabulary is the replies; everything else in a prompt is an unknown token. */
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
  const added = [...special, ...starts].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  const choice = replies.map(({ when }, index) => `{%- ${index === 0 ? 'if' : 'elif'} ${when} -%}<reply-${index}>`)
  const files = {
    'config.json': {
      model_type: 'llama',
      architectures: ['LlamaForCausalLM'],
      vocab_size: tokens.length,
      hidden_size: 8,
      num_attention_heads: 1,
      num_key_value_heads: 1,
      num_hidden_layers: 0,
      bos_token_id: 0,
      eos_token_id: end,
      pad_token_id: end,
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: added,
      normalizer: null,
      pre_tokenizer: { type: 'Split', pattern: { Regex: '\\s*\\S+' }, behavior: 'Isolated', invert: false },
      post_processor: null,
      decoder: { type: 'Fuse' },
      model: {
        type: 'WordLevel',
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        unk_token: '<unk>',
      },
    },
    'tokenizer_config.json': {
      tokenizer_class: 'PreTrainedTokenizerFast',
      model_max_length: 4096,
      unk_token: '<unk>',
      eos_token: '<end>',
      pad_token: '<end>',
      clean_up_tokenization_spaces: false,
      chat_template: [
        "{%- for m in messages -%}{{ m['role'] }}: {{ m['content'] }} {% endfor -%}",
        "{%- set content = messages[-1]['content'] -%}{%- set role = messages[-1]['role'] -%}",
        "{%- set text = content if content is string else content[0]['text'] -%}",
        ...choice,
        '{%- else -%}<end>{%- endif -%}',
      ].join(''),
    },
  }
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content))
  const size = tokens.length
  const table = next.flatMap((id) => tokens.map((_, other) => (other === id ? 9 : 0)))
  writeFileSync(
    join(folder, 'onnx', 'model.onnx'),
    model({
      inputs: ['input_ids', 'attention_mask'].map((name) => port(name, 'int64', ['b', 's'])),
      constants: [tensor('next', 'float', [size, size], table)],
      operations: [operation('Gather', ['next', 'input_ids'], 'logits', { axis: 0 })],
      outputs: [port('logits', 'float', ['b', 's', size])],
    }),
  )
  return folder
}
