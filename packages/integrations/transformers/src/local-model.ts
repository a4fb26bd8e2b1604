/**
 * @module
 * A model that runs in this process: loaded once, run in batches of similar length, one call after another.
 */

import { checkOptions, type OptionCheck } from '@x/core/options'
import { errorMessage } from '@x/core/values'
import { raceAbort } from '@x/core-model/async'
import { ModelCallError } from '@x/llm'
import type { ModelTokenizer, TransformersLibrary } from './library.ts'
import { loadLibrary, loadParts } from './load.ts'
import { type LocalModelOptions, localModelOptions, type ModelErrorOf, type ModelTask } from './local-model-options.ts'

/** One input of a model: ids with special tokens, and for each id the text that it belongs to. */
export interface TokenSequence {
  ids: readonly number[]
  types?: readonly number[]
}

/** The part of a result that belongs to one input. */
export interface OutputRow {
  values: ArrayLike<number>
  /** The number of values of a token, or of the whole input. */
  width: number
}

/** A loaded model. */
export interface LoadedModel {
  tokenizer: ModelTokenizer
  /** The content of `config.json`. */
  config: Record<string, unknown>
  /** The maximum number of tokens, special tokens included. */
  maxTokens: number
  /** Runs the model. Calls `read` with the result for each input, in any order. */
  run<Input extends TokenSequence>(
    inputs: readonly Input[],
    signal: AbortSignal | undefined,
    read: (input: Input, row: OutputRow) => void,
  ): Promise<void>
  dispose(): Promise<unknown>
}

/** A model that is loaded at its first use, and again after a failure or `dispose`. */
export interface LocalModel {
  /** Calls `work` with the model, after the calls before. Rejects as soon as the signal aborts. */
  use<T>(signal: AbortSignal | undefined, work: (model: LoadedModel) => Promise<T>): Promise<T>
  /** Releases the model when the calls in progress are done. */
  dispose(): Promise<void>
  error: ModelErrorOf
}

/** @throws {ModelCallError} when `dtype` does not exist. */
export function localModel(
  task: ModelTask,
  options: LocalModelOptions,
  further: Readonly<Record<string, OptionCheck>> = {},
): LocalModel {
  checkOptions(task.owner, options, { ...localModelOptions, ...further })
  const where = `${task.owner} ${options.modelName}`
  const error: ModelErrorOf = (problem, kind, cause) =>
    new ModelCallError(`${where}: ${problem}${cause === undefined ? '' : `: ${errorMessage(cause)}`}`, { kind, cause })
  // The library uses its default for an unknown type.
  if (!/^(?:auto|bnb4|fp(?:16|32)|u?int8|q8|q[124](?:f16)?)$/.test(options.dtype ?? 'auto'))
    throw error(`unknown dtype ${options.dtype}`, 'bad_request')

  let loading: Promise<LoadedModel> | undefined
  let lastCall: Promise<unknown> = Promise.resolve()
  const load = () => {
    if (!loading) {
      const started = loadModel(where, task, options, error)
      loading = started
      started.catch(() => {
        if (loading === started) loading = undefined
      })
    }
    return loading
  }
  /** Runs calls one after another, because some runtimes do not support concurrent runs. */
  const inTurn = <T>(work: () => Promise<T>) => {
    const turn = lastCall.then(work)
    lastCall = turn.catch(() => {})
    return turn
  }

  return {
    error,
    async use(signal, work) {
      signal?.throwIfAborted()
      const model = load()
      return raceAbort(
        inTurn(async () => work(await model)),
        signal,
      )
    },
    async dispose() {
      const loaded = loading
      loading = undefined
      await inTurn(async () =>
        loaded?.then(
          (model) => model.dispose(),
          () => {},
        ),
      )
    },
  }
}

async function loadModel(
  where: string,
  task: ModelTask,
  options: LocalModelOptions,
  error: ModelErrorOf,
): Promise<LoadedModel> {
  const library = await loadLibrary(where, options.library)
  const { network, tokenizer } = await loadParts(library, task, options, error)
  const { maxTokens, maxBatchTokens = 4096 } = options
  const { outputs } = task
  const config: Record<string, unknown> = { ...network.config }

  async function runBatch<Input extends TokenSequence>(
    batch: readonly Input[],
    read: (input: Input, row: OutputRow) => void,
  ) {
    const result = await network(feedsOf(library, batch, tokenizer.pad_token_id ?? 0)).catch((cause: unknown) => {
      throw error('the model failed', 'bad_response', cause)
    })
    const tensor = result[outputs.find((name) => result[name]) ?? '']
    if (!tensor) throw error(`no output ${outputs.join(' or ')}: a model for a different task`, 'bad_request')
    const { dims, type } = tensor
    const values = (type === 'float32' ? tensor : tensor.to('float32')).data as Float32Array
    const stride = values.length / batch.length
    if (dims[0] !== batch.length || !values.every(Number.isFinite))
      throw error(`expected finite numbers [${dims}]`, 'bad_response')
    for (const [row, input] of batch.entries())
      read(input, { values: values.slice(row * stride, (row + 1) * stride), width: dims.at(-1)! })
  }

  return {
    tokenizer,
    config,
    maxTokens: Math.floor(maxTokens ?? longestInput(tokenizer, config)),
    async run(inputs, signal, read) {
      for (const batch of batches(inputs, maxBatchTokens)) {
        // Lets timers and events run, because some runtimes compute in this thread.
        await new Promise((resolve) => setTimeout(resolve))
        signal?.throwIfAborted()
        await runBatch(batch, read)
      }
    },
    dispose: () => network.dispose(),
  }
}

/** Returns the inputs as tensors of one length; the first input is the longest. Shorter inputs are padded. */
function feedsOf({ Tensor }: TransformersLibrary, batch: readonly TokenSequence[], pad: number) {
  const positions = [...batch[0]!.ids.keys()]
  const tensorOf = (valueAt: (input: TokenSequence, index: number) => number) => {
    const values = batch.flatMap((input) => positions.map((index) => BigInt(valueAt(input, index))))
    return new Tensor('int64', BigInt64Array.from(values), [batch.length, positions.length])
  }
  return {
    input_ids: tensorOf(({ ids }, index) => ids[index] ?? pad),
    attention_mask: tensorOf(({ ids }, index) => (index < ids.length ? 1 : 0)),
    token_type_ids: tensorOf(({ types }, index) => types?.[index] ?? 0),
  }
}

/** Returns the inputs in groups of similar length, the longest first. */
function batches<Input extends TokenSequence>(inputs: readonly Input[], maxTokens: number): Input[][] {
  const groups: Input[][] = []
  for (const input of [...inputs].sort((a, b) => b.ids.length - a.ids.length)) {
    const last = groups.at(-1)
    if (last && (last.length + 1) * last[0]!.ids.length <= maxTokens) last.push(input)
    else groups.push([input])
  }
  return groups
}

/** Returns the maximum number of tokens of a model; 512 if it does not state it. */
function longestInput({ model_max_length }: ModelTokenizer, config: Record<string, unknown>): number {
  const { max_position_embeddings: positions, model_type: type } = config
  // The position tables of these models have two unused places.
  const offset = /roberta|camembert|mpnet/.test(String(type)) ? 2 : 0
  const limit = Math.min(model_max_length, Number(positions) > 0 ? Number(positions) - offset : Infinity)
  return limit < 1e9 ? limit : 512
}
