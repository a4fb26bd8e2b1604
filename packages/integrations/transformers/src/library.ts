/**
 * @module
 * The part of transformers.js that this package uses.
 */
/** A class with models or tokenizers of a kind. */
interface Loadable<Loaded> {
  from_pretrained(name: string, options?: Record<string, unknown>): Promise<Loaded>
}

/** The ids of a string or of a pair of strings, special tokens included. */
interface EncodedText {
  input_ids: number[]
  token_type_ids?: number[]
}

/** A tokenizer. */
export interface ModelTokenizer {
  (text: string, options: { text_pair?: string; return_tensor: false; return_token_type_ids: true }): EncodedText
  encode(text: string, options?: { add_special_tokens?: boolean }): number[]
  /** Returns the tokens as the vocabulary spells them, without special tokens. */
  tokenize(text: string): string[]
  readonly model_max_length: number
  pad_token_id?: number | undefined
  unk_token?: string | null | undefined
}

/** A result of a model. */
interface ModelOutput {
  dims: readonly number[]
  type: string
  data: ArrayLike<unknown>
  to(type: 'float32'): ModelOutput
}

/** A model. */
export interface Network {
  (inputs: Record<string, unknown>): Promise<Record<string, ModelOutput | undefined>>
  config: object
  dispose(): Promise<unknown>
}

/** The classes of `@huggingface/transformers` that this package uses. */
export interface TransformersLibrary {
  AutoTokenizer: Loadable<ModelTokenizer>
  AutoModel: Loadable<Network>
  AutoModelForSequenceClassification: Loadable<Network>
  AutoModelForTokenClassification: Loadable<Network>
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => unknown
}
