/** Checks of local models in a browser. Models and runtime come from the server of the page. */
import { env } from '@huggingface/transformers'
import { TransformersCrossEncoder, TransformersEmbedding, TransformersNer } from '@x/transformers'
import { report } from './run-checks.js'

env.allowLocalModels = true
env.localModelPath = '/tiny/'
env.useBrowserCache = false
env.useWasmCache = false
Object.assign(env.backends.onnx.wasm, { wasmPaths: '/ort/', numThreads: 1 })

/** @type {Record<string, () => unknown>} Each returns what must equal the value in `expected`. */
const checks = {
  async 'embeds texts, beyond the window too'() {
    const embedding = new TransformersEmbedding({ modelName: 'embedding' })
    const vectors = await embedding.getTextEmbeddingBatch(['cat', 'cat cat', 'cat '.repeat(900)])
    await embedding.dispose()
    return vectors
  },
  async 'scores pairs'() {
    const crossEncoder = new TransformersCrossEncoder({ modelName: 'cross-encoder', activation: 'identity' })
    return crossEncoder.predict(['pear', 'red apple'].map((text) => ['red apple', text]))
  },
  async 'finds names'() {
    const names = new TransformersNer({ modelName: 'names' })
    return (await names.recognize(`🎉 ${'x '.repeat(600)}Bob Smith`)).map(({ word, start }) => [word, start])
  },
  'downloads nothing that it was not asked for': () =>
    new TransformersEmbedding({ modelName: 'not/there' }).getTextEmbedding('a').catch(({ code, kind }) => [code, kind]),
}

const expected = {
  'embeds texts, beyond the window too': [
    [0, 1],
    [0, 1],
    [0, 1],
  ],
  'scores pairs': [-1, 1],
  'finds names': [['Bob Smith', 1203]],
  'downloads nothing that it was not asked for': ['model_call', 'bad_request'],
}

await report('local-models', checks, expected)
