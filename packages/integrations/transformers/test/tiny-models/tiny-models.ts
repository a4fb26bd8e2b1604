/**
 * Writes complete models of a few hundred bytes, as the Hugging Face hub has them: `config.json`, `tokenizer.json`,
 * `tokenizer_config.json` and `onnx/model.onnx`. What they answer follows from tables, so tests can state it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Graph, model, operation, port, tensor } from './onnx.ts'
import { type TinyTokenizer, wordPiece } from './tokenizers.ts'

const tokenInputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => port(name, 'int64', ['b', 's']))

interface ModelFiles {
  config: object
  tokenizer: TinyTokenizer
  graph: Graph
}

/** Writes the files of a model. */
export function writeModel(folder: string, { config, tokenizer, graph }: ModelFiles): string {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const size = {
    hidden_size: 8,
    num_attention_heads: 1,
    num_key_value_heads: 1,
    num_hidden_layers: 0,
    vocab_size: tokenizer.tokens.length,
    pad_token_id: 0,
  }
  for (const [name, content] of Object.entries({
    'config.json': { ...size, ...config },
    'tokenizer.json': tokenizer.json,
    'tokenizer_config.json': tokenizer.config,
  }))
    writeFileSync(join(folder, name), JSON.stringify(content))
  writeFileSync(join(folder, 'onnx', 'model.onnx'), model(graph))
  return folder
}

/** A graph that looks each token up in a table: one row per token id. */
function lookUp(output: string, rows: readonly (readonly number[])[]): Graph {
  const width = rows[0]!.length
  return {
    inputs: tokenInputs,
    constants: [tensor('table', 'float', [rows.length, width], rows.flat())],
    operations: [operation('Gather', ['table', 'input_ids'], output, { axis: 0 })],
    outputs: [port(output, 'float', ['b', 's', width])],
  }
}

interface EmbeddingModel {
  /** The vector of each token; the others have zeros. */
  vectors: Readonly<Record<string, readonly number[]>>
  tokenizer?: TinyTokenizer
  config?: object
}

/** An embedding model. The output for a token is its own vector. */
export function writeEmbeddingModel(folder: string, { vectors, tokenizer, config }: EmbeddingModel): string {
  const own = tokenizer ?? wordPiece(Object.keys(vectors), { lowercase: true })
  const zeros = Object.values(vectors)[0]!.map(() => 0)
  return writeModel(folder, {
    config: { model_type: 'bert', architectures: ['BertModel'], ...config },
    tokenizer: own,
    graph: lookUp(
      'last_hidden_state',
      own.tokens.map((token) => vectors[token] ?? zeros),
    ),
  })
}

interface EntityModel {
  /** The label of each token, such as `B-PER`; the others have `O`. */
  labels: Readonly<Record<string, string>>
  /** Tokens that have their label only behind a token with a label. */
  afterEntity?: readonly string[]
  tokenizer?: TinyTokenizer
  config?: object
}

/**
 * A token classification model. Of the tokens in `afterEntity` the label depends on the token before, so that a window that starts
 * at such a token misses it.
 */
export function writeEntityModel(folder: string, { labels, afterEntity = [], tokenizer, config }: EntityModel): string {
  const own = tokenizer ?? wordPiece(Object.keys(labels))
  const names = ['O', ...new Set(Object.values(labels))]
  const row = (label: string | undefined, weight: number) => names.map((name) => (name === label ? weight : 0))
  const rows = own.tokens.map((token) => {
    const label = labels[token]
    return row(label ?? 'O', label && afterEntity.includes(token) ? 2 : 6)
  })
  // Behind an entity: outside loses what the own label of a token needs to win.
  const after = own.tokens.map((token) => row('O', labels[token] ? 0 : 4))
  const { inputs, constants, operations, outputs } = lookUp('logits', rows)
  const shifted = afterEntity.length > 0
  return writeModel(folder, {
    config: {
      model_type: 'bert',
      architectures: ['BertForTokenClassification'],
      id2label: Object.fromEntries(names.map((name, id) => [id, name])),
      label2id: Object.fromEntries(names.map((name, id) => [name, id])),
      ...config,
    },
    tokenizer: own,
    graph: shifted
      ? {
          inputs,
          constants: [
            ...constants,
            tensor('after', 'float', [after.length, names.length], after.flat()),
            tensor('shift', 'int64', [6], [0, 1, 0, 0, -1, 0]),
          ],
          operations: [
            operation('Gather', ['table', 'input_ids'], 'own', { axis: 0 }),
            operation('Gather', ['after', 'input_ids'], 'each', { axis: 0 }),
            operation('Pad', ['each', 'shift'], 'before'),
            operation('Add', ['own', 'before'], 'logits'),
          ],
          outputs,
        }
      : { inputs, constants, operations, outputs },
  })
}

interface CrossEncoderModel {
  words: readonly string[]
  /** Added to the number of words that query and passage share. @defaultValue -1 */
  bias?: number
  labels?: readonly string[]
  tokenizer?: TinyTokenizer
  config?: object
}

/** A cross-encoder. Its logit is the number of pairs of equal words in query and passage, plus `bias`. */
export function writeCrossEncoderModel(folder: string, options: CrossEncoderModel): string {
  const { words, bias = -1, labels = ['LABEL_0'], config } = options
  const tokenizer = options.tokenizer ?? wordPiece(words, { lowercase: true })
  const size = tokenizer.tokens.length
  const isWord = (id: number) => words.includes(tokenizer.tokens[id]!)
  const identity = Array.from({ length: size * size }, (_, place) => {
    const row = Math.floor(place / size)
    return row === place % size && isWord(row) ? 1 : 0
  })
  return writeModel(folder, {
    config: {
      model_type: 'bert',
      architectures: ['BertForSequenceClassification'],
      id2label: Object.fromEntries(labels.map((name, id) => [id, name])),
      label2id: Object.fromEntries(labels.map((name, id) => [name, id])),
      ...config,
    },
    tokenizer,
    graph: {
      inputs: tokenInputs,
      constants: [
        tensor('identity', 'float', [size, size], identity),
        tensor('tokens', 'int64', [1], [1]),
        tensor('last', 'int64', [1], [2]),
        tensor(
          'bias',
          'float',
          [labels.length],
          labels.map(() => bias),
        ),
      ],
      operations: [
        operation('Gather', ['identity', 'input_ids'], 'words', { axis: 0 }),
        operation('Cast', ['attention_mask'], 'mask', { to: 1 }),
        operation('Cast', ['token_type_ids'], 'types', { to: 1 }),
        operation('Mul', ['mask', 'types'], 'in passage'),
        operation('Sub', ['mask', 'in passage'], 'in query'),
        ...['query', 'passage'].flatMap((part) => [
          operation('Unsqueeze', [`in ${part}`, 'last'], `column ${part}`),
          operation('Mul', ['words', `column ${part}`], `words of ${part}`),
          operation('ReduceSum', [`words of ${part}`, 'tokens'], `counts of ${part}`, { keepdims: 0 }),
        ]),
        operation('Mul', ['counts of query', 'counts of passage'], 'shared'),
        operation('ReduceSum', ['shared', 'tokens'], 'sum', { keepdims: 1 }),
        operation('Add', ['sum', 'bias'], 'logits'),
      ],
      outputs: [port('logits', 'float', ['b', labels.length])],
    },
  })
}
