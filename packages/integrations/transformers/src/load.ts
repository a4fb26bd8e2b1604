/**
 * @module
 * Loads the library and a model.
 */
import type { ModelCallErrorKind } from '@x/llm'
import { MissingDependencyError } from '@x/postprocessors'
import type { TransformersLibrary } from './library.ts'
import type { LocalModelOptions, ModelErrorOf, ModelTask } from './local-model-options.ts'

const installed = async (): Promise<TransformersLibrary> => import('@huggingface/transformers')

/**
 * Returns the library.
 * @throws {MissingDependencyError} when it cannot be imported.
 */
export async function loadLibrary(where: string, library = installed): Promise<TransformersLibrary> {
  try {
    return await library()
  } catch (cause) {
    throw new MissingDependencyError(
      where,
      `@huggingface/transformers cannot be imported: ONNXRUNTIME_NODE_INSTALL=skip npm install @huggingface/transformers (${cause})`,
      { cause },
    )
  }
}

/** The kinds of errors by the messages of the library, which has no error codes. */
const kinds: readonly [RegExp, ModelCallErrorKind, advice?: string][] = [
  [/local_files_only|not found locally/, 'bad_request', '; pass path, or allowRemoteModels: true'],
  [/Unauthorized|Forbidden/, 'auth'],
  [/\(429\)/, 'rate_limit'],
  [/\(5\d\d\)|Internal server|Bad gateway|Service unavail|timeout/, 'overloaded'],
  // The tokenizer reads this property even if its file does not exist.
  [/tokenizer_class|\(4\d\d\)|Could not locate|Unsupported|not support/, 'bad_request'],
  [/(?:fetch|Load) failed|Failed to fetch|NetworkError|terminated/, 'connection'],
]

/**
 * Loads network and tokenizer.
 * @throws {ModelCallError} when one of them cannot be loaded.
 */
export async function loadParts(
  library: TransformersLibrary,
  task: ModelTask,
  options: LocalModelOptions,
  error: ModelErrorOf,
) {
  const { modelName, allowRemoteModels, revision = 'main', cacheDir, onProgress, device } = options
  // A path in the cache, because the library ignores its options and looks for tokenizers only in its default cache and on the hub.
  const cached = `${cacheDir}/${modelName}${revision === 'main' ? '' : `/${revision}`}`
  const path = options.path ?? (cacheDir && !allowRemoteModels ? cached : '')
  // The library would read `models/tiny` as a name.
  const place = path ? path.replace(/^(?!\.{0,2}[/\\]|[a-z]:)/i, './') : modelName
  const shared = {
    local_files_only: !allowRemoteModels,
    revision,
    cache_dir: cacheDir,
    progress_callback: onProgress,
  }
  try {
    // The network is loaded first: if it does not exist, the tokenizer is not requested.
    const network = await library[task.network].from_pretrained(place, {
      ...shared,
      dtype: options.dtype ?? 'fp32',
      device,
    })
    try {
      return { network, tokenizer: await library.AutoTokenizer.from_pretrained(place, shared) }
    } catch (cause) {
      await network.dispose()
      throw cause
    }
  } catch (cause) {
    const message = String(cause)
    const [, kind = 'bad_response', advice = ''] = kinds.find(([form]) => form.test(message)) ?? []
    throw error(`the model cannot be loaded${advice}`, kind, cause)
  }
}
