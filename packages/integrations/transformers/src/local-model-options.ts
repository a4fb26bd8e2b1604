/**
 * @module
 * Options of local models: which model is used, where it is loaded from and how it runs.
 */
import { callback, flag, type OptionTable, text, unchecked, wholeNumber } from '@x/core/options'
import type { ModelCallError, ModelCallErrorKind } from '@x/llm'
import type { TransformersLibrary } from './library.ts'

/** The progress of loading, as the library reports it. */
export interface LoadProgress {
  /** `initiate`, `download`, `progress`, `done` and others. */
  status: string
  /** The file that is loaded. */
  file?: string
  /** The part of the file that is loaded, in percent. */
  progress?: number
  /** The number of bytes that are loaded. */
  loaded?: number
  /** The number of bytes of the file. */
  total?: number
}

/** The types of weights. */
type WeightType =
  | 'auto'
  | 'fp32'
  | 'fp16'
  | 'q8'
  | 'int8'
  | 'uint8'
  | 'q4'
  | 'bnb4'
  | 'q4f16'
  | 'q2'
  | 'q2f16'
  | 'q1'
  | 'q1f16'

/** The options of all local models: which model is used, where it is loaded from and how it runs. */
export interface LocalModelOptions {
  /** The name of the model on the Hugging Face hub and in events. */
  modelName: string
  /**
   * The folder of the model on this machine. @defaultValue the model of that name in the cache, or in `env.localModelPath` of the library
   */
  path?: string | undefined
  /** Whether a model that is not on this machine is downloaded. @defaultValue false */
  allowRemoteModels?: boolean | undefined
  /** The branch, tag or commit of the model on the hub. @defaultValue 'main' */
  revision?: string | undefined
  /** The folder of downloaded models. @defaultValue `env.cacheDir` of the library */
  cacheDir?: string | undefined
  /**
   * The device: in Node `cpu`, `cuda`, `dml`, `coreml` or `webgpu`, in browsers `wasm`, `webgpu` or `webnn`. @defaultValue `cpu` in Node,
   * `wasm` in browsers
   */
  device?: string | undefined
  /** The type of the weights. A model has one file for each type that it offers; `q8` is a quarter of `fp32`. @defaultValue 'fp32' */
  dtype?: WeightType | undefined
  /** The maximum number of tokens that the model reads at once, special tokens included. @defaultValue that of the model */
  maxTokens?: number | undefined
  /** The maximum number of tokens in one run of the model, padding included: more are faster and need more memory. @defaultValue 4096 */
  maxBatchTokens?: number | undefined
  /** Receives the progress of loading. */
  onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Imports the library, for bundlers that need the import in your code. @defaultValue () => import('@huggingface/transformers') */
  library?: (() => Promise<TransformersLibrary>) | undefined
}

/** The checks of {@link LocalModelOptions}. */
export const localModelOptions: OptionTable<LocalModelOptions> = {
  modelName: text,
  path: text,
  allowRemoteModels: flag,
  revision: text,
  cacheDir: text,
  device: text,
  dtype: unchecked,
  maxTokens: unchecked,
  maxBatchTokens: wholeNumber(1),
  onProgress: callback,
  library: callback,
}

/** The classes of an adapter and of its model. */
export interface ModelTask {
  /** The class of the adapter. */
  owner: string
  /** The class of the library. */
  network: Exclude<keyof TransformersLibrary, 'Tensor' | 'AutoTokenizer'>
  /** The possible names of the output that the adapter reads; the first existing one is used. */
  outputs: readonly string[]
}

/** Returns an error of the model. The message of a cause is added. */
export type ModelErrorOf = (problem: string, kind: ModelCallErrorKind, cause?: unknown) => ModelCallError
